"""Which concepts lie near a text: among those that are kept, and among those just proposed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from studium.core.retrieval.index import WordRanking
from studium.domain.concept import Concept, ConceptGraph
from studium.workflows.concepts.desk import ConceptPolicy, Embed
from studium.workflows.concepts.proposal import Candidate
from studium.workflows.concepts.skills import Idea
from studium.workflows.concepts.state import Neighbour

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def embedded_text(concept: Concept | Candidate) -> str:
    """The text that a concept is found by."""
    return f"{concept.title}. {concept.concept}"


class Neighbours:
    """Finds concepts by meaning; where there is no embedder, by words. Every call may wait for a disk or a server."""

    def __init__(
        self, graph: ConceptGraph, embed: Embed, candidates: Sequence[Candidate], policy: ConceptPolicy
    ) -> None:
        self._graph, self._embed, self._policy = graph, embed, policy
        self._candidates = candidates
        self._vectors = embed([embedded_text(each) for each in candidates]) if candidates else None
        self._known: dict[str, Idea] = {each.key: as_idea(each) for each in candidates}
        self._proposed_keys = frozenset(self._known)
        self._words = None if self._vectors is not None else _Words(graph, candidates)

    def idea(self, key: str) -> Idea | None:
        """The concept that was found under this key or id."""
        return self._known.get(key)

    def is_kept(self, key: str) -> bool:
        """Whether this is a concept of the graph, not a candidate."""
        return key in self._known and key not in self._proposed_keys

    def of_candidates(self) -> list[list[Neighbour]]:
        """For each candidate, what lies near it, the nearest first."""
        if self._vectors is None:
            return [self._by_words(embedded_text(each), each.key) for each in self._candidates]
        return [self._near(vector, each.key) for each, vector in zip(self._candidates, self._vectors, strict=True)]

    def of_texts(self, texts: Sequence[str], asking: Sequence[str]) -> list[list[Neighbour]]:
        """For each text, what lies near it, but for the candidate that asks."""
        vectors = self._embed(texts) if texts else None
        if vectors is None:
            return [self._by_words(text, key) for text, key in zip(texts, asking, strict=True)]
        return [self._near(vector, key) for vector, key in zip(vectors, asking, strict=True)]

    def _near(self, vector: "NDArray[np.float32]", asking: str) -> list[Neighbour]:
        limit, threshold = self._policy.most_similar, self._policy.threshold
        kept = self._graph.search_concepts(vector, limit=limit, threshold=threshold)
        self._known |= {concept.uuid: kept_idea(concept) for concept, _ in kept}
        found = [Neighbour(key=concept.uuid, similarity=score) for concept, score in kept]
        found += [each for each in self._proposed(vector) if each.key != asking]
        return sorted(found, key=lambda each: (-each.similarity, each.key))[:limit]

    def _proposed(self, vector: "NDArray[np.float32]") -> list[Neighbour]:
        """The candidates that lie near."""
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

    def __init__(self, graph: ConceptGraph, candidates: Sequence[Candidate]) -> None:
        self._ideas = [*map(as_idea, candidates), *map(kept_idea, graph.concepts())]
        texts = [f"{idea.title}. {idea.concept}" for idea in self._ideas]
        self._ranking = WordRanking(texts) if texts else None

    def best(self, text: str, depth: int) -> list[Idea]:
        return [self._ideas[index] for index in self._ranking.best(text, depth, None)] if self._ranking else []


def as_idea(candidate: Candidate) -> Idea:
    """A candidate as it is shown to whoever judges."""
    return Idea(
        key=candidate.key,
        title=candidate.title,
        concept=candidate.concept,
        analysis=candidate.analysis,
        quotes=tuple(backing.quote for backing in candidate.quotes),
    )


def kept_idea(concept: Concept) -> Idea:
    """A kept concept as it is shown to whoever judges."""
    return Idea(key=concept.uuid, title=concept.title, concept=concept.concept, analysis=concept.analysis)
