"""Whether the cloze deletions of a text are written as Anki reads them."""

import re
from collections.abc import Iterator, Sequence

from studium.domain.clozes import Deletion, cloze_numbers, deletions

_OPENING = re.compile(r"\{\{c[\d,]*::")
_EXCERPT = 40


def cloze_faults(text: str) -> tuple[list[str], list[str]]:
    """The errors and the warnings for a cloze text, each for the person who wrote it."""
    found = deletions(text)
    numbers = cloze_numbers(text)
    warnings = [f"The cloze numbers have a gap: c{number} is missing." for number in _gaps(numbers)]
    warnings += [
        f"Cloze c{inner.number} lies inside another; Anki before 2.1.56 does not show it."
        for inner, outer in _nested(found)
        if inner.number != outer.number
    ]
    return list(_errors(text, found)), warnings


def parted(text: str) -> tuple[str, str]:
    """What a cloze text shows while everything is hidden, and what it hides."""
    found = deletions(text)
    inner = {each for each, _ in _nested(found)}
    shown, at = [], 0
    for each in found:
        if each not in inner:
            shown.append(text[at : each.start])
            at = each.end
    return " ".join([*shown, text[at:]]), "\n".join(each.hidden for each in found)


def _errors(text: str, found: Sequence[Deletion]) -> Iterator[str]:
    closed = {each.start for each in found}
    unclosed = [opening.start() for opening in _OPENING.finditer(text) if opening.start() not in closed]
    if not found and not unclosed:
        yield "A cloze card hides nothing: mark what is to be learned as `{{c1::…}}`."
    for start in unclosed:
        yield f"A cloze is never closed: “{text[start : start + _EXCERPT]}”; close it with `}}}}`."
    for each in found:
        if not any(number.strip("0") for number in each.number.split(",")):
            yield "Cloze numbers begin at 1; without one, Anki hides nothing."
        if not each.hidden.strip():
            yield f"Cloze c{each.number} is empty."
    for inner, outer in _nested(found):
        if inner.number == outer.number:
            yield f"Cloze c{inner.number} lies inside itself."


def _nested(found: Sequence[Deletion]) -> list[tuple[Deletion, Deletion]]:
    """Each deletion that lies inside another, with that other."""
    return [(inner, outer) for inner in found for outer in found if outer.start < inner.start < outer.end]


def _gaps(numbers: frozenset[int]) -> list[int]:
    return [number for number in range(1, max(numbers, default=0)) if number not in numbers]
