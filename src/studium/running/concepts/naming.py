"""Books and concepts as a person names them: by title, by the beginning of a title, or by id."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import TypeVar

from studium.core.domain.errors import NotFound
from studium.domain.concept import Concept, ConceptGraph, Content

Titled = TypeVar("Titled", Content, Concept)
_SHOWN = 5


def book_named(graph: ConceptGraph, name: str) -> Content:
    """The book that is meant."""
    return book_among(graph.books(), name)


def concept_named(graph: ConceptGraph, name: str) -> Concept:
    """The concept that is meant."""
    return concept_among(graph.concepts(), name)


def book_among(known: Sequence[Content], name: str) -> Content:
    """Of these books, the one that is meant."""
    return _named(known, name, "book", "Parse its quotes first: studium concepts parse FILE")


def concept_among(known: Sequence[Concept], name: str) -> Concept:
    """Of these concepts, the one that is meant."""
    return _named(known, name, "concept", "studium concepts search TEXT finds it by what it says.")


def _named(known: Sequence[Titled], name: str, kind: str, remedy: str) -> Titled:
    wanted = name.casefold().strip()
    exact = [each for each in known if wanted in (each.title.casefold(), each.uuid)]
    begun = exact or [
        each for each in known if each.title.casefold().startswith(wanted) or each.uuid.startswith(wanted)
    ]
    if len(begun) == 1:
        return begun[0]
    if begun:
        listed = "\n".join(f"- {each.title} ({each.uuid})" for each in begun[:_SHOWN])
        raise NotFound(f"“{name}” could be {len(begun)} of the {kind}s:\n{listed}", remedy="Name it by its id.")
    titles = {each.title.casefold(): each.title for each in known}
    near = [titles[title] for title in get_close_matches(wanted, titles, _SHOWN, cutoff=0.4)]
    hint = f" There is {', '.join(f'“{title}”' for title in near)}." if near else ""
    raise NotFound(f"There is no {kind} “{name}”.{hint}", remedy=remedy)
