"""What jobs can do for concepts."""

import asyncio
from pathlib import Path
from typing import Any, Literal

from studium.concepts import use_cases as conceptgraph
from studium.concepts import use_cases as concepts
from studium.concepts.proposal import ReviewAnswer
from studium.core.config import Settings
from studium.core.domain.run import without_progress
from studium.core.jobs.job_types import Flag, InputPath, JobContext, JobRequest, JobType, ShortText, TextLine, example


class ParseRequest(JobRequest):
    """A file of quotes that is to be kept."""

    file: InputPath
    """Markdown, My Clippings.txt, Readwise, Kobo, Apple Books; `upload:ID` names one that was brought."""
    title: TextLine = ""
    """The book's title; of a file with several books, which one."""
    author: TextLine = ""
    """Who wrote the book."""
    dry_run: Flag = False
    """Keep nothing; say what would be kept."""

    model_config = example(file="samples/quotes/walden.md")


class ExtractRequest(JobRequest):
    """A book whose quotes are to become concepts."""

    book: ShortText
    """The book's title, the beginning of it, or its id."""
    again: Flag = False
    """Also take up quotes that carry concepts already."""


class AnswerRequest(JobRequest):
    """A person's answer to the proposal for a book."""

    book: ShortText
    """The book's title, the beginning of it, or its id."""
    seen: ShortText
    """The fingerprint of the proposal that was seen: what changed since is not answered unseen."""
    answer: ReviewAnswer
    """Changes, words, and whether what then stands is to be kept."""


class PublishRequest(JobRequest):
    """A folder that every concept is to be written to as a note."""

    folder: InputPath
    """A folder, mostly inside an Obsidian vault."""
    cards: Flag | None = None
    """Let each note hold a question for the cards feature."""
    language: Literal["es", "en", "fr", "de", "it", "pt"] | None = None
    """The language of the headings."""


class UndoRequest(JobRequest):
    """A run whose concepts are to be taken back."""

    run: ShortText
    """The run that kept the concepts."""


class ImportRequest(JobRequest):
    """A graph that is to be added to the one that is kept."""

    file: InputPath
    """A file that an export wrote."""


class ExportRequest(JobRequest):
    """The whole graph, as a file."""


async def _parse(settings: Settings, request: ParseRequest, _context: JobContext) -> dict[str, Any]:
    if request.dry_run:
        return {"books": concepts.quotes_json(await asyncio.to_thread(concepts.preview_quotes, Path(request.file)))}
    known = {"title": request.title, "author": request.author}
    return (await concepts.parse(settings, Path(request.file), **known)).as_json()


async def _extract(settings: Settings, request: ExtractRequest, _context: JobContext) -> dict[str, Any]:
    outcome = await concepts.extract(settings, request.book, again=request.again)
    return concepts.outcome_json(outcome)


async def _answer(settings: Settings, request: AnswerRequest, _context: JobContext) -> dict[str, Any]:
    with without_progress():
        outcome = await concepts.answer_review(settings, request.book, request.answer, seen=request.seen)
    return concepts.outcome_json(outcome)


async def _publish(settings: Settings, request: PublishRequest, _context: JobContext) -> dict[str, Any]:
    settings = concepts.with_note_options(settings, request.language, cards=request.cards)
    return concepts.published_json(await concepts.publish_notes(settings, Path(request.folder)))


async def _undo(settings: Settings, request: UndoRequest, _context: JobContext) -> dict[str, Any]:
    found = await concepts.undo(settings, request.run)
    return {"run": request.run, "findings": [finding.model_dump(mode="json") for finding in found]}


async def _import(settings: Settings, request: ImportRequest, _context: JobContext) -> dict[str, Any]:
    return await asyncio.to_thread(conceptgraph.import_from, settings, Path(request.file))


async def _export(settings: Settings, _request: ExportRequest, context: JobContext) -> dict[str, Any]:
    return {"lines": await asyncio.to_thread(conceptgraph.export, settings, context.folder / "concepts.jsonl")}


JOB_TYPES = (
    JobType("concepts.parse", "Read the quotes of a file and keep them.", ParseRequest, _parse),
    JobType(
        "concepts.extract", "Draw concepts from a book's quotes, until a person must decide.", ExtractRequest, _extract
    ),
    JobType(
        "concepts.answer", "Answer the proposal for a book, and go on with it.", AnswerRequest, _answer, writes=True
    ),
    JobType(
        "concepts.publish",
        "Write concepts as notes; what changed there is merged.",
        PublishRequest,
        _publish,
        writes=True,
    ),
    JobType(
        "concepts.undo", "Take back what a run kept, in the graph and in the vault.", UndoRequest, _undo, writes=True
    ),
    JobType("concepts.import", "Add a graph from a file to the one that is kept.", ImportRequest, _import, writes=True),
    JobType("concepts.export", "Write the whole graph to a file, with its vectors.", ExportRequest, _export),
)
