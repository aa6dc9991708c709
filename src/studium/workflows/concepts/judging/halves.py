"""Titles that join two things, and which of a concept's quotes speak of which."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from studium.workflows.concepts.judging.words import content, lexicon, listed, stem, words_of

LONGEST_HALF = 6


class Halves(NamedTuple):
    """What a title joins."""

    left: str
    right: str


def halves(title: str) -> Halves | None:
    """The two things that a title joins; none for a statement, a comparison of two things, or a pair in common use."""
    joining = "|".join(re.escape(word) for word in listed("joining"))
    found = re.split(rf"\s+(?:{joining})\s+", title.strip().rstrip("."), flags=re.IGNORECASE)
    if len(found) != len(Halves._fields) or re.search(r"[:;?!,—]|\s[-–]\s", title):
        return None
    words = set(words_of(title))
    if words & listed("saying") or words & listed("pairing"):
        return None
    parts = Halves(*found)
    carried = [content(part) for part in parts]
    too_long = any(len(words_of(part)) > LONGEST_HALF for part in parts)
    if too_long or not all(carried) or _is_pair(carried) or set(carried[0]) & set(carried[1]):
        return None
    return parts


def joins_two_ideas(title: str, quotes: Sequence[str]) -> Halves | None:
    """The two ideas of a title, unless a quote speaks of both at once.

    Single words may be one idea (`slow and deep reading`): then only quotes that divide between them tell two.
    """
    parts = halves(title)
    if parts is None:
        return None
    spoken = [tuple(mentions(quote, part) for part in parts) for quote in quotes]
    if (True, True) in spoken:
        return None
    brief = min(len(content(part)) for part in parts) == 1
    divided = (True, False) in spoken and (False, True) in spoken
    return parts if divided or not brief else None


def mentions(text: str, part: str) -> bool:
    """Whether a text speaks of something: it has half of its words or more."""
    wanted = content(part)
    return 2 * len(wanted.keys() & content(text).keys()) >= len(wanted) > 0


def shares(quotes: Mapping[str, str], titles: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The quotes (by key) that fall to each of several titles by the words they share; the first takes the rest."""
    wanted = [content(title).keys() for title in titles]
    common = set.intersection(*(set(each) for each in wanted)) if wanted else set()
    taken: list[list[str]] = [[] for _ in titles]
    for key, text in quotes.items():
        have = content(text).keys()
        weights = [len((each - common) & have) / max(1, len(each - common)) for each in wanted]
        taken[weights.index(max(weights))].append(key)
    return tuple(tuple(keys) for keys in taken)


def _is_pair(carried: Sequence[Mapping[str, str]]) -> bool:
    left, right = (set(each) for each in carried)
    pairs = ({stem(word) for word in pair} for pair in lexicon()["pairs"])
    return any(left | right == pair for pair in pairs)
