"""The use cases of concepts: import quotes, extract, review, search, publish and undo."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from studium.core.domain.errors import BadInput, Conflict
from studium.core.reader_process import outside_server

if TYPE_CHECKING:
    from studium.concepts.audit import Audit
    from studium.concepts.domain import Concept, Content, Person, Quote, Relation, RelationType, Support
    from studium.concepts.graph_view import GraphView
    from studium.concepts.notes.vault import PublishResult
    from studium.concepts.proposal import ReviewAnswer
    from studium.concepts.quotes.reader import QuoteFile
    from studium.concepts.runs import ExtractionOutcome, ParsedBook, ReviewRound
    from studium.core.config import Settings
    from studium.core.domain.decision import Review
    from studium.core.domain.finding import Finding


Reviewer: TypeAlias = "Callable[[ReviewRound], ReviewAnswer | None]"


@dataclass(frozen=True)
class ParsedFile:
    """The result of importing a file of quotes."""

    run: str
    books: "list[ParsedBook]"
    findings: "list[Finding]"

    def as_json(self) -> dict[str, Any]:
        """The result as JSON."""
        books = [book.model_dump(mode="json") for book in self.books]
        return {"run": self.run, "books": books, "findings": _findings(self.findings)}


@outside_server(str)
def preview_quotes(file: Path) -> "QuoteFile":
    """Read the quotes in a file without saving them."""
    from studium.concepts.quotes.reader import read_quotes

    reading = read_quotes(file)
    if not reading.books:
        raise BadInput("; ".join(map(str, reading.findings)))
    return reading


def quotes_json(reading: "QuoteFile") -> list[dict[str, Any]]:
    """The quotes in a file as JSON."""
    return [{**asdict(book), "quotes": [dict(quote) for quote in book.quotes]} for book in reading.books]


async def parse(settings: "Settings", file: Path, *, title: str, author: str) -> ParsedFile:
    """Import the quotes in a file."""
    from studium.concepts.runs import parse_run, parsed_books
    from studium.concepts.setup import concept_dependencies, concept_graph
    from studium.core.app import open_app

    async with open_app(settings) as app:
        with concept_graph(settings) as graph:
            job = parse_run(concept_dependencies(app, lambda: graph), file, title=title, author=author)
            report = await app.runner().run(job)
    decisions = report.plan.decisions
    findings = dict.fromkeys(finding for each in decisions for finding in each.findings)
    return ParsedFile(report.run, parsed_books(decisions), list(findings))


async def extract(settings: "Settings", name: str, *, again: bool) -> "ExtractionOutcome":
    """Extract concepts from a book, until it waits for review or is done."""
    from studium.concepts.search import book_by_name
    from studium.concepts.setup import concept_graph, open_extraction
    from studium.core.app import open_app

    with concept_graph(settings) as graph:
        book = book_by_name(graph, name)
        async with open_app(settings) as app, open_extraction(app, graph) as extraction:
            return await extraction.run(book, again=again)


async def review(settings: "Settings", name: str, answering: Reviewer, *, shows: bool = False) -> "ExtractionOutcome":
    """Answer the waiting review of a book; without an answer, it keeps waiting.

    With `shows` the reviewer is shown the proposal; otherwise an answer to an unseen proposal is refused.
    """
    from studium.concepts.search import book_by_name
    from studium.concepts.setup import concept_graph, open_extraction
    from studium.core.app import open_app

    with concept_graph(settings) as graph:
        book = book_by_name(graph, name)
        async with open_app(settings) as app, open_extraction(app, graph) as extraction:
            outcome, was_seen = await extraction.resume(book)
            given = answering(outcome.waiting) if outcome.waiting else None
            if given is None:
                return outcome
            if not (was_seen or shows):
                raise _outdated_answer(book.title)
            return await extraction.answer(book, given)


async def resume_review(settings: "Settings", name: str) -> "ExtractionOutcome":
    """The waiting review of a book; an answer given in the inbox is applied first."""
    return await review(settings, name, lambda _: None)


async def get_waiting_round(settings: "Settings", name: str) -> "tuple[Content, ReviewRound | None]":
    """A book and its waiting review, without resuming the run."""
    from studium.concepts.search import book_by_name
    from studium.concepts.setup import concept_graph, open_extraction
    from studium.core.app import open_app

    with concept_graph(settings) as graph:
        book = book_by_name(graph, name)
        async with open_app(settings) as app, open_extraction(app, graph) as extraction:
            return book, await extraction.waiting_round(book)


async def answer_review(settings: "Settings", name: str, given: "ReviewAnswer", *, seen: str) -> "ExtractionOutcome":
    """Answer the round with the fingerprint `seen`; an answer to an older round is refused."""

    def to_what_was_seen(waiting: "ReviewRound") -> "ReviewAnswer":
        if waiting.fingerprint != seen:
            raise _outdated_answer(waiting.title)
        return given

    return await review(settings, name, to_what_was_seen, shows=True)


def list_waiting(settings: "Settings") -> "list[Review]":
    """The open reviews of concepts."""
    from studium.concepts.commits import FEATURE
    from studium.core.app import open_database

    with open_database(settings) as database:
        return database.reviews.select("open", feature=FEATURE, limit=1000)


def with_note_options(settings: "Settings", language: str | None, *, cards: bool | None) -> "Settings":
    """The settings with these note options."""
    given = {name: value for name, value in (("language", language), ("cards", cards)) if value is not None}
    concepts = type(settings.concepts).model_validate(settings.concepts.model_dump() | given)
    return settings.model_copy(update={"concepts": concepts})


async def publish_notes(settings: "Settings", folder: Path) -> "PublishResult":
    """Write every concept as a note."""
    from studium.concepts.setup import concept_graph, concept_vault
    from studium.core.app import open_app

    async with open_app(settings) as app:
        with concept_graph(settings) as graph:
            return concept_vault(app, graph, folder).publish()


async def undo(settings: "Settings", run: str) -> "Sequence[Finding]":
    """Undo a run's commit."""
    from studium.concepts.setup import concept_graph, undo_commit
    from studium.core.app import open_app

    async with open_app(settings) as app:
        with concept_graph(settings) as graph:
            return undo_commit(app, graph, run)


def outcome_json(outcome: "ExtractionOutcome") -> dict[str, Any]:
    """The state of an extraction as JSON."""
    return {
        "run": outcome.run,
        "book": outcome.book.model_dump(mode="json"),
        "waiting": outcome.waiting.payload if outcome.waiting else None,
        "decisions": [each.model_dump(mode="json", exclude={"proposal_schema"}) for each in outcome.decisions],
        "findings": _findings(outcome.findings),
    }


def published_json(published: "PublishResult") -> dict[str, Any]:
    """The result of publishing as JSON."""
    return asdict(published) | {"findings": _findings(published.findings)}


def _outdated_answer(title: str) -> Conflict:
    what = f"“{title}” has changed since you saw it, so your answer was not applied."
    return Conflict(what, remedy=f"Look at the current proposal first: studium concepts review {title!r}")


def _findings(findings: "Sequence[Finding]") -> list[dict[str, Any]]:
    return [finding.model_dump(mode="json") for finding in findings]


@dataclass(frozen=True)
class ConceptDetails:
    """A concept with its relations and quotes."""

    concept: "Concept"
    relations: "Sequence[tuple[Relation, str]]"
    supports: "Sequence[tuple[Support, Quote, Content]]"

    def as_json(self) -> dict[str, Any]:
        """The concept, its relations and its quotes as JSON."""
        relations = [relation.model_dump(mode="json") | {"title": title} for relation, title in self.relations]
        supports = [
            support.model_dump(mode="json") | {"text": quote.text, "page": quote.page_reference, "book": book.title}
            for support, quote, book in self.supports
        ]
        return self.concept.model_dump(mode="json") | {"relations": relations, "supports": supports}


@dataclass(frozen=True)
class GraphStats:
    """Counts of the graph, and its books."""

    counts: dict[str, int]
    books: "Sequence[tuple[Content, Person | None, int]]"

    def as_json(self) -> dict[str, Any]:
        """The statistics as JSON."""
        books = [book.model_dump(mode="json") | {"quotes": count} for book, _, count in self.books]
        return {"counts": self.counts, "books": books}


async def search(settings: "Settings", text: str, limit: int, *, quotes: bool) -> list[tuple[str, str, float]]:
    """Search concepts or quotes, as (title, text, similarity)."""
    from studium.concepts.search import search_concepts, search_quotes
    from studium.concepts.setup import concept_embedder, concept_graph
    from studium.core.app import open_app

    async with open_app(settings) as app:
        with concept_graph(settings) as graph:
            found = search_quotes if quotes else search_concepts
            return found(graph, concept_embedder(app), text, limit)


def show(settings: "Settings", name: str) -> ConceptDetails:
    """A concept with its relations and quotes."""
    from studium.concepts.search import concept_by_name
    from studium.concepts.setup import concept_graph

    with concept_graph(settings) as graph:
        concept = concept_by_name(graph, name)
        titles = {each.uuid: each.title for each in graph.concepts()}
        quotes = {quote.uuid: (quote, book) for book in graph.books() for quote in graph.quotes_of(book.uuid)}
        return ConceptDetails(
            concept,
            [(relation, titles[relation.target]) for relation in graph.relations(concept.uuid)],
            [(support, *quotes[support.quote]) for support in graph.supports(concept.uuid) if support.quote in quotes],
        )


def stats(settings: "Settings") -> GraphStats:
    """Counts of the graph, and its books."""
    from studium.concepts.setup import concept_graph

    with concept_graph(settings) as graph:
        books = [(book, graph.author_of(book.uuid), len(graph.quotes_of(book.uuid))) for book in graph.books()]
        return GraphStats(graph.counts(), books)


async def audit(settings: "Settings") -> "Audit":
    """Audit the graph."""
    from studium.concepts.search import audit_concepts
    from studium.concepts.setup import concept_embedder, concept_graph
    from studium.core.app import open_app

    async with open_app(settings) as app:
        with concept_graph(settings) as graph:
            return audit_concepts(graph, concept_embedder(app))


def view_graph(
    settings: "Settings",
    *,
    around: str | None = None,
    depth: int = 1,
    book: str | None = None,
    types: "Sequence[RelationType]" = (),
) -> "GraphView":
    """A map of the graph, of a book, or of the surroundings of a concept."""
    from studium.concepts.graph_view import build_graph_view
    from studium.concepts.search import book_by_name, concept_by_name
    from studium.concepts.setup import concept_graph

    with concept_graph(settings) as graph:
        center = concept_by_name(graph, around).uuid if around else None
        of = book_by_name(graph, book).uuid if book else None
        return build_graph_view(graph, around=center, depth=depth, book=of, types=types)


def export(settings: "Settings", file: Path) -> int:
    """Write the whole graph with its vectors to a file; returns the number of lines."""
    from studium.concepts.graph_store.transfer import export_graph
    from studium.concepts.setup import concept_graph

    with concept_graph(settings) as graph:
        return export_graph(graph, file)


def import_from(settings: "Settings", file: Path) -> dict[str, int]:
    """Add a graph from a file; returns the new counts."""
    from studium.concepts.graph_store.transfer import import_graph
    from studium.concepts.setup import concept_graph

    with concept_graph(settings) as graph:
        import_graph(graph, file)
        return graph.counts()
