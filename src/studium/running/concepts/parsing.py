"""The parsing job: every book of a file of quotes through `quote_parse`."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from studium.core.domain.decision import Action, Decision
from studium.core.domain.errors import BadInput
from studium.core.domain.value import Value
from studium.core.runs.run_spec import RunItem, RunSpec
from studium.readers.quotes.reading import QuotesReading, read_quotes
from studium.running.concepts.journal import FACULTY
from studium.workflows.concepts.desk import Desk
from studium.workflows.concepts.quote_parse import choose, create_quote_parse_graph
from studium.workflows.concepts.state import State


class Parsed(Value):
    """What came of one book of a file."""

    book: str
    title: str
    author: str
    quotes: int
    sections: tuple[str, ...]
    added: int
    edited: int
    summary: str
    summary_short: str


def parse_job(desk: Desk, path: Path, *, title: str = "", author: str = "") -> RunSpec:
    """The job for one file; `title` chooses one of its books, or names the only one."""
    reading = read_quotes(path)
    if not reading.books:
        raise BadInput("; ".join(map(str, reading.findings)))
    titles = _titles(reading, title, path)
    return RunSpec(
        faculty=FACULTY,
        arguments={"parse": str(path), "title": title, "author": author},
        note=f"Read: {titles[0] or path.name}" + (f" and {len(titles) - 1} more" if titles[1:] else ""),
        graph=create_quote_parse_graph(desk),
        items=[RunItem(name or path.stem, partial(_start, path, name, author)) for name in titles],
        decide=_decide,
    )


def parsed_in(decisions: Sequence[Decision]) -> list[Parsed]:
    """The books that a run kept."""
    return [Parsed.model_validate(each.proposal) for each in decisions if each.proposal]


def _titles(reading: QuotesReading, title: str, path: Path) -> list[str]:
    if not title and len(reading.books) > 1:
        return [book.title for book in reading.books]
    choose(reading.books, title, path)
    return [title or reading.books[0].title]


def _start(path: Path, title: str, author: str) -> dict[str, Any]:
    return {"file_path": str(path), "title": title, "author": author}


def _decide(item: RunItem, end: dict[str, Any]) -> list[Decision]:
    state = State(**end)
    if state.book is None:
        raise LookupError(f"{item.id} ended without a book")
    kept = Parsed(
        book=state.book.uuid,
        title=state.book.title,
        author=state.book.author,
        quotes=len(state.quotes or ()),
        sections=tuple(state.sections or ()),
        added=len(state.added),
        edited=len(state.edited),
        summary=state.book.summary,
        summary_short=state.book.summary_short,
    )
    action = Action.CREATE if kept.added else Action.UPDATE if kept.edited else Action.SKIP
    proposal = kept.model_dump(mode="json")
    return [Decision(item=item.id, action=action, findings=tuple(state.findings), proposal=proposal)]
