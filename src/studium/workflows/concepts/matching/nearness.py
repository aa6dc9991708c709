"""Which of many quotes are worth comparing: those that have something rare in common."""

from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from studium.workflows.concepts.matching.wording import Place, Wording

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_COMMON = 24  # what more quotes than these have in common says nothing about any two of them
_SHORT = 12
_LOCATIONS_TOGETHER = 16
_WIDEST = 4


def near_pairs(wordings: Sequence[Wording]) -> list[tuple[int, int]]:
    """The pairs (first < second) of quotes that share three words in a row, nearly all words, or a place."""
    import numpy as np

    anchors, owners = array("q"), array("q")
    for number, wording in enumerate(wordings):
        before = len(anchors)
        anchors.extend(set(_anchors(wording)))
        owners.extend([number] * (len(anchors) - before))
    if not anchors:
        return []
    found = np.frombuffer(anchors, dtype=np.int64)
    order = np.argsort(found, kind="stable")
    pairs = _pairs(found[order], np.frombuffer(owners, dtype=np.int64)[order], len(wordings))
    return [divmod(pair, len(wordings)) for pair in pairs.tolist()]


def _pairs(anchors: "NDArray[np.int64]", owners: "NDArray[np.int64]", count: int) -> "NDArray[np.int64]":
    """Owners of one anchor stand beside each other: each is paired with the next, the one after that, and so on."""
    import numpy as np

    starts = np.flatnonzero(np.r_[True, anchors[1:] != anchors[:-1]])
    sizes = np.diff(np.r_[starts, len(anchors)])
    telling = np.repeat((sizes > 1) & (sizes <= _COMMON), sizes)
    anchors, owners = anchors[telling], owners[telling]
    found = [np.empty(0, dtype=np.int64)]
    for step in range(1, _COMMON):
        if step >= len(anchors):
            break
        together = anchors[step:] == anchors[:-step]
        found.append(owners[:-step][together] * count + owners[step:][together])
    return np.unique(np.concatenate(found))


def _anchors(wording: Wording) -> Iterator[int]:
    words = wording.words
    for three in zip(words, words[1:], words[2:], strict=False):
        yield hash(three)
    if len(words) <= _SHORT:
        yield hash(("all", *words))
        # Two short quotes that differ by one word are equal without it.
        for left_out in range(len(words) if len(words) > 1 else 0):
            yield hash(("all", *words[:left_out], *words[left_out + 1 :]))
    if wording.place:
        yield from _at(wording.place)


def _at(place: Place) -> Iterator[int]:
    if not (place.first.isdigit() and place.last.isdigit()):
        yield hash((place.unit, place.first))
        return
    together = _LOCATIONS_TOGETHER if place.unit == "loc" else 1
    first, last = int(place.first) // together, int(place.last) // together
    for number in range(first, min(last, first + _WIDEST) + 1):
        yield hash((place.unit, number))
