"""Finds concepts and quotes by meaning or by name, and audits the graph."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, TypeVar

from studium.concepts.audit import Audit, audit_graph
from studium.concepts.dependencies import ConceptPolicy, Embed
from studium.concepts.domain import Concept, ConceptGraph, Content, Quote
from studium.concepts.proposal import CandidateConcept
from studium.concepts.rules.duplicate_detection import SameConcept
from studium.concepts.skills import ConceptView
from studium.concepts.state import Neighbour
from studium.core.domain.errors import NotFound
from studium.core.retrieval import WordRanking

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def embedding_text(concept: Concept | CandidateConcept) -> str:
    """The text that is embedded for a concept."""
    return f"{concept.title}. {concept.concept}"


class NeighbourSearch:
    """Finds concepts by meaning; where there is no embedder, by words. Every call may wait for a disk or a server."""

    def __init__(
        self, graph: ConceptGraph, embed: Embed, candidates: Sequence[CandidateConcept], policy: ConceptPolicy
    ) -> None:
        self._graph, self._embed, self._policy = graph, embed, policy
        self._candidates = candidates
        self._vectors = embed([embedding_text(each) for each in candidates]) if candidates else None
        self._known: dict[str, ConceptView] = {each.key: candidate_view(each) for each in candidates}
        self._proposed_keys = frozenset(self._known)
        self._words = None if self._vectors is not None else _Words(graph, candidates)

    def idea(self, key: str) -> ConceptView | None:
        """The concept with this key or id, if it was found."""
        return self._known.get(key)

    def is_kept(self, key: str) -> bool:
        """Whether this is a stored concept, not a candidate."""
        return key in self._known and key not in self._proposed_keys

    def of_candidates(self) -> list[list[Neighbour]]:
        """The neighbours of each candidate, nearest first."""
        if self._vectors is None:
            return [self._by_words(embedding_text(each), each.key) for each in self._candidates]
        return [self._near(vector, each.key) for each, vector in zip(self._candidates, self._vectors, strict=True)]

    def of_texts(self, texts: Sequence[str], asking: Sequence[str]) -> list[list[Neighbour]]:
        """The neighbours of each text, without the candidate that asks."""
        vectors = self._embed(texts) if texts else None
        if vectors is None:
            return [self._by_words(text, key) for text, key in zip(texts, asking, strict=True)]
        return [self._near(vector, key) for vector, key in zip(vectors, asking, strict=True)]

    def _near(self, vector: "NDArray[np.float32]", asking: str) -> list[Neighbour]:
        limit, threshold = self._policy.most_similar, self._policy.threshold
        kept = self._graph.search_concepts(vector, limit=limit, threshold=threshold)
        self._known |= {concept.uuid: stored_view(concept) for concept, _ in kept}
        found = [Neighbour(key=concept.uuid, similarity=score) for concept, score in kept]
        found += [each for each in self._proposed(vector) if each.key != asking]
        return sorted(found, key=lambda each: (-each.similarity, each.key))[:limit]

    def _proposed(self, vector: "NDArray[np.float32]") -> list[Neighbour]:
        """The candidates near a vector."""
        if self._vectors is None:
            return []
        scores = self._vectors @ vector
        near = (scores >= self._policy.threshold).nonzero()[0]
        nearest = near[(-scores[near]).argsort(kind="stable")][: self._policy.most_similar + 1]
        return [Neighbour(key=self._candidates[at].key, similarity=float(scores[at])) for at in nearest.tolist()]

    def _by_words(self, text: str, asking: str) -> list[Neighbour]:
        if self._words is None:
            return []
        found = [idea for idea in self._words.best(text, self._policy.compared + 1) if idea.key != asking]
        self._known |= {idea.key: idea for idea in found}
        return [Neighbour(key=idea.key, similarity=0.0) for idea in found]


class _Words:
    """All concepts, ranked by the words they share with a text."""

    def __init__(self, graph: ConceptGraph, candidates: Sequence[CandidateConcept]) -> None:
        self._ideas = [*map(candidate_view, candidates), *map(stored_view, graph.concepts())]
        texts = [f"{idea.title}. {idea.concept}" for idea in self._ideas]
        self._ranking = WordRanking(texts) if texts else None

    def best(self, text: str, depth: int) -> list[ConceptView]:
        return [self._ideas[index] for index in self._ranking.best(text, depth, None)] if self._ranking else []


def candidate_view(candidate: CandidateConcept) -> ConceptView:
    """A candidate as shown to a model."""
    return ConceptView(
        key=candidate.key,
        title=candidate.title,
        concept=candidate.concept,
        analysis=candidate.analysis,
        quotes=tuple(backing.quote for backing in candidate.quotes),
    )


def stored_view(concept: Concept) -> ConceptView:
    """A stored concept as shown to a model."""
    return ConceptView(key=concept.uuid, title=concept.title, concept=concept.concept, analysis=concept.analysis)


SearchHit = tuple[str, str, float]
_MIN_SIMILARITY = 0.2  # below this two texts have nothing to do with each other, whatever the embedder


def search_concepts(graph: ConceptGraph, embed: Embed, text: str, limit: int) -> list[SearchHit]:
    """Concepts that match a text, best first; without an embedder, by shared words."""
    found = find_concepts(graph, embed, text, limit)
    return [(concept.title, concept.concept, score) for concept, score in found]


def find_concepts(graph: ConceptGraph, embed: Embed, text: str, limit: int) -> list[tuple[Concept, float]]:
    """Concepts that match a text, with their similarity."""
    vectors = embed([text])
    if vectors is not None:
        found = graph.search_concepts(vectors[0], limit=limit, threshold=_MIN_SIMILARITY)
        return [(concept, round(score, 3)) for concept, score in found]
    concepts = graph.concepts()
    return [(concepts[place], 0.0) for place in _by_words(text, [embedding_text(each) for each in concepts], limit)]


def search_quotes(graph: ConceptGraph, embed: Embed, text: str, limit: int) -> list[SearchHit]:
    """Quotes that match a text, best first; without an embedder, by shared words."""
    quotes = {quote.uuid: (quote, book) for book in graph.books() for quote in graph.quotes_of(book.uuid)}
    vectors = embed([text])
    if vectors is not None:
        found = graph.search_quotes(vectors[0], limit=limit, threshold=_MIN_SIMILARITY)
        return [(_place(*quotes[quote.uuid]), quote.text, round(score, 3)) for quote, score in found]
    known = list(quotes.values())
    best = [known[place] for place in _by_words(text, [quote.text for quote, _ in known], limit)]
    return [(_place(quote, book), quote.text, 0.0) for quote, book in best]


def audit_concepts(graph: ConceptGraph, embed: Embed) -> Audit:
    """Audit the graph."""
    same = SameConcept(embed)

    def one_idea(one: Concept, other: Concept, _similarity: float) -> bool:
        return same(stored_view(one), stored_view(other))

    return audit_graph(graph, one_idea)


def _place(quote: Quote, book: Content) -> str:
    return ", ".join(part for part in (book.title, quote.section, quote.page_reference) if part)


def _by_words(text: str, texts: Sequence[str], limit: int) -> list[int]:
    return WordRanking(texts).best(text, limit, None) if texts else []


Titled = TypeVar("Titled", Content, Concept)
_SHOWN = 5


def book_by_name(graph: ConceptGraph, name: str) -> Content:
    """Find a book by id, title, or start of its title."""
    return pick_book(graph.books(), name)


def concept_by_name(graph: ConceptGraph, name: str) -> Concept:
    """Find a concept by id, title, or start of its title."""
    return pick_concept(graph.concepts(), name)


def pick_book(known: Sequence[Content], name: str) -> Content:
    """Pick one of these books by name."""
    return _named(known, name, "book", "Parse its quotes first: studium concepts parse FILE")


def pick_concept(known: Sequence[Concept], name: str) -> Concept:
    """Pick one of these concepts by name."""
    return _named(known, name, "concept", "Search for it: studium concepts search TEXT")


def _named(known: Sequence[Titled], name: str, kind: str, remedy: str) -> Titled:
    wanted = name.casefold().strip()
    exact = [each for each in known if wanted in (each.title.casefold(), each.uuid)]
    matches = exact or [
        each for each in known if each.title.casefold().startswith(wanted) or each.uuid.startswith(wanted)
    ]
    if len(matches) == 1:
        return matches[0]
    if matches:
        listed = "\n".join(f"- {each.title} ({each.uuid})" for each in matches[:_SHOWN])
        raise NotFound(f"“{name}” matches {len(matches)} {kind}s:\n{listed}", remedy="Use the id.")
    titles = {each.title.casefold(): each.title for each in known}
    near = [titles[title] for title in get_close_matches(wanted, titles, _SHOWN, cutoff=0.4)]
    hint = f" There is {', '.join(f'“{title}”' for title in near)}." if near else ""
    raise NotFound(f"There is no {kind} “{name}”.{hint}", remedy=remedy)
