"""Distinctness: no two concepts are the same idea."""

from collections.abc import Callable, Iterator

from studium.workflows.concepts.judging.words import folded, in_words
from studium.workflows.concepts.skills import CritiqueGiven, Idea, Remark

Same = Callable[[Idea, Idea], bool]


def distinctness(given: CritiqueGiven, same: Same) -> Iterator[Remark]:
    """The concepts that are one; each with the first that it equals, so that no chain joins what is not the same."""
    groups: list[list[Idea]] = []
    for idea in given.concepts:
        known = next((group for group in groups if _one(group[0], idea, same)), None)
        if known is None:
            groups.append([idea])
        else:
            known.append(idea)
    for group in groups:
        if len(group) > 1:
            keys = tuple(idea.key for idea in group)
            named = in_words(keys)
            yield Remark(message=f"{named} hold one idea. Merge {named}.", concepts=keys)


def _one(one: Idea, other: Idea, same: Same) -> bool:
    title = folded(one.title)
    return (bool(title) and title == folded(other.title)) or same(one, other)
