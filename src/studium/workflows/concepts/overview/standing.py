"""Where each concept stands on the map: with what it is linked to, and with its book."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from studium.workflows.concepts.overview.groups import Pair, communities
from studium.workflows.concepts.overview.layout import Tie, placed

# A book holds its concepts together, but a link between two books holds its two concepts more.
_LINK, _BOOK = 1.0, 0.6


class Standing(NamedTuple):
    """The crowd that a concept is part of, and its place from 0 to 1."""

    community: int
    x: float
    y: float


def standings(
    books: Mapping[str, Sequence[str]], links: Sequence[Pair], last: Mapping[str, Standing]
) -> dict[str, Standing]:
    """How each concept stands, given its books; what stood somewhere `last` time stays about there."""
    crowds = communities(
        list(books),
        [*links, *_mates(books, links)],
        {uuid: standing.community for uuid, standing in last.items()},
    )
    # A book is a node of its own that nobody sees, behind the concepts.
    number = {uuid: place for place, uuid in enumerate(books)}
    first = {book: uuid for uuid, some in reversed([*books.items()]) for book in some}
    middle = {book: len(books) + place for place, book in enumerate(sorted(first))}
    ties: list[Tie] = [(number[one], number[other], _LINK) for one, other in links]
    ties += [(number[uuid], middle[book], _BOOK) for uuid, some in books.items() for book in some]
    places = placed(
        [*(crowds[uuid] for uuid in books), *(crowds[first[book]] for book in middle)],
        ties,
        [*((last[uuid].x, last[uuid].y) if uuid in last else None for uuid in books), *(None for _ in middle)],
    )
    return {uuid: Standing(crowds[uuid], *places[number[uuid]]) for uuid in books}


def _mates(books: Mapping[str, Sequence[str]], links: Sequence[Pair]) -> list[Pair]:
    """Concepts that no link binds are one crowd with those of their book that no link binds either."""
    linked = {end for pair in links for end in pair}
    first: dict[str, str] = {}
    mates = [(uuid, first.setdefault(some[0], uuid)) for uuid, some in books.items() if some and uuid not in linked]
    return [pair for pair in mates if pair[0] != pair[1]]
