"""The questions job: each document of a corpus through the question loop, every question kept as soon as it is made."""

from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver

from studium.core.documents.document_cache import DocumentCache
from studium.core.domain.decision import Action, Decision
from studium.core.domain.finding import Finding, Severity
from studium.core.domain.ports import Model, Similarity
from studium.core.runs.run_spec import RunItem, RunSpec, reject_item
from studium.questions.corpus import GenerationTask
from studium.questions.coverage import coverage_of
from studium.questions.domain import GenerationPolicy, GenerationStats, QAPair, RejectedQA, RejectionReason
from studium.questions.graph import create_question_graph, emit_accepted, emit_rejected


class QuestionGeneration:
    """Asks about the documents of one corpus; each is read when its turn comes and let go of when it is done."""

    def __init__(
        self, asking: GenerationTask, model: Model, policy: GenerationPolicy, similarity: Similarity | None = None
    ) -> None:
        self.asking, self.model, self.policy, self.similarity = asking, model, policy, similarity
        self.documents = DocumentCache()

    def job(self, checkpointer: BaseCheckpointSaver[Any] | None) -> RunSpec:
        """The job, one item a document."""
        return RunSpec(
            feature="questions",
            arguments=self.asking.arguments,
            note=self.asking.note,
            graph=create_question_graph(
                self.model, self.documents.document, self.policy, checkpointer, self.similarity
            ),
            items=[self._item(path) for path in self.asking.documents],
            decide=self._decide,
            already_decided=[_skipped(finding) for finding in self.asking.passed_over],
            checkpointed=checkpointer is not None,
            on_resume=_emit_again,
        )

    def _item(self, path: Path) -> RunItem:
        state = {
            "document_path": str(path),
            "corpus_config": self.asking.corpus,
            "scenario_name": self.asking.scenario,
            "mode": self.asking.mode,
            "target_count": self.asking.count,
        }
        # A document that changes while its run is interrupted is another item, and never continues the old one.
        changed = path.stat().st_mtime_ns if path.exists() else 0
        return RunItem(f"{path}@{changed}", partial(dict, state))

    def _decide(self, _item: RunItem, state: dict[str, Any]) -> list[Decision]:
        """A decision for each candidate, and one for the document, with what it came to."""
        path = state["document_path"]
        accepted, rejected = state.get("accepted_questions", []), state.get("rejected_questions", [])
        read = self.documents.findings(path)
        stats = self._stats(state, accepted, rejected)
        self.documents.forget(path)
        return [
            *(_accepted(path, number, pair) for number, pair in enumerate(accepted, 1)),
            *(_rejected(path, number, pair) for number, pair in enumerate(rejected, 1)),
            _summary(path, stats, state, read),
        ]

    def _stats(self, state: dict[str, Any], accepted: list[QAPair], rejected: list[RejectedQA]) -> GenerationStats:
        reasons = Counter(pair.rejection_reason.value for pair in rejected)
        attempts = len(accepted) + len(rejected)
        duplicates = reasons[RejectionReason.DUPLICATE.value]
        validated = attempts - duplicates
        lines = self.documents.document(state["document_path"]).line_count
        return GenerationStats(
            document_path=state["document_path"],
            mode=self.asking.mode,
            target_count=self.asking.count,
            accepted_count=len(accepted),
            rejected_count=len(rejected),
            total_attempts=attempts,
            validation_pass_rate=round(len(accepted) / validated, 4) if validated else 0.0,
            dedup_rejection_rate=round(duplicates / attempts, 4) if attempts else 0.0,
            exhausted=len(accepted) < self.asking.count,
            rejection_reasons=dict(reasons),
            coverage=coverage_of(lines, (ref for pair in accepted for ref in pair.content_refs)),
        )


def _emit_again(state: dict[str, Any]) -> None:
    """Whoever follows a run that is gone on with hears of what was decided before it stopped."""
    for pair in state.get("accepted_questions", ()):
        emit_accepted(pair)
    for refused in state.get("rejected_questions", ()):
        emit_rejected(refused, state["document_path"])


def _skipped(finding: Finding) -> tuple[str, list[Decision]]:
    """A row for what lies among the documents and cannot be read, under an id like theirs."""
    item = f"{finding.where.path if finding.where else ''}@"
    return item, [reject_item(item, finding)]


def _accepted(path: str, number: int, pair: QAPair) -> Decision:
    proposal = pair.model_dump(mode="json")
    return Decision(item=f"{path}#{number}", action=Action.CREATE, evidence=pair.content_refs, proposal=proposal)


def _rejected(path: str, number: int, pair: RejectedQA) -> Decision:
    reasons = (f"{pair.rejection_reason.value}: {pair.rejection_detail}",)
    proposal = pair.model_dump(mode="json")
    return Decision(item=f"{path}#rejected-{number}", action=Action.SKIP, reasons=reasons, proposal=proposal)


def _summary(path: str, stats: GenerationStats, state: dict[str, Any], read: tuple[Finding, ...]) -> Decision:
    """What the document came to. That it gave out is worth knowing; that nobody answered is a fault."""
    findings = (*read, *state.get("findings", ()))
    reason = state.get("exhausted")
    if reason:
        failed = any(finding.severity is Severity.ERROR for finding in findings)
        severity = Severity.ERROR if failed and not stats.accepted_count else Severity.INFO
        findings = (Finding(code="document.exhausted", severity=severity, message=reason), *findings)
    return Decision(
        item=f"{path}#",
        action=Action.SKIP,
        reasons=(reason,) if reason else (),
        findings=findings,
        proposal=stats.model_dump(mode="json"),
    )
