"""The questions job: a document on disk, through the question loop, to a dataset file."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from studium.domain.decision import Action, Decision
from studium.domain.errors import BadInput
from studium.domain.finding import Finding, Severity
from studium.domain.ports import Mind
from studium.domain.question import GenerationResult, GenerationStats, QAPair, RejectedQA, RejectionReason
from studium.running.documents import Documents
from studium.running.job import Item, Job
from studium.workflows.questions.graph import create_question_graph
from studium.workflows.questions.state import QuestionPolicy


def questions_job(path: Path, mind: Mind, policy: QuestionPolicy, *, count: int, checkpointer: Any) -> Job:
    """The job for one document."""
    documents = Documents()
    document, findings = documents.read(path)
    if document is None:
        raise BadInput(str(findings[0]))
    state = {"document_path": str(path), "target_count": count}
    return Job(
        faculty="questions",
        # The content is part of the job: a document that changed is another job and never continues this one.
        arguments={"document": str(path.resolve()), "content": document.id, "count": count},
        graph=create_question_graph(mind, documents.document, policy, checkpointer),
        items=[Item(str(path), lambda: state)],
        decide=_decide,
        checkpointed=checkpointer is not None,
    )


def generation_result(path: str, count: int, decisions: Sequence[Decision]) -> GenerationResult:
    """What the decisions of a run over one document came to."""
    accepted = tuple(QAPair.model_validate(d.proposal) for d in decisions if d.action is Action.CREATE)
    rejected = tuple(RejectedQA.model_validate(d.proposal) for d in decisions if d.action is Action.SKIP and d.proposal)
    reasons = Counter(pair.rejection_reason.value for pair in rejected)
    attempts = len(accepted) + len(rejected)
    duplicates = reasons[RejectionReason.DUPLICATE.value]
    validated = attempts - duplicates
    stats = GenerationStats(
        document_path=path,
        target_count=count,
        accepted_count=len(accepted),
        rejected_count=len(rejected),
        total_attempts=attempts,
        validation_pass_rate=len(accepted) / validated if validated else 0.0,
        dedup_rejection_rate=duplicates / attempts if attempts else 0.0,
        exhausted=len(accepted) < count,
        rejection_reasons=dict(reasons),
    )
    return GenerationResult(accepted=accepted, rejected=rejected, stats=stats)


def _decide(item: Item, state: dict[str, Any]) -> list[Decision]:
    """A decision for each candidate, and one for the document when it gave out."""
    accepted = [
        Decision(
            item=f"{item.id}#{number}",
            action=Action.CREATE,
            evidence=pair.content_refs,
            proposal=pair.model_dump(mode="json"),
        )
        for number, pair in enumerate(state.get("accepted_questions", []), 1)
    ]
    rejected = [
        Decision(
            item=f"{item.id}#rejected-{number}",
            action=Action.SKIP,
            reasons=(pair.rejection_detail,),
            proposal=pair.model_dump(mode="json"),
        )
        for number, pair in enumerate(state.get("rejected_questions", []), 1)
    ]
    return [*accepted, *rejected, *_exhaustion(item, state)]


def _exhaustion(item: Item, state: dict[str, Any]) -> list[Decision]:
    if not (reason := state.get("exhausted")):
        return []
    severity = Severity.ERROR if state.get("findings") else Severity.INFO
    finding = Finding(code="document.exhausted", severity=severity, message=reason)
    return [
        Decision(
            item=item.id,
            action=Action.SKIP,
            reasons=(reason,),
            findings=(finding, *state.get("findings", ())),
        )
    ]
