"""Quantities: numbers with their units and bounds, so that `10 s` is `ten seconds` and `5 km` is not `5 m`."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from studium.workflows.questions.comparing.dates import dates_in
from studium.workflows.questions.comparing.language import language_of
from studium.workflows.questions.comparing.lexicon import lexicon
from studium.workflows.questions.comparing.numbers import Number, numbers_in
from studium.workflows.questions.comparing.units import CURRENCY_SIGNS, UNITS, Unit, unit_at

_BOUNDS = "|".join(
    f"(?P<{bound}>{said.replace(' / ', '|')})" for bound, said in lexicon("comparing").concepts["bounds"].items()
)
_BEYOND = re.compile(rf"\b(?:{_BOUNDS})\s+(?:the |an? |de |une? )?[€$£¥]?$", re.IGNORECASE)
_RANGE = re.compile(rf"\s*(?:{lexicon('comparing').any_of('range_joins')})\s*")
_LOOSE = frozenset({"", "about", "most", "least"})


@dataclass(frozen=True)
class Quantity:
    """A number with its unit; `bound` says whether it is a limit: `more`, `less`, `least`, `most` or `about`."""

    number: Number
    unit: Unit | None
    bound: str
    start: int
    end: int

    @property
    def measures(self) -> str:
        """What it measures, if it has a unit."""
        return self.unit.measures if self.unit else ""

    def equals(self, other: "Quantity") -> bool:
        """Whether both say the same amount; a unit may be left out, but not changed."""
        return self._amount_equals(other) and self._bound_fits(other)

    def _amount_equals(self, other: "Quantity") -> bool:
        mine, theirs = self.number, other.number
        if mine.value is None or theirs.value is None or mine.ordinal or theirs.ordinal:
            written = (mine.value, mine.exact, mine.ordinal) == (theirs.value, theirs.exact, theirs.ordinal)
            return written and (self.unit == other.unit or None in (self.unit, other.unit))
        if self.unit and other.unit:
            same_kind = self.unit.measures == other.unit.measures
            return same_kind and mine.value * self.unit.size == theirs.value * other.unit.size
        return mine.value == theirs.value

    def _bound_fits(self, other: "Quantity") -> bool:
        bounds = {self.bound, other.bound}
        return len(bounds) == 1 or ("" in bounds and bounds <= _LOOSE)


@lru_cache(maxsize=4096)
def quantities_in(text: str, language: str | None = None, *, years: bool = True) -> tuple[Quantity, ...]:
    """The quantities of a text, in order; a date is none, nor is what may be a year, unless `years` is false."""
    dates = dates_in(text, years=years)
    found = [
        _quantity(text, number)
        for number in numbers_in(text, language or language_of(text))
        if all(number.end <= date.start or number.start >= date.end for date in dates)
    ]
    for index in range(len(found) - 2, -1, -1):
        this, following = found[index], found[index + 1]
        if not this.unit and following.unit and _RANGE.fullmatch(text, this.end, following.start):
            found[index] = replace(this, unit=following.unit)
    return tuple(found)


def _quantity(text: str, number: Number) -> Quantity:
    start, end, unit = number.start, number.end, None
    sign = text[start - 1 : start]
    if sign and sign in CURRENCY_SIGNS:
        start, unit = start - 1, UNITS[sign]
    elif not number.ordinal and (found := unit_at(text, end)):
        unit, end = found
    bound = _BEYOND.search(text[max(0, start - 40) : start])
    return Quantity(number, unit, (bound.lastgroup or "") if bound else "", start, end)
