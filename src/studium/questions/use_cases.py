"""Generate questions about a document or a corpus, load the outcome of a run, estimate what a run costs."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from studium.core.samples import SampleResult, Samples
from studium.questions.domain import NO_LIMITS, GenerationLimits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import BaseModel

    from studium.core.config import Settings
    from studium.core.database import Database
    from studium.core.domain.finding import Finding
    from studium.core.domain.run import Run
    from studium.questions.corpus import GenerationTask
    from studium.questions.domain import (
        CorpusGenerationResult,
        DocumentResult,
        GenerationMode,
        GenerationResult,
        QAPair,
    )
    from studium.questions.estimate import Estimate
    from studium.questions.export import ExportFormat
    from studium.questions.kinds import QuestionOptions


@dataclass(frozen=True)
class GenerationRequest:
    """What the user asked for."""

    root: Path
    count: int
    mode: "GenerationMode" = "textual"
    corpus: Path | None = None
    scenario: str | None = None
    limits: GenerationLimits = NO_LIMITS
    options: "QuestionOptions | None" = None


@dataclass(frozen=True)
class GenerationOutcome:
    """The results of a run, one for each document."""

    run: str
    arguments: "dict[str, object]"
    documents: "list[DocumentResult]"
    unsupported: "Sequence[Finding]" = ()
    """The files of the folder that there is no reader for."""

    @property
    def pairs(self) -> "list[QAPair]":
        """All accepted questions, in the order of the documents."""
        return [pair for document in self.documents for pair in document.accepted]

    @property
    def findings(self) -> "list[Finding]":
        """What was found about the documents, in their order."""
        return [finding for document in self.documents for finding in document.findings]

    @property
    def target(self) -> int:
        """How many questions were asked for, of the documents that could be read."""
        requested = sum(document.stats.target_count for document in self.documents if document.stats)
        total = self.arguments.get("total_target")
        return min(requested, int(str(total))) if total is not None else requested

    @property
    def generated(self) -> int:
        """How many questions were accepted when the run was made."""
        return sum(document.stats.accepted_count for document in self.documents if document.stats)

    @property
    def fell_short(self) -> bool:
        """Whether the run gave fewer questions than were asked for, or could not read a document."""
        has_failed = any(document.failed for document in self.documents)
        return self.generated < self.target or (has_failed and "total_target" not in self.arguments)

    def only_result(self) -> "GenerationResult":
        """The result of a run over one document, or the first that could be read; raises if there is none."""
        from studium.core.domain.finding import unusable_error

        result = next((document.result for document in self.documents if document.result is not None), None)
        if result is None:
            raise unusable_error(self.findings)
        return result

    def corpus_result(self) -> "CorpusGenerationResult":
        """The accepted questions of the whole corpus, as evaluations read them."""
        from studium.questions.domain import corpus_result

        corpus = self.arguments["corpus"]
        root = Path(str(self.arguments["root"]))
        name = str(corpus["name"]) if isinstance(corpus, dict) else root.name
        mode: GenerationMode = "visual" if self.arguments["mode"] == "visual" else "textual"
        scenario = str(self.arguments["scenario"] or "")
        return corpus_result(self.documents, name, str(root), scenario, mode, datetime.now(UTC))


async def generate_questions(
    settings: "Settings",
    request: GenerationRequest,
    *,
    resume: bool = False,
    on: str | None = None,
) -> GenerationOutcome:
    """Run the question loop over one document or a corpus, on this machine or on the cluster `on`."""
    from studium.core.app import open_app
    from studium.core.domain.errors import BadInput
    from studium.questions.setup import question_checkpoints, question_cluster, question_generation

    task = _task(request)
    if on and request.limits.total_target:
        raise BadInput(
            "A total for all documents cannot be counted on a cluster.",
            remedy="Leave out `--total-target`, or run it on this machine.",
        )
    async with open_app(settings) as app, question_checkpoints(settings) as checkpoints:
        known = app.database.runs.unfinished("questions", task.arguments) if resume else None
        accepted = app.database.items.decisions_page(known.id, "create", limit=1)[1] if known else 0
        spec = question_generation(app, task, accepted).run_spec(checkpoints)
        runner = question_cluster(app, on, task) if on else app.runner()
        report = await runner.run(spec, resume=resume)
        return load_outcome(app.database, report.run)


def find_unfinished_run(database: "Database", request: GenerationRequest) -> "Run | None":
    """The run of this request that is still running or was interrupted."""
    return database.runs.unfinished("questions", _task(request).arguments)


def load_outcome(database: "Database", run: str) -> GenerationOutcome:
    """Load the outcome of an earlier run, with the questions as a reviewer left them."""
    from studium.questions.question_set import load_question_set, reviewed_documents

    questions = load_question_set(database, run)
    results = sorted(reviewed_documents(questions), key=lambda document: document.path)
    documents = [result for result in results if not result.unsupported]
    unsupported = [finding for result in results if result.unsupported for finding in result.findings]
    return GenerationOutcome(questions.run.id, dict(questions.run.arguments), documents, unsupported)


@dataclass(frozen=True)
class ExportResult:
    """The questions that were exported, the files, and the documents that could not be opened again."""

    run: str
    questions: int
    files: list[Path]
    missing: tuple[str, ...] = ()


def export_questions(
    database: "Database", run: str, target: Path, form: "ExportFormat | Literal['json']"
) -> ExportResult:
    """Write the questions of a run, with the chunks of its documents where the format is for evaluations.

    `json` is the file that `studium questions corpus` writes, with the questions as a reviewer left them.
    """
    from studium.questions.chunks import ChunkedCorpus
    from studium.questions.export import write_dataset

    outcome = load_outcome(database, run)
    if form == "json":
        write_result(target, outcome.corpus_result())
        return ExportResult(outcome.run, len(outcome.pairs), [target])
    readable = [document.path for document in outcome.documents if document.stats or document.accepted]
    corpus = ChunkedCorpus.read(readable) if form != "anki" else ChunkedCorpus()
    files = write_dataset(outcome.pairs, target, form, corpus)
    return ExportResult(outcome.run, len(outcome.pairs), files, corpus.missing)


def _task(request: GenerationRequest) -> "GenerationTask":
    from studium.questions.corpus import prepare_task
    from studium.questions.kinds import ANY

    return prepare_task(
        request.root,
        request.count,
        mode=request.mode,
        corpus=request.corpus,
        scenario=request.scenario,
        limits=request.limits,
        options=request.options or ANY,
    )


def estimate_request(settings: "Settings", database: "Database", request: GenerationRequest) -> "Estimate":
    """Open the documents of a request, and estimate what it gives and takes; nothing is asked of a model."""
    from studium.core.app import check_roles
    from studium.questions.estimate import estimate_task

    check_roles(settings)
    return estimate_task(settings, database, _task(request))


def with_limits(settings: "Settings", concurrency: int | None, max_cost: float | None) -> "Settings":
    """The settings, with the limits that were given for this run."""
    running, budget = settings.running, settings.budget
    if concurrency is not None:
        running = running.model_copy(update={"concurrency": concurrency})
    if max_cost is not None:
        budget = budget.model_copy(update={"cost": max_cost})
    return settings.model_copy(update={"running": running, "budget": budget})


def write_result(out: Path, result: "BaseModel") -> None:
    """Write a result as JSON, atomically."""
    from studium.core.files import write_text

    write_text(out, result.model_dump_json(indent=2) + "\n")


def outcome_json(outcome: GenerationOutcome, *, whole: bool = False) -> dict[str, Any]:
    """The outcome of a run for programs; with `whole`, every accepted and rejected question too."""
    return {
        "run": outcome.run,
        "accepted": len(outcome.pairs),
        "target": outcome.target,
        "fell_short": outcome.fell_short,
        "failed": sum(document.failed for document in outcome.documents),
        "documents": [_document_json(document, whole=whole) for document in outcome.documents],
        "unsupported": [
            {"path": finding.where.path if finding.where else "", "reason": finding.message}
            for finding in outcome.unsupported
        ],
    }


def _document_json(document: "DocumentResult", *, whole: bool) -> dict[str, Any]:
    found = {
        "path": document.path,
        "stats": document.stats.model_dump(mode="json") if document.stats else None,
        "shortfall": document.shortfall or None,
        "findings": [finding.model_dump(mode="json") for finding in document.findings],
    }
    if whole:
        found["accepted"] = [pair.model_dump(mode="json") for pair in document.accepted]
        found["rejected"] = [pair.model_dump(mode="json") for pair in document.rejected]
    return found


class QuestionSamples(Samples):
    """A corpus of documents whose questions are written to a JSON file."""

    feature = "questions"
    position = 2
    run_argument = "root"
    results = ("questions.json",)

    async def make(self, settings: "Settings", folder: Path) -> SampleResult:
        """Generate questions from the corpus."""
        out = folder / "questions.json"
        documents = folder / "samples" / "questions"
        request = GenerationRequest(documents, settings.questions.target_count, scenario="rag_eval")
        generated = await generate_questions(settings, request, resume=True)
        write_result(out, generated.corpus_result())
        refused = sum(len(document.rejected) for document in generated.documents)
        return SampleResult(self.feature, f"{len(generated.pairs)} questions", str(out), left_out=f"{refused} refused")


SAMPLES = QuestionSamples()
