"""Generate questions about a document or a corpus, load the outcome of a run, estimate what a run costs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studium.core.domain.usage import Price
from studium.core.samples import SampleResult, Samples

if TYPE_CHECKING:
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
    from studium.questions.kinds import QuestionOptions

# Assumed for one accepted question: explore and submit, compare once, explore and answer. One candidate in four is
# rejected on the way.
GENERATOR_CALLS = 4.0
DEDUPLICATOR_CALLS = 1.0
VALIDATOR_CALLS = 3.0
ATTEMPTS = 1.33
INPUT_TOKENS = 3500
OUTPUT_TOKENS = 250


@dataclass(frozen=True)
class GenerationRequest:
    """What the user asked for."""

    root: Path
    count: int
    mode: "GenerationMode" = "textual"
    corpus: Path | None = None
    scenario: str | None = None
    options: "QuestionOptions | None" = None


@dataclass(frozen=True)
class GenerationOutcome:
    """The results of a run, one for each document."""

    run: str
    arguments: "dict[str, object]"
    documents: "list[DocumentResult]"

    @property
    def pairs(self) -> "list[QAPair]":
        """All accepted questions, in the order of the documents."""
        return [pair for document in self.documents for pair in document.accepted]

    @property
    def findings(self) -> "list[Finding]":
        """What was found about the documents, in their order."""
        return [finding for document in self.documents for finding in document.findings]

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
    from studium.questions.setup import question_checkpoints, question_cluster, question_generation

    task = _task(request)
    async with open_app(settings) as app, question_checkpoints(settings) as checkpoints:
        spec = question_generation(app, task).run_spec(checkpoints)
        runner = question_cluster(app, on, task) if on else app.runner()
        report = await runner.run(spec, resume=resume)
        return _outcome_of(app.database.runs.get(report.run), app.database)


def find_unfinished_run(database: "Database", request: GenerationRequest) -> "Run | None":
    """The run of this request that is still running or was interrupted."""
    return database.runs.unfinished("questions", _task(request).arguments)


def load_outcome(database: "Database", run: str) -> GenerationOutcome:
    """Load the outcome of an earlier run."""
    from studium.core.domain.errors import BadInput

    found = database.runs.get(run)
    if found.feature != "questions":
        raise BadInput(
            f"Run {found.id} is a run of {found.feature}, not of questions.",
            remedy="`studium runs list` lists all runs.",
        )
    return _outcome_of(found, database)


def _task(request: GenerationRequest) -> "GenerationTask":
    from studium.questions.corpus import prepare_task
    from studium.questions.kinds import ANY

    return prepare_task(
        request.root,
        request.count,
        mode=request.mode,
        corpus=request.corpus,
        scenario=request.scenario,
        options=request.options or ANY,
    )


def _outcome_of(run: "Run", database: "Database") -> GenerationOutcome:
    from studium.questions.domain import document_results

    documents = document_results(database.items.decisions(run.id))
    return GenerationOutcome(run.id, dict(run.arguments), sorted(documents, key=lambda document: document.path))


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


def outcome_json(run: str, documents: "Sequence[DocumentResult]", *, whole: bool = False) -> dict[str, Any]:
    """The outcome of a run for programs; with `whole`, every accepted and rejected question too."""
    return {
        "run": run,
        "accepted": sum(len(document.accepted) for document in documents),
        "failed": sum(document.failed for document in documents),
        "documents": [_document_json(document, whole=whole) for document in documents],
    }


def _document_json(document: "DocumentResult", *, whole: bool) -> dict[str, Any]:
    found = {
        "path": document.path,
        "stats": document.stats.model_dump(mode="json") if document.stats else None,
        "findings": [finding.model_dump(mode="json") for finding in document.findings],
    }
    if whole:
        found["accepted"] = [pair.model_dump(mode="json") for pair in document.accepted]
        found["rejected"] = [pair.model_dump(mode="json") for pair in document.rejected]
    return found


# --- estimate


@dataclass(frozen=True)
class Estimate:
    """The expected documents, questions, calls and tokens; `cost` is None if a price is unknown."""

    documents: int
    questions: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None


@dataclass(frozen=True)
class ModelCalls:
    """How often one role calls its model per candidate (`rules` costs nothing), and the model's price if known."""

    model: str
    calls: float
    price: Price | None


def estimate_request(settings: "Settings", request: GenerationRequest) -> Estimate:
    """Estimate the calls, tokens and cost of a request."""
    from studium.core.app import check_roles

    check_roles(settings)
    return estimate_cost(len(_task(request).documents), request.count, question_model_calls(settings))


def estimate_cost(documents: int, per_document: int, roles: tuple[ModelCalls, ...]) -> Estimate:
    """Estimate the calls, tokens and cost of this many questions about each of this many documents."""
    questions = documents * per_document
    paid = [role for role in roles if role.model != "rules"]
    calls = [questions * ATTEMPTS * role.calls for role in paid]
    known = all(role.price is not None for role in paid)
    cost = sum(
        count * role.price.of(INPUT_TOKENS, OUTPUT_TOKENS)
        for count, role in zip(calls, paid, strict=True)
        if role.price
    )
    total = round(sum(calls))
    return Estimate(documents, questions, total, total * INPUT_TOKENS, total * OUTPUT_TOKENS, cost if known else None)


def question_model_calls(settings: "Settings") -> tuple[ModelCalls, ...]:
    """The roles of the question loop with their models, for an estimate."""
    from studium.questions.skills import DEDUPE, GENERATE, VALIDATE

    calls = {GENERATE.role: GENERATOR_CALLS, DEDUPE.role: DEDUPLICATOR_CALLS, VALIDATE.role: VALIDATOR_CALLS}
    named = [(settings.role(role), count) for role, count in calls.items()]
    return tuple(
        ModelCalls(name, count, settings.model(name).price if name != "rules" else None) for name, count in named
    )


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
