"""What can be asked of questions: a document or a corpus asked about, what came of it, what it may cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import BaseModel

    from studium.core.config import Settings
    from studium.core.database import Database
    from studium.core.domain.run import Run
    from studium.questions.domain import CorpusGenerationResult, GenerationMode, GenerationResult, QAPair
    from studium.questions.estimate import Estimate
    from studium.questions.results import DocumentResult


@dataclass(frozen=True)
class GenerationRequest:
    """What the user asked for."""

    root: Path
    count: int
    mode: "GenerationMode" = "textual"
    corpus: Path | None = None
    scenario: str | None = None


@dataclass(frozen=True)
class GenerationOutcome:
    """What a run came to, document by document."""

    run: str
    arguments: "dict[str, object]"
    documents: "list[DocumentResult]"

    @property
    def pairs(self) -> "list[QAPair]":
        """All accepted questions, in the order of the documents."""
        return [pair for document in self.documents for pair in document.accepted]

    def only_result(self) -> "GenerationResult":
        """The result of a run over one document; raises where the document could not be read."""
        from studium.core.domain.errors import BadInput

        document = self.documents[0]
        if document.result is None:
            raise BadInput("; ".join(map(str, document.findings)))
        return document.result

    def corpus_result(self) -> "CorpusGenerationResult":
        """The questions of the whole corpus, in the form that evaluations read."""
        from studium.questions.results import corpus_result

        known = self.arguments
        corpus = known["corpus"]
        root = Path(str(known["root"]))
        name = str(corpus["name"]) if isinstance(corpus, dict) else root.name
        mode: GenerationMode = "visual" if known["mode"] == "visual" else "textual"
        return corpus_result(self.documents, name, str(root), str(known["scenario"] or ""), mode, datetime.now(UTC))


async def generate_questions(
    settings: "Settings",
    wish: GenerationRequest,
    *,
    resume: bool = False,
    on: str | None = None,
) -> GenerationOutcome:
    """Run the loop over one document or a corpus, here or on a cluster."""
    from studium.core.app import open_app
    from studium.questions.corpus import prepare_task
    from studium.questions.setup import question_checkpoints, question_cluster, question_generation

    asking = prepare_task(wish.root, wish.count, mode=wish.mode, corpus=wish.corpus, scenario=wish.scenario)
    async with open_app(settings) as app, question_checkpoints(settings) as checkpoints:
        job = question_generation(app, asking).job(checkpoints)
        runner = question_cluster(app, on, asking) if on else app.runner()
        report = await runner.run(job, resume=resume)
        return _outcome_of(app.database.runs.get(report.run), app.database)


def find_unfinished_run(database: "Database", wish: GenerationRequest) -> "Run | None":
    """The run that is at this wish, or was stopped before its end."""
    from studium.questions.corpus import prepare_task

    asking = prepare_task(wish.root, wish.count, mode=wish.mode, corpus=wish.corpus, scenario=wish.scenario)
    return database.runs.unfinished("questions", asking.arguments)


def load_outcome(database: "Database", run: str) -> GenerationOutcome:
    """What an earlier run came to."""
    from studium.core.domain.errors import BadInput

    found = database.runs.get(run)
    if found.feature != "questions":
        raise BadInput(f"Run {found.id} made {found.feature}, no questions.", remedy="`studium runs list` shows all.")
    return _outcome_of(found, database)


def _outcome_of(run: "Run", database: "Database") -> GenerationOutcome:
    from studium.questions.results import document_results

    documents = document_results(database.items.decisions(run.id))
    return GenerationOutcome(run.id, dict(run.arguments), sorted(documents, key=lambda document: document.path))


def with_limits(settings: "Settings", concurrency: int | None, max_cost: float | None) -> "Settings":
    """The settings with what is wanted of this run."""
    running, budget = settings.running, settings.budget
    if concurrency is not None:
        running = running.model_copy(update={"concurrency": concurrency})
    if max_cost is not None:
        budget = budget.model_copy(update={"cost": max_cost})
    return settings.model_copy(update={"running": running, "budget": budget})


def estimate_request(settings: "Settings", wish: GenerationRequest) -> "Estimate":
    """What the run is likely to take."""
    from studium.core.app import check_roles
    from studium.questions.corpus import prepare_task
    from studium.questions.estimate import estimate_cost
    from studium.questions.setup import question_model_calls

    check_roles(settings)
    asking = prepare_task(wish.root, wish.count, mode=wish.mode, corpus=wish.corpus, scenario=wish.scenario)
    return estimate_cost(len(asking.documents), wish.count, question_model_calls(settings))


def write_result(out: Path, result: "BaseModel") -> None:
    """Write a result as JSON, all of it or nothing."""
    from studium.core.files import write_text

    write_text(out, result.model_dump_json(indent=2) + "\n")


def outcome_json(run: str, documents: "Sequence[DocumentResult]", *, whole: bool = False) -> dict[str, Any]:
    """What a run came to, for programs; `whole` with every question, accepted or not."""
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
