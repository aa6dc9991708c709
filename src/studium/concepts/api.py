"""What can be asked about concepts over HTTP."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response
from pydantic import BaseModel

from studium.concepts import search
from studium.concepts import use_cases as concepts
from studium.concepts.domain import Concept, Content, Relation, RelationType, Support
from studium.concepts.graph_analysis.audit import Audit
from studium.concepts.graph_analysis.graph_view import GraphView
from studium.concepts.graph_cache import GraphViewFilter, graph_cache
from studium.concepts.setup import concept_embedder
from studium.http.deps import Listing, PageParams, ServiceDep

router = APIRouter(prefix="/concepts", tags=["concepts"])

_MOST = 500
NamePath = Annotated[str, Path(min_length=1, max_length=_MOST, description="An id, a title, or the beginning of one.")]
BookQuery = Annotated[str | None, Query(min_length=1, max_length=_MOST, description="Only of this book: id or title.")]
ConceptQuery = Annotated[
    str | None, Query(min_length=1, max_length=_MOST, description="Only what is near this concept.")
]


class RelationDetails(Relation):
    """How a concept relates to another, with the other's title."""

    title: str


class SupportDetails(Support):
    """A quote that carries a concept: its words, its page, and the title of its book."""

    text: str
    page: str
    book: str


class ConceptResponse(Concept):
    """A concept with all that belongs to it."""

    relations: list[RelationDetails]
    supports: list[SupportDetails]


class BookResponse(BaseModel):
    """A book, with how many quotes it has, how many concepts they carry, and whether a proposal for it waits."""

    book: Content
    quotes: int
    concepts: int
    waits: bool


class ConceptHit(BaseModel):
    """A concept that says what was looked for, and how similar it is (from -1 to 1; 0 where words were compared)."""

    concept: Concept
    similarity: float


class QuoteHit(BaseModel):
    """A quote that says what was looked for, where it stands, and how similar it is."""

    where: str
    text: str
    similarity: float


class GraphCounts(BaseModel):
    """What the graph holds: nodes by label and links by type."""

    counts: dict[str, int]


class WaitingProposal(BaseModel):
    """What waits of a book: `waiting` holds the proposal, its quotes, and the fingerprint that an answer must name."""

    book: Content
    waiting: dict[str, Any] | None


@router.get("")
def list_concepts(service: ServiceDep, page: PageParams, book: BookQuery = None) -> Listing[Concept]:
    """Concepts by title."""
    found = graph_cache(service.app).concepts(graph_cache(service.app).book(book).uuid if book else None)
    return page.of(found[page.offset : page.offset + page.limit], len(found))


@router.get("/search")
def search_concepts(
    service: ServiceDep,
    text: Annotated[str, Query(min_length=1, max_length=2000, description="What the concept says, in any words.")],
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
) -> list[ConceptHit]:
    """Concepts by what they say, the most similar first."""
    found = graph_cache(service.app).search(concept_embedder(service.app), text, limit)
    return [ConceptHit(concept=concept, similarity=similarity) for concept, similarity in found]


@router.get("/quotes")
def search_quotes(
    service: ServiceDep,
    text: Annotated[str, Query(min_length=1, max_length=2000, description="What the quote says, in any words.")],
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
) -> list[QuoteHit]:
    """Quotes by what they say, the most similar first."""
    found = search.search_quotes(graph_cache(service.app).graph, concept_embedder(service.app), text, limit)
    return [QuoteHit(where=where, text=said, similarity=similarity) for where, said, similarity in found]


@router.get("/books")
def list_books(service: ServiceDep) -> list[BookResponse]:
    """The books that quotes were kept of, by title."""
    waiting = {each.decision.item for each in service.database.reviews.select("open", "concepts", limit=1000)}
    return [
        BookResponse(book=each.book, quotes=each.quotes, concepts=each.concepts, waits=each.book.title in waiting)
        for each in graph_cache(service.app).books()
    ]


@router.get("/map", response_model=GraphView)
def get_map(
    service: ServiceDep,
    around: ConceptQuery = None,
    depth: Annotated[int, Query(ge=1, le=3, description="How many links away `around` reaches.")] = 1,
    book: BookQuery = None,
    types: Annotated[list[RelationType] | None, Query(description="Only relations of these types.")] = None,
) -> Response:
    """A map to draw: concepts with places from 0 to 1, and how they relate."""
    library = graph_cache(service.app)
    region = GraphViewFilter(
        around=library.concept(around).concept.uuid if around else None,
        depth=depth if around else 1,
        book=library.book(book).uuid if book else None,
        types=tuple(sorted(set(types or ()))),
    )
    return Response(library.map(region), media_type="application/json")


@router.get("/stats")
def count_concepts(service: ServiceDep) -> GraphCounts:
    """How much the graph holds."""
    return GraphCounts(counts=graph_cache(service.app).counts())


@router.get("/audit")
def audit_graph(service: ServiceDep) -> Audit:
    """What there is to see to: thin concepts, islands, contradictions, near-duplicates, quotes that carry nothing."""
    return graph_cache(service.app).audit(concept_embedder(service.app))


@router.get("/waiting/{book}")
def show_waiting(service: ServiceDep, book: NamePath) -> WaitingProposal:
    """The proposal for a book that waits for a person, to be answered with `POST /concepts/answer`."""
    found, waiting = asyncio.run(concepts.get_waiting_round(service.settings, book))
    return WaitingProposal(book=found, waiting=waiting.payload if waiting else None)


@router.get("/{concept}")
def show_concept(service: ServiceDep, concept: NamePath) -> ConceptResponse:
    """A concept: what it says, how it relates to others, and the quotes that carry it."""
    return ConceptResponse.model_validate(graph_cache(service.app).concept(concept).as_json())
