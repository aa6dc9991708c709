"""Matches the quotes of a file with the stored ones, so that an edited quote keeps its id."""

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from studium.concepts.domain import Quote
from studium.concepts.quotes.similarity import NormalizedQuote, PageRange, quote_similarity

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_COMMON = 24  # what more quotes than this have in common says nothing about any two of them
_SHORT = 12
_LOCATIONS_TOGETHER = 16
_WIDEST = 4


def candidate_pairs(wordings: Sequence[NormalizedQuote]) -> list[tuple[int, int]]:
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
    """Owners of one anchor are neighbours: each is paired with the next, the one after that, and so on."""
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


def _anchors(wording: NormalizedQuote) -> Iterator[int]:
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


def _at(place: PageRange) -> Iterator[int]:
    if not (place.first.isdigit() and place.last.isdigit()):
        yield hash((place.unit, place.first))
        return
    together = _LOCATIONS_TOGETHER if place.unit == "loc" else 1
    first, last = int(place.first) // together, int(place.last) // together
    for number in range(first, min(last, first + _WIDEST) + 1):
        yield hash((place.unit, number))


NewUuid = Callable[[str], str]


@dataclass(frozen=True)
class MatchedQuotes:
    """The quotes of a book after a file was read, and the ids of those that are new, changed, or as they were.

    Stored quotes that are not in the file stay, at the end; they are in none of the three.
    """

    quotes: tuple[Quote, ...]
    added: tuple[str, ...]
    edited: tuple[str, ...]
    same: tuple[str, ...]


@dataclass(frozen=True)
class _Reading:
    """A quote of a file, and all its wordings there, its own first."""

    quote: Quote
    wordings: tuple[NormalizedQuote, ...]


def match_quotes(read: Sequence[Quote], kept: Sequence[Quote], *, new_uuid: NewUuid) -> MatchedQuotes:
    """Give the quotes of a file the ids they are stored under; `new_uuid` makes the id of a new quote from its text."""
    readings = _readings(read)
    kept_wordings = [NormalizedQuote(quote) for quote in kept]
    claims = _claims(readings, kept, kept_wordings, new_uuid)
    taken = {quote.uuid for quote in kept}
    quotes: list[Quote] = []
    named: dict[str, list[str]] = {"added": [], "edited": [], "same": []}
    for number, reading in enumerate(readings):
        if (position := claims.get(number)) is None:
            quote = reading.quote.model_copy(update={"uuid": _free_uuid(reading.quote.text, taken, new_uuid)})
            taken.add(quote.uuid)
            named["added"].append(quote.uuid)
        else:
            is_worded_so = reading.wordings[0].shown == kept_wordings[position].shown
            quote = _updated(kept[position], reading.quote, keep_text=is_worded_so)
            named["edited" if _says_more(quote, kept[position]) else "same"].append(quote.uuid)
        quotes.append(quote)
    unread = sorted(set(range(len(kept))) - set(claims.values()))
    quotes += [kept[position] for position in unread]
    return MatchedQuotes(tuple(quotes), *(tuple(named[kind]) for kind in ("added", "edited", "same")))


def _readings(read: Sequence[Quote]) -> list[_Reading]:
    """The quotes of a file, each once, in the order in which they are first read."""
    wordings = [NormalizedQuote(quote) for quote in read]
    first_so: dict[tuple[str, ...], int] = {}
    # The first of several equal quotes represents them all.
    first = [first_so.setdefault(wording.words, number) for number, wording in enumerate(wordings)]
    distinct = list(first_so.values())
    for one, other in candidate_pairs([wordings[number] for number in distinct]):
        if quote_similarity(wordings[distinct[one]], wordings[distinct[other]]):
            roots = sorted((_root(first, distinct[one]), _root(first, distinct[other])))
            first[roots[1]] = roots[0]
    members: dict[int, list[int]] = {}
    for number in range(len(read)):
        members.setdefault(_root(first, number), []).append(number)
    return [_reading([read[each] for each in one], [wordings[each] for each in one]) for one in members.values()]


def _root(first: list[int], number: int) -> int:
    while first[number] != number:
        first[number] = first[first[number]]
        number = first[number]
    return number


def _reading(quotes: list[Quote], wordings: list[NormalizedQuote]) -> _Reading:
    """Of several wordings the longest, of equally long ones the latest; with its first formatting."""
    best = max(range(len(quotes)), key=lambda each: (len(wordings[each].words), each))
    best = next(each for each in range(len(quotes)) if wordings[each].words == wordings[best].words)
    whole = quotes[0]
    for quote in (*quotes[1:], quotes[best]) if len(quotes) > 1 else ():
        whole = _updated(whole, quote)
    return _Reading(whole, (wordings[best], *(each for number, each in enumerate(wordings) if number != best)))


def _claims(
    readings: Sequence[_Reading], kept: Sequence[Quote], wordings: Sequence[NormalizedQuote], new_uuid: NewUuid
) -> dict[int, int]:
    """Which stored quote each reading is: by its words, by the text it was first stored with, or by similarity."""
    claims: dict[int, int] = {}
    free = set(range(len(kept)))
    worded = {wording.words: position for position, wording in reversed(list(enumerate(wordings)))}
    known = {quote.uuid: position for position, quote in enumerate(kept)}

    def claim(number: int, position: int | None) -> None:
        if number not in claims and position in free:
            claims[number] = position
            free.discard(position)

    for number, reading in enumerate(readings):
        for wording in reading.wordings:
            claim(number, worded.get(wording.words))
    for number, reading in enumerate(readings):
        if number not in claims:
            claim(number, known.get(new_uuid(reading.quote.text)))
    unclaimed = [(number, reading) for number, reading in enumerate(readings) if number not in claims]
    for number, position in _likely(unclaimed, [(position, wordings[position]) for position in sorted(free)]):
        claim(number, position)
    return claims


def _likely(
    readings: Sequence[tuple[int, _Reading]], kept: Sequence[tuple[int, NormalizedQuote]]
) -> Iterator[tuple[int, int]]:
    """Readings and stored quotes that are similar, the most similar first."""
    if not readings or not kept:
        return
    wordings = [reading.wordings[0] for _, reading in readings] + [wording for _, wording in kept]
    found = []
    for one, other in candidate_pairs(wordings):
        if one < len(readings) <= other and (alike := quote_similarity(wordings[one], wordings[other], later=True)):
            found.append((-alike, readings[one][0], kept[other - len(readings)][0]))
    yield from ((number, position) for _, number, position in sorted(found))


def _free_uuid(text: str, taken: set[str], new_uuid: NewUuid) -> str:
    """An id that no other quote has: it is made from the text, which another quote may once have had."""
    if (uuid := new_uuid(text)) not in taken:
        return uuid
    return next(other for number in count(2) if (other := new_uuid(f"{text} ({number})")) not in taken)


def _updated(earlier: Quote, later: Quote, *, keep_text: bool = False) -> Quote:
    """A quote with all that a later reading adds."""
    return earlier.model_copy(
        update={
            "text": earlier.text if keep_text else later.text,
            "section": later.section or earlier.section,
            "page_reference": later.page_reference or earlier.page_reference,
            "note": _both_notes(earlier.note, later.note),
            "line": earlier.line if later.line is None else later.line,
            "created_at": earlier.created_at or later.created_at,
        }
    )


def _both_notes(earlier: str, later: str) -> str:
    if later in earlier:
        return earlier
    return later if earlier in later else f"{earlier}\n\n{later}"


def _says_more(quote: Quote, kept: Quote) -> bool:
    fields = ("text", "section", "page_reference", "note")
    return any(getattr(quote, name) != getattr(kept, name) for name in fields)
