"""The HTTP routes of concepts."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response
from pydantic import BaseModel

from studium.concepts import search
from studium.concepts import use_cases as concepts
from studium.concepts.audit import Audit
from studium.concepts.domain import Concept, Content, Relation, RelationType, Support
from studium.concepts.graph_cache import GraphViewFilter, graph_cache
from studium.concepts.graph_view import GraphView
from studium.concepts.setup import concept_embedder
from studium.http.deps import Listing, PageParams, ServiceDep

router = APIRouter(prefix="/concepts", tags=["concepts"])

_MOST = 500
NamePath = Annotated[str, Path(min_length=1, max_length=_MOST, description="An id, a title, or the start of a title.")]
BookQuery = Annotated[str | None, Query(min_length=1, max_length=_MOST, description="Only of this book: id or title.")]
ConceptQuery = Annotated[
    str | None, Query(min_length=1, max_length=_MOST, description="Only concepts around this one.")
]


class RelationDetails(Relation):
    """How a concept relates to another, with the other's title."""

    title: str


class SupportDetails(Support):
    """A supporting quote with its text, page and book title."""

    text: str
    page: str
    book: str


class ConceptResponse(Concept):
    """A concept with its relations and quotes."""

    relations: list[RelationDetails]
    supports: list[SupportDetails]


class BookResponse(BaseModel):
    """A book with its number of quotes and concepts, and whether a proposal is waiting."""

    book: Content
    quotes: int
    concepts: int
    waits: bool


class ConceptHit(BaseModel):
    """A search hit and its similarity (-1 to 1; 0 if words were compared)."""

    concept: Concept
    similarity: float


class QuoteHit(BaseModel):
    """A matching quote with its source and similarity."""

    where: str
    text: str
    similarity: float


class GraphCounts(BaseModel):
    """What the graph holds: nodes by label and links by type."""

    counts: dict[str, int]


class WaitingProposal(BaseModel):
    """A book and its waiting proposal, with the fingerprint that an answer must name."""

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
    text: Annotated[str, Query(min_length=1, max_length=2000, description="What to look for.")],
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
) -> list[ConceptHit]:
    """Search concepts, most similar first."""
    found = graph_cache(service.app).search(concept_embedder(service.app), text, limit)
    return [ConceptHit(concept=concept, similarity=similarity) for concept, similarity in found]


@router.get("/quotes")
def search_quotes(
    service: ServiceDep,
    text: Annotated[str, Query(min_length=1, max_length=2000, description="What to look for.")],
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
) -> list[QuoteHit]:
    """Search quotes, most similar first."""
    found = search.search_quotes(graph_cache(service.app).graph, concept_embedder(service.app), text, limit)
    return [QuoteHit(where=where, text=said, similarity=similarity) for where, said, similarity in found]


@router.get("/books")
def list_books(service: ServiceDep) -> list[BookResponse]:
    """Books by title."""
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
    """A map of the graph: concepts with positions from 0 to 1, and their relations."""
    library = graph_cache(service.app)
    region = GraphViewFilter(
        around=library.concept(around).concept.uuid if around else None,
        depth=depth if around else 1,
        book=library.book(book).uuid if book else None,
        types=tuple(sorted(set(types or ()))),
    )
    return Response(library.graph_view(region), media_type="application/json")


@router.get("/stats")
def count_concepts(service: ServiceDep) -> GraphCounts:
    """Count nodes and relations."""
    return GraphCounts(counts=graph_cache(service.app).counts())


@router.get("/audit")
def audit_graph(service: ServiceDep) -> Audit:
    """Check the graph: concepts with few quotes, isolated groups, contradictions, near-duplicates, unused quotes."""
    return graph_cache(service.app).audit(concept_embedder(service.app))


@router.get("/waiting/{book}")
def show_waiting(service: ServiceDep, book: NamePath) -> WaitingProposal:
    """The waiting proposal of a book, to be answered with `POST /concepts/answer`."""
    found, waiting = asyncio.run(concepts.get_waiting_round(service.settings, book))
    return WaitingProposal(book=found, waiting=waiting.payload if waiting else None)


@router.get("/{concept}")
def show_concept(service: ServiceDep, concept: NamePath) -> ConceptResponse:
    """A concept with its relations and quotes."""
    return ConceptResponse.model_validate(graph_cache(service.app).concept(concept).as_json())
