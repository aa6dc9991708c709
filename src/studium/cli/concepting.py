"""What the commands of `studium concepts` do, between reading the flags and saying what came of it."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studium.cli.editing import as_yaml, edited, read_yaml
from studium.cli.progress import progress_bar
from studium.domain.errors import BadInput, Conflict

if TYPE_CHECKING:
    from studium.domain.concept import Concept, Content, Person, Quote, Relation, Support
    from studium.domain.decision import Review
    from studium.domain.finding import Finding
    from studium.readers.quotes.reading import QuotesReading
    from studium.running.concepts.extraction import Outcome
    from studium.running.concepts.parsing import Parsed
    from studium.running.concepts.reviewing import Round
    from studium.running.concepts.vault import Published
    from studium.settings import Settings
    from studium.workflows.concepts.changes import Change, ReviewAnswer
    from studium.workflows.concepts.overview.auditing import Audit


@dataclass(frozen=True)
class Wish:
    """What the flags of `review` ask for."""

    approve: bool = False
    reject: tuple[str, ...] = ()
    restore: tuple[str, ...] = ()
    unmerge: tuple[str, ...] = ()
    merge: tuple[str, ...] = ()

    def changes(self) -> "tuple[Change, ...]":
        """The changes to the proposal that these flags mean."""
        from studium.workflows.concepts.changes import Change

        merged = [[key.strip() for key in keys.split(",")] for keys in self.merge]
        return (
            *(Change(action="restore", concept=key) for key in self.restore),
            *(Change(action="unmerge", concept=key) for key in self.unmerge),
            *(Change(action="merge", concept=keys[0], others=tuple(keys[1:])) for keys in merged),
            *(Change(action="reject", concept=key) for key in self.reject),
        )


@dataclass(frozen=True)
class ParsedFile:
    """What came of a file of quotes."""

    run: str
    books: "list[Parsed]"
    findings: "list[Finding]"


@dataclass(frozen=True)
class Shown:
    """A concept with all that belongs to it."""

    concept: "Concept"
    relations: "Sequence[tuple[Relation, str]]"
    supports: "Sequence[tuple[Support, Quote, Content]]"


@dataclass(frozen=True)
class Standing:
    """What the graph holds."""

    counts: dict[str, int]
    books: "Sequence[tuple[Content, Person | None, int]]"


def read(file: Path) -> "QuotesReading":
    """What a file holds, without keeping any of it."""
    from studium.readers.quotes.reading import read_quotes

    reading = read_quotes(file)
    if not reading.books:
        raise BadInput("; ".join(map(str, reading.findings)))
    return reading


async def parse(settings: "Settings", file: Path, *, title: str, author: str) -> ParsedFile:
    """Keep the quotes of a file."""
    from studium.bootstrap.concepts import concept_desk, concept_graph
    from studium.bootstrap.house import open_house
    from studium.running.concepts.parsing import parse_job, parsed_in

    async with open_house(settings) as house:
        with concept_graph(settings) as graph, progress_bar("books") as show:
            job = parse_job(concept_desk(house, lambda: graph), file, title=title, author=author)
            report = await house.runner(on_progress=show).run(job)
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


async def review(
    settings: "Settings", name: str, wish: Wish, *, feedback: str, changes: Path | None, edit: bool
) -> "Outcome":
    """Answer what waits of a book; without an answer, it waits on."""
    from studium.bootstrap.concepts import concept_extraction, concept_graph
    from studium.bootstrap.house import open_house
    from studium.running.concepts.naming import book_named

    with concept_graph(settings) as graph:
        book = book_named(graph, name)
        async with open_house(settings) as house, concept_extraction(house, graph) as extraction:
            outcome, was_seen = await extraction.take_up(book)
            if outcome.waiting is None:
                return outcome
            answer = _answer(outcome.waiting, wish, feedback, changes, edit=edit)
            if answer and not was_seen and not edit:
                what = f"“{book.title}” went on before your answer came, so it was not given to what waits now."
                raise Conflict(what, remedy=f"Look at it first: studium concepts review {book.title!r}")
            return outcome if answer is None else await extraction.answer(book, answer)


def _answer(waiting: "Round", wish: Wish, feedback: str, changes: Path | None, *, edit: bool) -> "ReviewAnswer | None":
    from studium.workflows.concepts.changes import ReviewAnswer
    from studium.workflows.concepts.revising.editing import changes_from

    wanted = [*wish.changes(), *(_changes_in(changes) if changes else ())]
    approve = wish.approve

    def take(document: dict[str, Any]) -> None:
        wanted.extend(changes_from(waiting.proposal, document))

    if edit and not edited(as_yaml(waiting.document()), take, may_ask=sys.stdin.isatty()) and not wanted:
        return None
    if not (wanted or feedback or approve):
        return None
    return ReviewAnswer(approved=approve, feedback=feedback, changes=tuple(wanted))


def _changes_in(file: Path) -> "list[Change]":
    from pydantic import TypeAdapter, ValidationError

    from studium.workflows.concepts.changes import Change

    try:
        text = file.read_text("utf-8")
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror}.") from error
    try:
        return TypeAdapter(list[Change]).validate_python(read_yaml(text).get("changes"))
    except ValidationError as error:
        raise BadInput(f"{file} holds no changes: {error}", remedy="Write them as `changes: [{action: …}]`.") from error


def waiting(settings: "Settings") -> "list[Review]":
    """The books that wait for a person."""
    from studium.bootstrap.house import open_ledger
    from studium.running.concepts.journal import FACULTY

    with open_ledger(settings) as ledger:
        return ledger.reviews("open", faculty=FACULTY, limit=1000)


async def search(settings: "Settings", text: str, limit: int, *, quotes: bool) -> list[tuple[str, str, float]]:
    """Concepts or quotes by what they say, as (title, text, similarity)."""
    from studium.bootstrap.concepts import concept_graph
    from studium.bootstrap.house import open_house
    from studium.running.concepts.searching import search_concepts, search_quotes

    async with open_house(settings) as house:
        with concept_graph(settings) as graph:
            found = search_quotes if quotes else search_concepts
            return found(graph, house.understanding, text, limit)


def show(settings: "Settings", name: str) -> Shown:
    """A concept with all that belongs to it."""
    from studium.bootstrap.concepts import concept_graph
    from studium.running.concepts.naming import concept_named

    with concept_graph(settings) as graph:
        concept = concept_named(graph, name)
        titles = {each.uuid: each.title for each in graph.concepts()}
        quotes = {quote.uuid: (quote, book) for book in graph.books() for quote in graph.quotes_of(book.uuid)}
        return Shown(
            concept,
            [(relation, titles[relation.target]) for relation in graph.relations(concept.uuid)],
            [(support, *quotes[support.quote]) for support in graph.supports(concept.uuid) if support.quote in quotes],
        )


def writing(settings: "Settings", language: str | None, *, cards: bool | None) -> "Settings":
    """The settings, with what the flags say about notes."""
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


def stats(settings: "Settings") -> Standing:
    """What the graph holds."""
    from studium.bootstrap.concepts import concept_graph

    with concept_graph(settings) as graph:
        books = [(book, graph.author_of(book.uuid), len(graph.quotes_of(book.uuid))) for book in graph.books()]
        return Standing(graph.counts(), books)


async def audited(settings: "Settings") -> "Audit":
    """The graph, looked over."""
    from studium.bootstrap.concepts import concept_graph
    from studium.bootstrap.house import open_house
    from studium.running.concepts.searching import looked_over

    async with open_house(settings) as house:
        with concept_graph(settings) as graph:
            return looked_over(graph, house.understanding)
