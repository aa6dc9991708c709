"""What can be ordered of questions."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from studium.core.config import Settings
from studium.questions import use_cases as questions
from studium.service.kinds.kind import Errand, Kind, Name, Place, Request, like

Count = Annotated[int, Field(ge=1, le=500)]


class GenerateQuestions(Request):
    """A document, or a folder of them, that questions are to be asked about."""

    document: Place
    """A PDF, Markdown, text, HTML, EPUB or JATS file, or a folder of such; `upload:ID` names one that was brought."""
    count: Count | None = None
    """How many questions a document; else `questions.target_count`."""
    mode: Literal["textual", "visual"] = "textual"
    """Ask about what the text says, or about what the pages show."""
    corpus: Place | None = None
    """The corpus configuration; else the `corpus.yaml` beside the documents."""
    scenario: Name | None = None
    """Which scenario of the corpus to ask for."""
    concurrency: Annotated[int, Field(ge=1, le=64)] | None = None
    """How many documents at once."""
    max_cost: Annotated[float, Field(ge=0)] | None = None
    """The most money to spend."""

    model_config = like(document="samples/questions", count=3)


class ExportQuestions(Request):
    """A run whose accepted questions are to be written for others."""

    run: Name
    """The run's id."""
    format: Literal["ragas", "jsonl", "csv", "parquet", "anki"] = "jsonl"
    """For whom to write."""


def to_generation_request(settings: Settings, request: GenerateQuestions) -> questions.GenerationRequest:
    """What is asked for, with what the settings say where the request says nothing."""
    return questions.GenerationRequest(
        Path(request.document),
        request.count or settings.questions.target_count,
        request.mode,
        Path(request.corpus) if request.corpus else None,
        request.scenario,
    )


async def _generate(settings: Settings, request: GenerateQuestions, errand: Errand) -> dict[str, Any]:
    limited = questions.with_limits(settings, request.concurrency, request.max_cost)
    wish = to_generation_request(settings, request)
    asked = await questions.generate_questions(limited, wish, resume=errand.resume)
    questions.write_result(errand.folder / "questions.json", asked.corpus_result())
    return questions.outcome_json(asked.run, asked.documents)


async def _export(settings: Settings, request: ExportQuestions, errand: Errand) -> dict[str, Any]:
    from studium.bootstrap.house import open_ledger
    from studium.questions.export import write_dataset

    with open_ledger(settings) as ledger:
        asked = questions.load_outcome(ledger, request.run)
    ending = {"ragas": "jsonl", "anki": "apkg"}.get(request.format, request.format)
    write_dataset(asked.pairs, errand.folder / f"questions.{ending}", request.format)
    return {"run": asked.run, "questions": len(asked.pairs)}


JOB_TYPES = (
    Kind(
        "questions.generate",
        "Ask questions about documents, and accept those that a second engine answers alike from the document alone.",
        GenerateQuestions,
        _generate,
    ),
    Kind(
        "questions.export",
        "Write the accepted questions of a run as a dataset or an Anki package.",
        ExportQuestions,
        _export,
    ),
)
