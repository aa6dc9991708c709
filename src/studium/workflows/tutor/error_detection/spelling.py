"""How near a typed word is to a keyword: neighbouring keys and swapped letters weigh less."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

_ROWS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_SHORTEST, _LONGEST = 3, 32
_STRANGE_LETTERS: Final = 2
_SLIP, _SWAP, _DOUBLED, _OTHER = 0.7, 0.6, 0.6, 1.0


def _neighbours() -> frozenset[tuple[str, str]]:
    places = {letter: (row, column + row * 0.5) for row, keys in enumerate(_ROWS) for column, letter in enumerate(keys)}
    return frozenset(
        (a, b)
        for a, (row, column) in places.items()
        for b, (other_row, other_column) in places.items()
        if a != b and abs(row - other_row) <= 1 and abs(column - other_column) <= 1
    )


_NEIGHBOURS: Final = _neighbours()


@lru_cache(maxsize=65536)
def distance(typed: str, meant: str) -> float:
    """The weight of the slips that turn one word into the other."""
    before: list[float] = []
    row = [float(column) for column in range(len(meant) + 1)]
    for i, a in enumerate(typed, 1):
        above, older, row = row, before, [i * _OTHER]
        before = above
        for j, b in enumerate(meant, 1):
            best = min(
                above[j - 1] + (0.0 if a == b else _SLIP if (a, b) in _NEIGHBOURS else _OTHER),
                above[j] + (_DOUBLED if i > 1 and typed[i - 2] == a else _OTHER),
                row[j - 1] + (_DOUBLED if j > 1 and meant[j - 2] == b else _OTHER),
            )
            if i > 1 and j > 1 and a == meant[j - 2] and typed[i - 2] == b:
                best = min(best, older[j - 2] + _SWAP)
            row.append(best)
    return row[-1]


def allowance(word: str) -> float:
    """How many slips a word of this length may hold and still be recognised."""
    return min(2.6, 0.4 + 0.3 * len(word)) if _SHORTEST <= len(word) <= _LONGEST else 0.0


def nearest(typed: str, keywords: Iterable[str], most: int = 3) -> list[tuple[float, str]]:
    """The keywords that may have been meant, the nearest first; an abbreviation may be misspelled as well."""
    limit = allowance(typed)
    if not limit:
        return []
    letters = set(typed)
    found: list[tuple[float, str]] = []
    for keyword in keywords:
        if len(letters - set(keyword)) > _STRANGE_LETTERS or len(keyword) < _SHORTEST - 1:
            continue
        weight = _weight(typed, keyword)
        if weight <= limit:
            found.append((weight, keyword))
    return sorted(found, key=lambda pair: pair[0])[:most]


def _weight(typed: str, keyword: str) -> float:
    if len(keyword) <= len(typed) + 2:
        whole = distance(typed, keyword)
        if len(keyword) <= len(typed) + 1:
            return whole
    else:
        whole = 9.0
    short = min(distance(typed, keyword[: len(typed) + more]) for more in (-1, 0, 1))
    return min(whole, short + 0.5)
