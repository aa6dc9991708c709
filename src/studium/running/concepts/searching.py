"""Finding concepts and quotes by what they say, and looking the whole graph over."""

from collections.abc import Sequence

from studium.core.retrieval.index import WordRanking
from studium.domain.concept import Concept, ConceptGraph, Content, Quote
from studium.workflows.concepts.desk import Embed
from studium.workflows.concepts.neighbours import embedded_text, kept_idea
from studium.workflows.concepts.overview.auditing import Audit, audit
from studium.workflows.concepts.sameness.pairs import SameConcept

Found = tuple[str, str, float]
_LEAST = 0.2  # below this two texts have nothing to do with each other, whatever the embedder


def search_concepts(graph: ConceptGraph, embed: Embed, text: str, limit: int) -> list[Found]:
    """The concepts that say this, best first; where there is no embedder, those that share its words."""
    found = find_concepts(graph, embed, text, limit)
    return [(concept.title, concept.concept, score) for concept, score in found]


def find_concepts(graph: ConceptGraph, embed: Embed, text: str, limit: int) -> list[tuple[Concept, float]]:
    """The concepts that say this, whole, with how similar they are."""
    vectors = embed([text])
    if vectors is not None:
        found = graph.search_concepts(vectors[0], limit=limit, threshold=_LEAST)
        return [(concept, round(score, 3)) for concept, score in found]
    concepts = graph.concepts()
    return [(concepts[place], 0.0) for place in _by_words(text, [embedded_text(each) for each in concepts], limit)]


def search_quotes(graph: ConceptGraph, embed: Embed, text: str, limit: int) -> list[Found]:
    """The quotes that say this, best first; where there is no embedder, those that share its words."""
    quotes = {quote.uuid: (quote, book) for book in graph.books() for quote in graph.quotes_of(book.uuid)}
    vectors = embed([text])
    if vectors is not None:
        found = graph.search_quotes(vectors[0], limit=limit, threshold=_LEAST)
        return [(_place(*quotes[quote.uuid]), quote.text, round(score, 3)) for quote, score in found]
    known = list(quotes.values())
    best = [known[place] for place in _by_words(text, [quote.text for quote, _ in known], limit)]
    return [(_place(quote, book), quote.text, 0.0) for quote, book in best]


def looked_over(graph: ConceptGraph, embed: Embed) -> Audit:
    """The graph, looked over."""
    same = SameConcept(embed)

    def one_idea(one: Concept, other: Concept, _similarity: float) -> bool:
        return same(kept_idea(one), kept_idea(other))

    return audit(graph, one_idea)


def _place(quote: Quote, book: Content) -> str:
    return ", ".join(part for part in (book.title, quote.section, quote.page_reference) if part)


def _by_words(text: str, texts: Sequence[str], limit: int) -> list[int]:
    return WordRanking(texts).best(text, limit, None) if texts else []
