"""What jobs can do for questions."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from studium.core.config import Settings
from studium.core.jobs.job_types import InputPath, JobContext, JobRequest, JobType, ShortText, example
from studium.questions import use_cases as questions

Count = Annotated[int, Field(ge=1, le=500)]


class GenerateQuestions(JobRequest):
    """A document, or a folder of them, that questions are to be asked about."""

    document: InputPath
    """A PDF, Markdown, text, HTML, EPUB or JATS file, or a folder of such; `upload:ID` names one that was brought."""
    count: Count | None = None
    """How many questions a document; else `questions.target_count`."""
    mode: Literal["textual", "visual"] = "textual"
    """Ask about what the text says, or about what the pages show."""
    corpus: InputPath | None = None
    """The corpus configuration; else the `corpus.yaml` beside the documents."""
    scenario: ShortText | None = None
    """Which scenario of the corpus to ask for."""
    concurrency: Annotated[int, Field(ge=1, le=64)] | None = None
    """How many documents at once."""
    max_cost: Annotated[float, Field(ge=0)] | None = None
    """The most money to spend."""

    model_config = example(document="samples/questions", count=3)


class ExportQuestions(JobRequest):
    """A run whose accepted questions are to be written for others."""

    run: ShortText
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


async def _generate(settings: Settings, request: GenerateQuestions, context: JobContext) -> dict[str, Any]:
    limited = questions.with_limits(settings, request.concurrency, request.max_cost)
    wish = to_generation_request(settings, request)
    asked = await questions.generate_questions(limited, wish, resume=context.resume)
    questions.write_result(context.folder / "questions.json", asked.corpus_result())
    return questions.outcome_json(asked.run, asked.documents)


async def _export(settings: Settings, request: ExportQuestions, context: JobContext) -> dict[str, Any]:
    from studium.core.app import open_database
    from studium.questions.export import write_dataset

    with open_database(settings) as database:
        asked = questions.load_outcome(database, request.run)
    ending = {"ragas": "jsonl", "anki": "apkg"}.get(request.format, request.format)
    write_dataset(asked.pairs, context.folder / f"questions.{ending}", request.format)
    return {"run": asked.run, "questions": len(asked.pairs)}


JOB_TYPES = (
    JobType(
        "questions.generate",
        "Ask questions about documents, and accept those that a second engine answers alike from the document alone.",
        GenerateQuestions,
        _generate,
    ),
    JobType(
        "questions.export",
        "Write the accepted questions of a run as a dataset or an Anki package.",
        ExportQuestions,
        _export,
    ),
)
