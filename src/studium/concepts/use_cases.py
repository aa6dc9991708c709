"""What can be asked of concepts: quotes kept, concepts drawn from them, answered by a person, written as notes."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from studium.core.domain.errors import BadInput, Conflict

if TYPE_CHECKING:
    from studium.concepts.domain import Concept, Content, Person, Quote, Relation, RelationType, Support
    from studium.concepts.graph_analysis.audit import Audit
    from studium.concepts.graph_analysis.graph_view import GraphView
    from studium.concepts.notes.vault import PublishResult
    from studium.concepts.proposal import ReviewAnswer
    from studium.concepts.quotes.reader import QuoteFile
    from studium.concepts.review_round import ReviewRound
    from studium.concepts.runs import ExtractionOutcome, ParsedBook
    from studium.core.config import Settings
    from studium.core.domain.decision import Review
    from studium.core.domain.finding import Finding


Reviewer: TypeAlias = "Callable[[ReviewRound], ReviewAnswer | None]"


@dataclass(frozen=True)
class ParsedFile:
    """What came of a file of quotes."""

    run: str
    books: "list[ParsedBook]"
    findings: "list[Finding]"

    def as_json(self) -> dict[str, Any]:
        """What came of it, for a program."""
        books = [book.model_dump(mode="json") for book in self.books]
        return {"run": self.run, "books": books, "findings": _findings(self.findings)}


def preview_quotes(file: Path) -> "QuoteFile":
    """What a file holds, without keeping any of it."""
    from studium.concepts.quotes.reader import read_quotes

    reading = read_quotes(file)
    if not reading.books:
        raise BadInput("; ".join(map(str, reading.findings)))
    return reading


def quotes_json(reading: "QuoteFile") -> list[dict[str, Any]]:
    """What a file holds, for a program."""
    return [{**asdict(book), "quotes": [dict(quote) for quote in book.quotes]} for book in reading.books]


async def parse(settings: "Settings", file: Path, *, title: str, author: str) -> ParsedFile:
    """Keep the quotes of a file."""
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
    """Work on a book until it waits for a person, or is done."""
    from studium.concepts.search import book_by_name
    from studium.concepts.setup import concept_graph, open_extraction
    from studium.core.app import open_app

    with concept_graph(settings) as graph:
        book = book_by_name(graph, name)
        async with open_app(settings) as app, open_extraction(app, graph) as extraction:
            return await extraction.go_on(book, again=again)


async def review(settings: "Settings", name: str, answering: Reviewer, *, shows: bool = False) -> "ExtractionOutcome":
    """Answer what waits of a book; without an answer, it waits on.

    `shows` means that whoever answers is shown what waits; else an answer to what nobody has seen is refused.
    """
    from studium.concepts.search import book_by_name
    from studium.concepts.setup import concept_graph, open_extraction
    from studium.core.app import open_app

    with concept_graph(settings) as graph:
        book = book_by_name(graph, name)
        async with open_app(settings) as app, open_extraction(app, graph) as extraction:
            outcome, was_seen = await extraction.take_up(book)
            given = answering(outcome.waiting) if outcome.waiting else None
            if given is None:
                return outcome
            if not (was_seen or shows):
                raise _outdated_answer(book.title)
            return await extraction.answer(book, given)


async def resume_review(settings: "Settings", name: str) -> "ExtractionOutcome":
    """What waits of a book, in `waiting`; an answer that the inbox took is carried out first."""
    return await review(settings, name, lambda _: None)


async def get_waiting_round(settings: "Settings", name: str) -> "tuple[Content, ReviewRound | None]":
    """The book that is meant, and what waits of it as it stands; nothing is gone on with."""
    from studium.concepts.search import book_by_name
    from studium.concepts.setup import concept_graph, open_extraction
    from studium.core.app import open_app

    with concept_graph(settings) as graph:
        book = book_by_name(graph, name)
        async with open_app(settings) as app, open_extraction(app, graph) as extraction:
            return book, await extraction.waiting(book)


async def answer_review(settings: "Settings", name: str, given: "ReviewAnswer", *, seen: str) -> "ExtractionOutcome":
    """Answer the round with the fingerprint `seen`; if another one waits by now, the answer is refused."""

    def to_what_was_seen(waiting: "ReviewRound") -> "ReviewAnswer":
        if waiting.fingerprint != seen:
            raise _outdated_answer(waiting.title)
        return given

    return await review(settings, name, to_what_was_seen, shows=True)


def list_waiting(settings: "Settings") -> "list[Review]":
    """The books that wait for a person."""
    from studium.concepts.commits import FEATURE
    from studium.core.app import open_database

    with open_database(settings) as database:
        return database.reviews.select("open", feature=FEATURE, limit=1000)


def with_note_options(settings: "Settings", language: str | None, *, cards: bool | None) -> "Settings":
    """The settings, with what is wanted of notes."""
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
    """Take a run's commit back."""
    from studium.concepts.setup import concept_graph, undo_commit
    from studium.core.app import open_app

    async with open_app(settings) as app:
        with concept_graph(settings) as graph:
            return undo_commit(app, graph, run)


def outcome_json(outcome: "ExtractionOutcome") -> dict[str, Any]:
    """Where the work on a book stands, for a program."""
    return {
        "run": outcome.run,
        "book": outcome.book.model_dump(mode="json"),
        "waiting": outcome.waiting.payload if outcome.waiting else None,
        "decisions": [each.model_dump(mode="json", exclude={"proposal_schema"}) for each in outcome.decisions],
        "findings": _findings(outcome.findings),
    }


def published_json(published: "PublishResult") -> dict[str, Any]:
    """Which notes were written, for a program."""
    return asdict(published) | {"findings": _findings(published.findings)}


def _outdated_answer(title: str) -> Conflict:
    what = f"“{title}” went on before your answer came, so it was not given to what waits now."
    return Conflict(what, remedy=f"Look at it first: studium concepts review {title!r}")


def _findings(findings: "Sequence[Finding]") -> list[dict[str, Any]]:
    return [finding.model_dump(mode="json") for finding in findings]


@dataclass(frozen=True)
class ConceptDetails:
    """A concept with all that belongs to it."""

    concept: "Concept"
    relations: "Sequence[tuple[Relation, str]]"
    supports: "Sequence[tuple[Support, Quote, Content]]"

    def as_json(self) -> dict[str, Any]:
        """The concept for a program: how it relates to others, and the quotes that carry it."""
        relations = [relation.model_dump(mode="json") | {"title": title} for relation, title in self.relations]
        supports = [
            support.model_dump(mode="json") | {"text": quote.text, "page": quote.page_reference, "book": book.title}
            for support, quote, book in self.supports
        ]
        return self.concept.model_dump(mode="json") | {"relations": relations, "supports": supports}


@dataclass(frozen=True)
class GraphStats:
    """What the graph holds."""

    counts: dict[str, int]
    books: "Sequence[tuple[Content, Person | None, int]]"

    def as_json(self) -> dict[str, Any]:
        """What the graph holds, for a program."""
        books = [book.model_dump(mode="json") | {"quotes": count} for book, _, count in self.books]
        return {"counts": self.counts, "books": books}


async def search(settings: "Settings", text: str, limit: int, *, quotes: bool) -> list[tuple[str, str, float]]:
    """Concepts or quotes by what they say, as (title, text, similarity)."""
    from studium.concepts.search import search_concepts, search_quotes
    from studium.concepts.setup import concept_embedder, concept_graph
    from studium.core.app import open_app

    async with open_app(settings) as app:
        with concept_graph(settings) as graph:
            found = search_quotes if quotes else search_concepts
            return found(graph, concept_embedder(app), text, limit)


def show(settings: "Settings", name: str) -> ConceptDetails:
    """A concept with all that belongs to it."""
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
    """What the graph holds."""
    from studium.concepts.setup import concept_graph

    with concept_graph(settings) as graph:
        books = [(book, graph.author_of(book.uuid), len(graph.quotes_of(book.uuid))) for book in graph.books()]
        return GraphStats(graph.counts(), books)


async def audit(settings: "Settings") -> "Audit":
    """The graph, looked over."""
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
    """A map of the graph, or of the neighbourhood of a concept, or of a book: concepts with places, and relations."""
    from studium.concepts.graph_analysis.graph_view import build_graph_view
    from studium.concepts.search import book_by_name, concept_by_name
    from studium.concepts.setup import concept_graph

    with concept_graph(settings) as graph:
        center = concept_by_name(graph, around).uuid if around else None
        of = book_by_name(graph, book).uuid if book else None
        return build_graph_view(graph, around=center, depth=depth, book=of, types=types)


def export(settings: "Settings", file: Path) -> int:
    """Write the whole graph to a file, with its vectors; says how many lines that are."""
    from studium.concepts.graph_store.transfer import export_graph
    from studium.concepts.setup import concept_graph

    with concept_graph(settings) as graph:
        return export_graph(graph, file)


def import_from(settings: "Settings", file: Path) -> dict[str, int]:
    """Add a graph from a file to the one that is kept; says how much there is now."""
    from studium.concepts.graph_store.transfer import import_graph
    from studium.concepts.setup import concept_graph

    with concept_graph(settings) as graph:
        import_graph(graph, file)
        return graph.counts()
