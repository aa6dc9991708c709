"""The background jobs of the concepts feature."""

import asyncio
from pathlib import Path
from typing import Literal

from studium.concepts import use_cases as concepts
from studium.concepts.proposal import ReviewAnswer
from studium.core.config import Settings
from studium.core.domain.run import without_progress
from studium.core.jobs.job_types import (
    Flag,
    InputPath,
    JobContext,
    JobRequest,
    JobResult,
    JobType,
    ShortText,
    TextLine,
    example,
)


class ParseRequest(JobRequest):
    """Import a file of quotes."""

    file: InputPath
    """Markdown, My Clippings.txt, Readwise, Kobo, Apple Books; `upload:ID` names an uploaded file."""
    title: TextLine = ""
    """The book's title; with several books in the file, which one to import."""
    author: TextLine = ""
    """Who wrote the book."""
    dry_run: Flag = False
    """Save nothing; report what would be saved."""

    model_config = example(file="samples/quotes/walden.md")


class ExtractRequest(JobRequest):
    """Extract concepts from a book."""

    book: ShortText
    """The book's title, the start of its title, or its id."""
    again: Flag = False
    """Include quotes that already have concepts."""


class AnswerRequest(JobRequest):
    """A person's answer to the proposal for a book."""

    book: ShortText
    """The book's title, the start of its title, or its id."""
    seen: ShortText
    """The fingerprint of the proposal that was shown; an answer to an older one is refused."""
    answer: ReviewAnswer
    """Changes, feedback, and whether to save the result."""


class PublishRequest(JobRequest):
    """Write every concept as a note to a folder."""

    folder: InputPath
    """A folder, usually in an Obsidian vault."""
    cards: Flag | None = None
    """Add a question for the cards feature to each note."""
    language: Literal["es", "en", "fr", "de", "it", "pt"] | None = None
    """The language of the headings."""


class UndoRequest(JobRequest):
    """Undo the concepts of a run."""

    run: ShortText
    """The run that saved the concepts."""


class ImportRequest(JobRequest):
    """Add a graph from a file."""

    file: InputPath
    """A file written by an export."""


class ExportRequest(JobRequest):
    """Export the whole graph to a file."""


async def _parse(settings: Settings, request: ParseRequest, _context: JobContext) -> JobResult:
    if request.dry_run:
        return {"books": concepts.quotes_json(await asyncio.to_thread(concepts.preview_quotes, Path(request.file)))}
    known = {"title": request.title, "author": request.author}
    return (await concepts.parse(settings, Path(request.file), **known)).as_json()


async def _extract(settings: Settings, request: ExtractRequest, _context: JobContext) -> JobResult:
    outcome = await concepts.extract(settings, request.book, again=request.again)
    return concepts.outcome_json(outcome)


async def _answer(settings: Settings, request: AnswerRequest, _context: JobContext) -> JobResult:
    with without_progress():
        outcome = await concepts.answer_review(settings, request.book, request.answer, seen=request.seen)
    return concepts.outcome_json(outcome)


async def _publish(settings: Settings, request: PublishRequest, _context: JobContext) -> JobResult:
    settings = concepts.with_note_options(settings, request.language, cards=request.cards)
    return concepts.published_json(await concepts.publish_notes(settings, Path(request.folder)))


async def _undo(settings: Settings, request: UndoRequest, _context: JobContext) -> JobResult:
    found = await concepts.undo(settings, request.run)
    return {"run": request.run, "findings": [finding.model_dump(mode="json") for finding in found]}


async def _import(settings: Settings, request: ImportRequest, _context: JobContext) -> JobResult:
    return await asyncio.to_thread(concepts.import_from, settings, Path(request.file))


async def _export(settings: Settings, _request: ExportRequest, context: JobContext) -> JobResult:
    return {"lines": await asyncio.to_thread(concepts.export, settings, context.folder / "concepts.jsonl")}


JOB_TYPES = (
    JobType("concepts.parse", "Import quotes from a file.", ParseRequest, _parse),
    JobType("concepts.extract", "Extract concepts from a book's quotes, up to the review.", ExtractRequest, _extract),
    JobType("concepts.answer", "Answer the proposal for a book, and continue.", AnswerRequest, _answer, writes=True),
    JobType(
        "concepts.publish",
        "Write concepts as notes; your edits are merged.",
        PublishRequest,
        _publish,
        writes=True,
    ),
    JobType("concepts.undo", "Undo what a run saved, in the graph and in the vault.", UndoRequest, _undo, writes=True),
    JobType("concepts.import", "Add a graph from a file.", ImportRequest, _import, writes=True),
    JobType("concepts.export", "Write the whole graph to a file, with its vectors.", ExportRequest, _export),
)
