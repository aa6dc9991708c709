"""How near two quotes are: by their vectors where there is an embedder, by the words they share where there is none."""

from collections import defaultdict
from collections.abc import Sequence

from studium.workflows.concepts.desk import Embed
from studium.workflows.concepts.drafting.reading import Reading

# A small embedder finds all quotes of a language that it hardly knows alike, so a shared word is asked for as well.
SURELY = 0.85
SAME_IDEA = 0.7
SAME_TOPIC = 0.5
NOT_FOREIGN = 0.25
SHARED_WORDS = 0.4
COMMON = 20
_BLOCK = 512


class Nearness:
    """The nearness of the quotes of a book to each other."""

    def __init__(self, readings: Sequence[Reading], embed: Embed) -> None:
        self._stems = [reading.stems for reading in readings]
        self._vectors = embed([reading.text for reading in readings]) if readings else None

    def agree(self, one: int, other: int, *, apart: str, topic: bool) -> bool:
        """Whether two quotes that share the word `apart` speak of it alike; of a common `topic` less is asked."""
        shared = (self._stems[one] & self._stems[other]) - {apart}
        if self._vectors is None:
            return topic or bool(shared)
        cosine = float(self._vectors[one] @ self._vectors[other])
        return cosine >= (NOT_FOREIGN if topic else SAME_TOPIC if shared else SAME_IDEA)

    def pairs(self, among: Sequence[int]) -> list[tuple[float, int, int]]:
        """The pairs among these quotes that say nearly the same, the nearest first."""
        found = self._by_words(among) if self._vectors is None else self._by_vectors(among)
        return sorted(found, key=lambda each: (-each[0], each[1], each[2]))

    def _by_words(self, among: Sequence[int]) -> list[tuple[float, int, int]]:
        holders: dict[str, list[int]] = defaultdict(list)
        for at in among:
            for word in self._stems[at]:
                holders[word].append(at)
        near = {(a, b) for those in holders.values() if len(those) <= COMMON for a in those for b in those if a < b}
        return [(score, a, b) for a, b in near if (score := self._shared(a, b)) >= SHARED_WORDS]

    def _shared(self, one: int, other: int) -> float:
        both, either = self._stems[one] & self._stems[other], self._stems[one] | self._stems[other]
        return len(both) / len(either) if len(both) > 1 else 0.0

    def _by_vectors(self, among: Sequence[int]) -> list[tuple[float, int, int]]:
        import numpy as np

        if self._vectors is None or not among:
            return []
        rows = self._vectors[np.asarray(among)]
        found: list[tuple[float, int, int]] = []
        for start in range(0, len(among), _BLOCK):
            cosines = rows[start : start + _BLOCK] @ rows.T
            for row, column in np.argwhere(cosines >= SAME_IDEA).tolist():
                one, other = among[start + row], among[column]
                if one < other and (cosines[row, column] >= SURELY or self._stems[one] & self._stems[other]):
                    found.append((float(cosines[row, column]), one, other))
        return found
