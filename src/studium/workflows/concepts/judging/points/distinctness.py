"""Distinctness: no two concepts are the same idea."""

from collections.abc import Callable, Iterator

from studium.workflows.concepts.judging.words import folded, in_words
from studium.workflows.concepts.skills import CritiqueGiven, Idea, Remark

Same = Callable[[Idea, Idea], bool]


def distinctness(given: CritiqueGiven, same: Same) -> Iterator[Remark]:
    """The concepts that are one; each with the first that it equals, so that no chain joins what is not the same."""
    groups: list[tuple[str, list[Idea]]] = []
    for idea in given.concepts:
        title = folded(idea.title)
        known = next((group for name, group in groups if (title and name == title) or same(group[0], idea)), None)
        if known is None:
            groups.append((title, [idea]))
        else:
            known.append(idea)
    for _, group in groups:
        if len(group) > 1:
            keys = tuple(idea.key for idea in group)
            named = in_words(keys)
            yield Remark(message=f"{named} hold one idea. Merge {named}.", concepts=keys)
