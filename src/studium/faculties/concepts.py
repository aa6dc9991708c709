"""What can be asked of concepts: quotes kept, concepts drawn from them, answered by a person, written as notes."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from studium.core.domain.errors import BadInput, Conflict

if TYPE_CHECKING:
    from studium.core.config import Settings
    from studium.core.domain.decision import Review
    from studium.core.domain.finding import Finding
    from studium.domain.concept import Content
    from studium.readers.quotes.reading import QuotesReading
    from studium.running.concepts.extraction import Outcome
    from studium.running.concepts.parsing import Parsed
    from studium.running.concepts.reviewing import Round
    from studium.running.concepts.vault import Published
    from studium.workflows.concepts.changes import ReviewAnswer

Answering: TypeAlias = "Callable[[Round], ReviewAnswer | None]"


@dataclass(frozen=True)
class ParsedFile:
    """What came of a file of quotes."""

    run: str
    books: "list[Parsed]"
    findings: "list[Finding]"

    def as_json(self) -> dict[str, Any]:
        """What came of it, for a program."""
        books = [book.model_dump(mode="json") for book in self.books]
        return {"run": self.run, "books": books, "findings": _findings(self.findings)}


def read(file: Path) -> "QuotesReading":
    """What a file holds, without keeping any of it."""
    from studium.readers.quotes.reading import read_quotes

    reading = read_quotes(file)
    if not reading.books:
        raise BadInput("; ".join(map(str, reading.findings)))
    return reading


def reading_json(reading: "QuotesReading") -> list[dict[str, Any]]:
    """What a file holds, for a program."""
    return [{**asdict(book), "quotes": [dict(quote) for quote in book.quotes]} for book in reading.books]


async def parse(settings: "Settings", file: Path, *, title: str, author: str) -> ParsedFile:
    """Keep the quotes of a file."""
    from studium.bootstrap.concepts import concept_desk, concept_graph
    from studium.bootstrap.house import open_house
    from studium.running.concepts.parsing import parse_job, parsed_in

    async with open_house(settings) as house:
        with concept_graph(settings) as graph:
            job = parse_job(concept_desk(house, lambda: graph), file, title=title, author=author)
            report = await house.runner().run(job)
    decisions = report.plan.decisions
    findings = dict.fromkeys(finding for each in decisions for finding in each.findings)
    return ParsedFile(report.run, parsed_in(decisions), list(findings))


async def extract(settings: "Settings", name: str, *, again: bool) -> "Outcome":
    """Work on a book until it waits for a person, or is done."""
    from studium.bootstrap.concepts import concept_extraction, concept_graph
    from studium.bootstrap.house import open_house
    from studium.running.concepts.naming import book_named

    with concept_graph(settings) as graph:
        book = book_named(graph, name)
        async with open_house(settings) as house, concept_extraction(house, graph) as extraction:
            return await extraction.go_on(book, again=again)


async def review(settings: "Settings", name: str, answering: Answering, *, shows: bool = False) -> "Outcome":
    """Answer what waits of a book; without an answer, it waits on.

    `shows` means that whoever answers is shown what waits; else an answer to what nobody has seen is refused.
    """
    from studium.bootstrap.concepts import concept_extraction, concept_graph
    from studium.bootstrap.house import open_house
    from studium.running.concepts.naming import book_named

    with concept_graph(settings) as graph:
        book = book_named(graph, name)
        async with open_house(settings) as house, concept_extraction(house, graph) as extraction:
            outcome, was_seen = await extraction.take_up(book)
            given = answering(outcome.waiting) if outcome.waiting else None
            if given is None:
                return outcome
            if not (was_seen or shows):
                raise _went_on(book.title)
            return await extraction.answer(book, given)


async def look(settings: "Settings", name: str) -> "Outcome":
    """What waits of a book, in `waiting`; an answer that the inbox took is carried out first."""
    return await review(settings, name, lambda _: None)


async def peek(settings: "Settings", name: str) -> "tuple[Content, Round | None]":
    """The book that is meant, and what waits of it as it stands; nothing is gone on with."""
    from studium.bootstrap.concepts import concept_extraction, concept_graph
    from studium.bootstrap.house import open_house
    from studium.running.concepts.naming import book_named

    with concept_graph(settings) as graph:
        book = book_named(graph, name)
        async with open_house(settings) as house, concept_extraction(house, graph) as extraction:
            return book, await extraction.waiting(book)


async def answer(settings: "Settings", name: str, given: "ReviewAnswer", *, seen: str) -> "Outcome":
    """Answer the round with the fingerprint `seen`; if another one waits by now, the answer is refused."""

    def to_what_was_seen(waiting: "Round") -> "ReviewAnswer":
        if waiting.fingerprint != seen:
            raise _went_on(waiting.title)
        return given

    return await review(settings, name, to_what_was_seen, shows=True)


def waiting(settings: "Settings") -> "list[Review]":
    """The books that wait for a person."""
    from studium.bootstrap.house import open_ledger
    from studium.running.concepts.journal import FACULTY

    with open_ledger(settings) as ledger:
        return ledger.reviews.select("open", faculty=FACULTY, limit=1000)


def writing(settings: "Settings", language: str | None, *, cards: bool | None) -> "Settings":
    """The settings, with what is wanted of notes."""
    given = {name: value for name, value in (("language", language), ("cards", cards)) if value is not None}
    concepts = type(settings.concepts).model_validate(settings.concepts.model_dump() | given)
    return settings.model_copy(update={"concepts": concepts})


async def publish(settings: "Settings", folder: Path) -> "Published":
    """Write every concept as a note."""
    from studium.bootstrap.concepts import concept_graph, concept_vault
    from studium.bootstrap.house import open_house

    async with open_house(settings) as house:
        with concept_graph(settings) as graph:
            return concept_vault(house, graph, folder).publish()


async def undo(settings: "Settings", run: str) -> "Sequence[Finding]":
    """Take a run's commit back."""
    from studium.bootstrap.concepts import concept_graph, undo_commit
    from studium.bootstrap.house import open_house

    async with open_house(settings) as house:
        with concept_graph(settings) as graph:
            return undo_commit(house, graph, run)


def outcome_json(outcome: "Outcome") -> dict[str, Any]:
    """Where the work on a book stands, for a program."""
    return {
        "run": outcome.run,
        "book": outcome.book.model_dump(mode="json"),
        "waiting": outcome.waiting.payload if outcome.waiting else None,
        "decisions": [each.model_dump(mode="json", exclude={"proposal_schema"}) for each in outcome.decisions],
        "findings": _findings(outcome.findings),
    }


def published_json(published: "Published") -> dict[str, Any]:
    """Which notes were written, for a program."""
    return asdict(published) | {"findings": _findings(published.findings)}


def _went_on(title: str) -> Conflict:
    what = f"“{title}” went on before your answer came, so it was not given to what waits now."
    return Conflict(what, remedy=f"Look at it first: studium concepts review {title!r}")


def _findings(findings: "Sequence[Finding]") -> list[dict[str, Any]]:
    return [finding.model_dump(mode="json") for finding in findings]
