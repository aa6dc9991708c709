"""Builds the question loop from the settings: policy, checkpoints, runs, cluster, rules and graph."""

from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langgraph.checkpoint.base import BaseCheckpointSaver

from studium.core.app import App, open_app
from studium.core.config import Settings
from studium.core.documents.registry import DocumentCache
from studium.core.domain.decision import Action, Decision
from studium.core.domain.finding import Finding, Severity
from studium.core.domain.ports import Model, Similarity
from studium.core.domain.run import RunItem, RunSpec, reject_item
from studium.core.domain.skill import Tool
from studium.core.features import FeatureGraph
from studium.core.text.tokens import count_words
from studium.questions.candidates import coverage_of
from studium.questions.corpus import GenerationTask
from studium.questions.domain import (
    EXHAUSTED,
    GenerationPolicy,
    GenerationStats,
    QAPair,
    QuestionTotal,
    RejectedQA,
    RejectionReason,
)
from studium.questions.graph import create_question_graph, emit_accepted, emit_rejected
from studium.questions.kinds import parse_mix
from studium.questions.shortfall import explain_shortfall, not_honoured
from studium.questions.skills import (
    DEDUPE,
    GENERATE,
    GENERATE_VISUAL,
    VALIDATE,
    VALIDATE_VISUAL,
    Exhausted,
    GenerateVisualInput,
    ValidateInput,
    ValidationResult,
)

if TYPE_CHECKING:
    from studium.core.llm.models import Rule
    from studium.core.runs.cluster import ClusterRunner
    from studium.core.runs.runner import Runner
    from studium.questions.state import QuestionState


def question_policy(settings: Settings, max_failures: int | None = None) -> GenerationPolicy:
    """When the question loop ends, and which models take part in it.

    Candidates that rules make and check are finite and free: all are tried, unless a limit of failures is given.
    """
    models = settings.role(GENERATE.role), settings.role(VALIDATE.role)
    usual = None if models == ("rules", "rules") else settings.questions.max_consecutive_failures
    return GenerationPolicy(max_failures or usual, *models, mix=parse_mix(settings.questions.mix))


def question_generation(app: App, task: "GenerationTask", accepted: int = 0) -> "QuestionGeneration":
    """The generation of questions for a task, with the app's model and settings; `accepted` were made before."""
    policy = question_policy(app.settings, task.limits.max_failures)
    return QuestionGeneration(task, app.model, policy, app.similarity, accepted)


def question_checkpoints(settings: Settings) -> AbstractAsyncContextManager[Any]:
    """Open the checkpoints that hold the loop's state between its steps; of a long loop only the latest is kept."""
    from studium.core.runs.checkpoints import open_checkpoints
    from studium.questions.state import CHECKPOINTED, MILESTONES

    return open_checkpoints(settings.checkpoints_url, CHECKPOINTED, MILESTONES, only_latest=True)


def question_cluster(app: App, scheduler: str, task: "GenerationTask") -> "ClusterRunner":
    """A runner that sends the documents of a corpus to the workers of a cluster."""
    from studium.core.runs.cluster import ClusterRunner, WorkerSpec

    # Each document is sent by itself.
    worker = WorkerSpec("studium.questions.setup:questions_worker", app.settings, replace(task, documents=()))
    return ClusterRunner(scheduler, worker, app.database)


@asynccontextmanager
async def questions_worker(settings: Settings, task: "GenerationTask") -> "AsyncIterator[tuple[Runner, RunSpec]]":
    """On a cluster worker: the runner, and the run for the documents that the driver sends."""
    async with open_app(settings) as app, question_checkpoints(settings) as checkpoints:
        yield app.runner(), question_generation(app, task).run_spec(checkpoints)


def question_rules(app: App) -> "Mapping[str, Rule]":
    """The rules that answer the skills of questions without a model."""
    return rules(app.similarity)


def rules(similarity: Similarity | None = None) -> "dict[str, Rule]":
    """The rule for each skill; `similarity` helps to recognise the same question in other words.

    The generator asks about clauses, lists, tables and labelled values. The validator is a separate engine: it sees
    only the question and answers it from the document. A question is accepted only if both agree.
    """
    from studium.questions.rules.duplicate_detection.same_question import dedupe_rule
    from studium.questions.rules.generation.generate import generate
    from studium.questions.rules.validation.validate import validate

    return {
        GENERATE.name: generate,
        GENERATE_VISUAL.name: _cannot_ask,
        DEDUPE.name: dedupe_rule(similarity),
        VALIDATE.name: validate,
        VALIDATE_VISUAL.name: _cannot_see,
    }


def _cannot_ask(_given: GenerateVisualInput, _tools: Sequence[Tool]) -> Exhausted:
    return Exhausted(
        reason="The rules cannot see pictures. Set `roles.questions.generator` and `roles.questions.validator` to"
        " two models with vision."
    )


def _cannot_see(_given: ValidateInput, _tools: Sequence[Tool]) -> ValidationResult:
    return ValidationResult(answerable=False, detail="The rules cannot see pictures.")


def _draw_graph() -> Any:
    from studium.core.documents.registry import DocumentCache
    from studium.core.llm.models import RulesModel
    from studium.questions.graph import create_question_graph

    return create_question_graph(RulesModel({}), DocumentCache().document, GenerationPolicy())


@asynccontextmanager
async def _open_graph(app: App) -> AsyncIterator[Any]:
    from studium.core.documents.registry import DocumentCache
    from studium.questions.graph import create_question_graph

    yield create_question_graph(app.model, DocumentCache().document, question_policy(app.settings))


GRAPHS = (FeatureGraph("questions", _draw_graph, _open_graph),)


class QuestionGeneration:
    """Generates questions about the documents of a task; each document is in memory only during its turn."""

    def __init__(
        self,
        task: GenerationTask,
        model: Model,
        policy: GenerationPolicy,
        similarity: Similarity | None = None,
        accepted: int = 0,
    ) -> None:
        self.task, self.model, self.policy, self.similarity = task, model, policy, similarity
        self.documents = DocumentCache()
        self.total = QuestionTotal(task.limits.total_target, accepted)

    def run_spec(self, checkpointer: BaseCheckpointSaver[Any] | None) -> RunSpec:
        """The run, with one item for each document."""
        return RunSpec(
            feature="questions",
            arguments=self.task.arguments,
            note=self.task.note,
            graph=create_question_graph(
                self.model, self.documents.document, self.policy, checkpointer, self.similarity, self.total
            ),
            items=[self._item(path) for path in self.task.documents],
            decide=self._decide,
            already_decided=[_skipped(finding) for finding in self.task.skipped],
            checkpointed=checkpointer is not None,
            on_resume=self._resumed,
        )

    def _item(self, path: Path) -> RunItem:
        state: dict[str, Any] = {
            "document_path": str(path),
            "corpus_config": self.task.corpus,
            "scenario_name": self.task.scenario,
            "mode": self.task.mode,
            "target_count": self.task.count,
            "options": self.task.steering,
        }
        if path in self.task.documents[:1]:
            state["findings"] = self._not_honoured()
        # A document that changes while its run is interrupted becomes a new item: it never continues the old one.
        changed = path.stat().st_mtime_ns if path.exists() else 0
        return RunItem(f"{path}@{changed}", partial(dict, state))

    def _not_honoured(self) -> list[Finding]:
        """What the generator cannot follow of the request; said once, with the first document."""
        mix = self.task.steering.mix or self.policy.mix
        scenario = self.task.corpus is not None
        model = self.policy.generator_model
        return [*not_honoured(model, self.task.mode, self.task.steering, mix, scenario=scenario)]

    def _decide(self, _item: RunItem, state: "QuestionState") -> list[Decision]:
        """One decision for each candidate, and one for the document with its statistics."""
        path = state["document_path"]
        accepted, rejected = state.get("accepted_questions", []), state.get("rejected_questions", [])
        read = self.documents.findings(path)
        stats = self._stats(state, accepted, rejected)
        shortfall = self._shortfall(state, stats)
        self.documents.forget(path)
        return [
            *(_accepted(path, number, pair) for number, pair in enumerate(accepted, 1)),
            *(_rejected(path, number, pair) for number, pair in enumerate(rejected, 1)),
            _summary(stats, shortfall, (*read, *state.get("findings", ()))),
        ]

    def _resumed(self, state: "QuestionState") -> None:
        self.total.accepted += len(state.get("accepted_questions", ()))
        _emit_again(state)

    def _shortfall(self, state: "QuestionState", stats: GenerationStats) -> str:
        if not stats.exhausted:
            return ""
        document = self.documents.document(state["document_path"])
        reason, limited = state.get("exhausted") or "", state.get("limited", False)
        return explain_shortfall(stats, document, self.policy, reason, limited=limited)

    def _stats(self, state: "QuestionState", accepted: list[QAPair], rejected: list[RejectedQA]) -> GenerationStats:
        reasons = Counter(pair.rejection_reason.value for pair in rejected)
        attempts = len(accepted) + len(rejected)
        duplicates = reasons[RejectionReason.DUPLICATE.value]
        validated = attempts - duplicates
        document = self.documents.document(state["document_path"])
        return GenerationStats(
            document_path=state["document_path"],
            mode=self.task.mode,
            target_count=self.task.count,
            accepted_count=len(accepted),
            rejected_count=len(rejected),
            total_attempts=attempts,
            validation_pass_rate=round(len(accepted) / validated, 4) if validated else 0.0,
            dedup_rejection_rate=round(duplicates / attempts, 4) if attempts else 0.0,
            exhausted=len(accepted) < self.task.count and not state.get("total_reached"),
            rejection_reasons=dict(reasons),
            coverage=coverage_of(document.line_count, (ref for pair in accepted for ref in pair.evidence)),
            word_count=count_words(document.text),
            generator_model=self.policy.generator_model,
        )


def _emit_again(state: "QuestionState") -> None:
    """Emit again, for those who follow a resumed run, what was decided before it stopped."""
    for pair in state.get("accepted_questions", ()):
        emit_accepted(pair)
    for rejected in state.get("rejected_questions", ()):
        emit_rejected(rejected, state["document_path"])


def _skipped(finding: Finding) -> tuple[str, list[Decision]]:
    """The item and the decision for a file among the documents that cannot be read."""
    item = f"{finding.where.path if finding.where else ''}@"
    return item, [reject_item(item, finding)]


def _accepted(path: str, number: int, pair: QAPair) -> Decision:
    proposal = pair.model_dump(mode="json")
    return Decision(item=f"{path}#{number}", action=Action.CREATE, evidence=pair.evidence, proposal=proposal)


def _rejected(path: str, number: int, pair: RejectedQA) -> Decision:
    reasons = (f"{pair.rejection_reason.value}: {pair.rejection_detail}",)
    proposal = pair.model_dump(mode="json")
    return Decision(item=f"{path}#rejected-{number}", action=Action.SKIP, reasons=reasons, proposal=proposal)


def _summary(stats: GenerationStats, shortfall: str, findings: tuple[Finding, ...]) -> Decision:
    """The decision with the document's statistics; an exhausted document is an error only if the model failed."""
    if shortfall:
        failed = any(finding.severity is Severity.ERROR for finding in findings)
        severity = Severity.ERROR if failed and not stats.accepted_count else Severity.INFO
        findings = (Finding(code=EXHAUSTED, severity=severity, message=shortfall), *findings)
    return Decision(
        item=f"{stats.document_path}#",
        action=Action.SKIP,
        reasons=(shortfall,) if shortfall else (),
        findings=findings,
        proposal=stats.model_dump(mode="json"),
    )
