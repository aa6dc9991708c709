"""Cloze deletions of a text, and their numbers: in Anki a number is a card with its history.

base  {{c1::TCP}} is reliable, {{c2::UDP}} is not
new   {{c1::QUIC}} runs over {{c2::UDP}}; {{c3::TCP}} is reliable
->    {{c3::QUIC}} runs over {{c2::UDP}}; {{c1::TCP}} is reliable
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from studium.core.text.html import cloze_spans, visible_text

_WORD = re.compile(r"[^\W_]+")
_ALIKE = 0.5


@dataclass(frozen=True)
class Deletion:
    """One cloze: its number as it is written (`1`, or `1,2` if hidden on several cards), what it hides, where."""

    number: str
    hidden: str
    start: int
    end: int


def deletions(text: str) -> list[Deletion]:
    """Every cloze of a text, nested ones too, in order."""
    found = []
    for start, end in cloze_spans(text) if "{{c" in text else []:
        number = text[start + 3 : text.index("::", start)]
        found.append(Deletion(number, visible_text(text[start:end]), start, end))
    return found


def cloze_numbers(text: str) -> frozenset[int]:
    """The numbers in use, each of which is a card."""
    return _numbers(each.number for each in deletions(text))


def renumber_clozes(base_text: str, new_text: str, *, explicit: Collection[int] = ()) -> str:
    """The new text, its clozes numbered so that each number goes on hiding what it hid in the base.

    What hides the same words keeps its number, then what hides nearly the same, then what stands in the same place; the
    rest keeps its own number if that is free, else gets the next one. `explicit` numbers are the learner's own.
    """
    found = deletions(new_text)
    own = [each for each in found if not each.number.isdecimal() or int(each.number) in explicit]
    old, new = _by_number(deletions(base_text)), _by_number(each for each in found if each not in own)
    kept = _correspondence(_but_for(old, own), new)
    numbers = _assigned(new, kept, used={*_numbers(old), *_numbers(each.number for each in own)})
    for each in reversed(found):
        if (number := numbers.get(each.number, each.number)) != each.number:
            place = each.start + 3
            new_text = f"{new_text[:place]}{number}{new_text[place + len(each.number) :]}"
    return new_text


def _but_for(old: Mapping[str, list[str]], own: Iterable[Deletion]) -> dict[str, list[str]]:
    """The old numbers that the learner has not given away: neither the number nor what it hid."""
    taken, hidden = _numbers(each.number for each in own), [each.hidden for each in own]
    return {
        number: was
        for number, was in old.items()
        if taken.isdisjoint(_numbers([number])) and not _hides_the_same(was, hidden)
    }


def _assigned(new: Iterable[str], kept: Mapping[str, str], *, used: set[int]) -> dict[str, str]:
    """The number of every group of deletions; a number that the base used goes to nobody else."""
    assigned = dict(kept)
    for number in new:
        if number in assigned:
            continue
        free = int(number) if int(number) not in used else max(used) + 1
        assigned[number] = str(free)
        used.add(free)
    return assigned


def _correspondence(old: Mapping[str, Sequence[str]], new: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Which new number means which old one."""
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
    return any(_overlap(here, there) >= _ALIKE for here in one for there in other)


def _pair_by_place(old: Sequence[str], new: Sequence[str], kept: dict[str, str]) -> None:
    """Pair what is left between the same neighbours, if it is as many each; else nobody knows which is which."""
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


def _by_number(found: Iterable[Deletion]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for each in found:
        groups.setdefault(each.number, []).append(each.hidden)
    return groups


def _numbers(written: Iterable[str]) -> frozenset[int]:
    return frozenset(int(number) for each in written for number in each.split(",") if number.isdecimal())


def _folded(text: str) -> str:
    """Hidden words as they are compared: Markdown or HTML, whatever the case."""
    return " ".join(_WORD.findall(text.casefold())) or text.strip()


def _overlap(one: str, other: str) -> float:
    here, there = set(_folded(one).split()), set(_folded(other).split())
    return 2 * len(here & there) / (len(here) + len(there)) if here and there else 0.0
