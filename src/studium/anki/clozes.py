"""Finds, checks and renumbers cloze deletions; in Anki each number is a card with its history.

base  {{c1::TCP}} is reliable, {{c2::UDP}} is not
new   {{c1::QUIC}} runs over {{c2::UDP}}; {{c3::TCP}} is reliable
->    {{c3::QUIC}} runs over {{c2::UDP}}; {{c1::TCP}} is reliable
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from studium.core.text.html import cloze_spans, visible_text
from studium.core.text.tokens import split_words

_MIN_OVERLAP = 0.5


@dataclass(frozen=True)
class ClozeDeletion:
    """One cloze: its number as written (`1`, or `1,2` if hidden on several cards), its hidden text and position."""

    number: str
    hidden: str
    start: int
    end: int


def find_clozes(text: str) -> list[ClozeDeletion]:
    """Every cloze of a text in order, also nested ones."""
    found = []
    for start, end in cloze_spans(text) if "{{c" in text else []:
        number = text[start + 3 : text.index("::", start)]
        found.append(ClozeDeletion(number, visible_text(text[start:end]), start, end))
    return found


def cloze_numbers(text: str) -> frozenset[int]:
    """The numbers in use; each is a card."""
    return _numbers(each.number for each in find_clozes(text))


def renumber_clozes(base_text: str, new_text: str, *, explicit: Collection[int] = ()) -> str:
    """The new text with its clozes renumbered so that each number still hides what it hid in the base.

    A cloze keeps the number of the base cloze with the same text, then with similar text, then at the same position;
    others keep their own number if it is free, or get the next one. `explicit` numbers are the learner's own.
    """
    found = find_clozes(new_text)
    own = [each for each in found if not each.number.isdecimal() or int(each.number) in explicit]
    old, new = _by_number(find_clozes(base_text)), _by_number(each for each in found if each not in own)
    kept = _correspondence(_apply_explicit_numbers(old, own), new)
    numbers = _assigned(new, kept, used={*_numbers(old), *_numbers(each.number for each in own)})
    for each in reversed(found):
        if (number := numbers.get(each.number, each.number)) != each.number:
            place = each.start + 3
            new_text = f"{new_text[:place]}{number}{new_text[place + len(each.number) :]}"
    return new_text


def _apply_explicit_numbers(old: Mapping[str, list[str]], own: Iterable[ClozeDeletion]) -> dict[str, list[str]]:
    """The old numbers, without those that the learner reuses or whose text the learner renumbered."""
    taken, hidden = _numbers(each.number for each in own), [each.hidden for each in own]
    return {
        number: was
        for number, was in old.items()
        if taken.isdisjoint(_numbers([number])) and not _hides_the_same(was, hidden)
    }


def _assigned(new: Iterable[str], kept: Mapping[str, str], *, used: set[int]) -> dict[str, str]:
    """The number of every group of clozes; a number that the base used is not given to another group."""
    assigned = dict(kept)
    for number in new:
        if number in assigned:
            continue
        free = int(number) if int(number) not in used else max(used) + 1
        assigned[number] = str(free)
        used.add(free)
    return assigned


def _correspondence(old: Mapping[str, Sequence[str]], new: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The old number that each new number corresponds to."""
    kept: dict[str, str] = {}
    for fits in (_hides_the_same, _hides_nearly_the_same):
        _pair(old, new, kept, fits)
    _pair_by_place(list(old), list(new), kept)
    return kept


def _pair(
    old: Mapping[str, Sequence[str]],
    new: Mapping[str, Sequence[str]],
    kept: dict[str, str],
    fits: Callable[[Sequence[str], Sequence[str]], bool],
) -> None:
    for number, hidden in new.items():
        if number not in kept:
            used = set(kept.values())
            match = next((each for each in old if each not in used and fits(old[each], hidden)), None)
            if match is not None:
                kept[number] = match


def _hides_the_same(one: Sequence[str], other: Sequence[str]) -> bool:
    return not {_folded(each) for each in one}.isdisjoint(_folded(each) for each in other)


def _hides_nearly_the_same(one: Sequence[str], other: Sequence[str]) -> bool:
    return any(_overlap(here, there) >= _MIN_OVERLAP for here in one for there in other)


def _pair_by_place(old: Sequence[str], new: Sequence[str], kept: dict[str, str]) -> None:
    """Pair what is left between the same neighbours, if both sides have equally many."""
    place = {number: at for at, number in enumerate(old)}
    used = set(kept.values())
    waiting: list[str] = []
    after = -1
    for number in [*new, None]:
        if number is not None and number not in kept:
            waiting.append(number)
            continue
        before = len(old) if number is None else place[kept[number]]
        unclaimed = [each for each in old[after + 1 : before] if each not in used]
        if len(unclaimed) == len(waiting):
            kept.update(zip(waiting, unclaimed, strict=True))
            used.update(unclaimed)
        waiting, after = [], before


def _by_number(found: Iterable[ClozeDeletion]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for each in found:
        groups.setdefault(each.number, []).append(each.hidden)
    return groups


def _numbers(written: Iterable[str]) -> frozenset[int]:
    return frozenset(int(number) for each in written for number in each.split(",") if number.isdecimal())


def _folded(text: str) -> str:
    """Hidden text as it is compared, ignoring case and markup."""
    return " ".join(split_words(text.casefold(), apostrophes=False, unspaced="whole")) or text.strip()


def _overlap(one: str, other: str) -> float:
    here, there = set(_folded(one).split()), set(_folded(other).split())
    return 2 * len(here & there) / (len(here) + len(there)) if here and there else 0.0


_OPENING = re.compile(r"\{\{c[\d,]*::")
_EXCERPT = 40


def check_clozes(text: str) -> tuple[list[str], list[str]]:
    """The errors and warnings about a cloze text."""
    found = find_clozes(text)
    numbers = cloze_numbers(text)
    warnings = [f"The cloze numbers have a gap: c{number} is missing." for number in _gaps(numbers)]
    warnings += [
        f"Cloze c{inner.number} is inside another; Anki before 2.1.56 does not show it."
        for inner, outer in _nested(found)
        if inner.number != outer.number
    ]
    return list(_errors(text, found)), warnings


def split_shown_and_hidden(text: str) -> tuple[str, str]:
    """What a cloze text shows while all clozes are hidden, and what it hides."""
    found = find_clozes(text)
    inner = {each for each, _ in _nested(found)}
    shown, at = [], 0
    for each in found:
        if each not in inner:
            shown.append(text[at : each.start])
            at = each.end
    return " ".join([*shown, text[at:]]), "\n".join(each.hidden for each in found)


def _errors(text: str, found: Sequence[ClozeDeletion]) -> Iterator[str]:
    closed = {each.start for each in found}
    unclosed = [opening.start() for opening in _OPENING.finditer(text) if opening.start() not in closed]
    if not found and not unclosed:
        yield "A cloze card hides nothing: mark what to learn as `{{c1::…}}`."
    for start in unclosed:
        yield f"A cloze is never closed: “{text[start : start + _EXCERPT]}”; close it with `}}}}`."
    for each in found:
        if not any(number.strip("0") for number in each.number.split(",")):
            yield "Cloze numbers begin at 1; without one, Anki hides nothing."
        if not each.hidden.strip():
            yield f"Cloze c{each.number} is empty."
    for inner, outer in _nested(found):
        if inner.number == outer.number:
            yield f"Cloze c{inner.number} is inside itself."


def _nested(found: Sequence[ClozeDeletion]) -> list[tuple[ClozeDeletion, ClozeDeletion]]:
    """Each cloze that is inside another, with that other."""
    return [(inner, outer) for inner in found for outer in found if outer.start < inner.start < outer.end]


def _gaps(numbers: frozenset[int]) -> list[int]:
    return [number for number in range(1, max(numbers, default=0)) if number not in numbers]
