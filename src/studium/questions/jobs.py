"""The background jobs of questions: generate, export, and what a review needs a document or a model for."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from studium.core.config import Settings
from studium.core.jobs.job_types import (
    InputPath,
    JobContext,
    JobRequest,
    JobResult,
    JobType,
    ShortText,
    TextLine,
    example,
)
from studium.questions import review as reviews
from studium.questions import use_cases as questions
from studium.questions.domain import GenerationLimits
from studium.questions.kinds import Difficulty, Length, Mix, QuestionOptions

Count = Annotated[int, Field(ge=1, le=500)]


class GenerateQuestions(JobRequest):
    """Generate questions about a document or a folder of documents."""

    document: InputPath
    """A PDF, Markdown, AsciiDoc, text, HTML, EPUB or JATS file, or a folder of them; `upload:ID` is an upload."""
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
    max_failures: Annotated[int, Field(ge=1, le=10_000)] | None = None
    """Stop at a document after this many rejected candidates in a row; rules try all by default."""
    total_target: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """Stop when all documents together have this many questions."""
    max_docs: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """Use only the first so many documents of a folder."""
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
    format: Literal["ragas", "jsonl", "csv", "parquet", "anki", "json"] = "jsonl"
    """The format of the file."""


QuestionNumber = Annotated[int, Field(ge=1, le=10_000_000)]
Revision = Annotated[int, Field(ge=0, le=1_000_000_000)]


class EditQuestion(JobRequest):
    """Change a question of a run, or its answer, if the document still proves it."""

    run: ShortText
    """The run's id."""
    number: QuestionNumber
    """The question's number in the set."""
    question: TextLine | None = None
    """The new question; without it, the question stays."""
    answer: TextLine | None = None
    """The new answer; without it, the answer stays."""
    revision: Revision | None = None
    """Only if this is still the revision of the question."""


class RegenerateQuestion(JobRequest):
    """Ask another question in place of one of a run."""

    run: ShortText
    """The run's id."""
    number: QuestionNumber
    """The question's number in the set."""
    place: Literal["same", "anywhere"] = "same"
    """About the same place of the document if possible, or about any."""
    revision: Revision | None = None
    """Only if this is still the revision of the question."""


def to_generation_request(settings: Settings, request: GenerateQuestions) -> questions.GenerationRequest:
    """The request, with the settings' values where it gives none."""
    return questions.GenerationRequest(
        Path(request.document),
        request.count or settings.questions.target_count,
        request.mode,
        Path(request.corpus) if request.corpus else None,
        request.scenario,
        GenerationLimits(request.max_failures, request.total_target, request.max_docs),
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
    return questions.outcome_json(outcome)


async def _export(settings: Settings, request: ExportQuestions, context: JobContext) -> JobResult:
    from studium.core.app import open_database

    ending = {"ragas": "jsonl", "anki": "apkg"}.get(request.format, request.format)
    with open_database(settings) as database:
        written = questions.export_questions(
            database, request.run, context.folder / f"questions.{ending}", request.format
        )
    return {"run": written.run, "questions": written.questions, "missing": list(written.missing)}


async def _edit(settings: Settings, request: EditQuestion, _context: JobContext) -> JobResult:
    edited = await reviews.edit_question(
        settings,
        request.run,
        request.number,
        question=request.question,
        answer=request.answer,
        seen=request.revision,
    )
    return edited.to_json()


async def _regenerate(settings: Settings, request: RegenerateQuestion, _context: JobContext) -> JobResult:
    made = await reviews.regenerate_question(
        settings, request.run, request.number, place=request.place, seen=request.revision
    )
    return made.to_json()


JOB_TYPES = (
    JobType(
        "questions.generate",
        "Generate questions about documents, and accept those that a second engine answers the same way.",
        GenerateQuestions,
        _generate,
    ),
    JobType(
        "questions.export",
        "Write the questions of a run as a dataset, with the chunks of its documents, or as an Anki package.",
        ExportQuestions,
        _export,
    ),
    JobType(
        "questions.edit",
        "Change a question of a run or its answer, after checking it against the document again.",
        EditQuestion,
        _edit,
        writes=True,
    ),
    JobType(
        "questions.regenerate",
        "Ask another question in place of one of a run, never one that was in the set.",
        RegenerateQuestion,
        _regenerate,
        writes=True,
    ),
)
