"""The background jobs of questions: generate and export."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from studium.core.config import Settings
from studium.core.jobs.job_types import InputPath, JobContext, JobRequest, JobResult, JobType, ShortText, example
from studium.questions import use_cases as questions
from studium.questions.kinds import Difficulty, Length, Mix, QuestionOptions

Count = Annotated[int, Field(ge=1, le=500)]


class GenerateQuestions(JobRequest):
    """Generate questions about a document or a folder of documents."""

    document: InputPath
    """A PDF, Markdown, text, HTML, EPUB or JATS file, or a folder of such; `upload:ID` is an uploaded file."""
    count: Count | None = None
    """Questions per document; by default `questions.target_count`."""
    mode: Literal["textual", "visual"] = "textual"
    """Ask about what the text says, or about what the pages show."""
    corpus: InputPath | None = None
    """The corpus configuration; by default the `corpus.yaml` beside the documents."""
    scenario: ShortText | None = None
    """The scenario of the corpus to write questions for."""
    concurrency: Annotated[int, Field(ge=1, le=64)] | None = None
    """How many documents at once."""
    max_cost: Annotated[float, Field(ge=0)] | None = None
    """The most money to spend."""
    mix: Mix | None = None
    """The kinds of questions with their weights; by default `questions.mix`."""
    difficulty: Difficulty | None = None
    """Prefer questions of this difficulty."""
    length: Length | None = None
    """Prefer questions of this length."""
    style: ShortText | None = None
    """How models word the questions."""
    persona: ShortText | None = None
    """Whose questions models ask."""

    model_config = example(document="samples/questions", count=3)


class ExportQuestions(JobRequest):
    """Export the accepted questions of a run."""

    run: ShortText
    """The run's id."""
    format: Literal["ragas", "jsonl", "csv", "parquet", "anki"] = "jsonl"
    """The format of the file."""


def to_generation_request(settings: Settings, request: GenerateQuestions) -> questions.GenerationRequest:
    """The request, with the settings' values where it gives none."""
    return questions.GenerationRequest(
        Path(request.document),
        request.count or settings.questions.target_count,
        request.mode,
        Path(request.corpus) if request.corpus else None,
        request.scenario,
        options=QuestionOptions(
            mix=request.mix or {},
            difficulty=request.difficulty,
            style=request.style or "",
            length=request.length,
            persona=request.persona or "",
        ),
    )


async def _generate(settings: Settings, request: GenerateQuestions, context: JobContext) -> JobResult:
    limited = questions.with_limits(settings, request.concurrency, request.max_cost)
    generation = to_generation_request(settings, request)
    outcome = await questions.generate_questions(limited, generation, resume=context.resume)
    questions.write_result(context.folder / "questions.json", outcome.corpus_result())
    return questions.outcome_json(outcome.run, outcome.documents)


async def _export(settings: Settings, request: ExportQuestions, context: JobContext) -> JobResult:
    from studium.core.app import open_database
    from studium.questions.export import write_dataset

    with open_database(settings) as database:
        outcome = questions.load_outcome(database, request.run)
    ending = {"ragas": "jsonl", "anki": "apkg"}.get(request.format, request.format)
    write_dataset(outcome.pairs, context.folder / f"questions.{ending}", request.format)
    return {"run": outcome.run, "questions": len(outcome.pairs)}


JOB_TYPES = (
    JobType(
        "questions.generate",
        "Generate questions about documents, and accept those that a second engine answers the same way.",
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
