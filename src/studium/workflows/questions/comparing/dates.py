"""Dates in the ways five languages write them: `March 4, 2021`, `4. März 2021`, `4 de marzo de 2021`, `2021-03-04`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from studium.workflows.questions.comparing.lexicon import lexicon
from studium.workflows.questions.comparing.units import unit_at

MONTHS = {name: int(number) for number, names in lexicon("comparing").by_language("months").items() for name in names}
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_YEAR = r"(?P<year>(?:1[0-9]|20)\d{2})"
_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9])"
_LETTER = r"(?:(?![\u3040-\u30ff\u3400-\u9fff])\w)"
_NOT_INSIDE = r"(?<![.,:/-])(?<![^\W\u3040-\u30ff\u3400-\u9fff])"
_ENDS = rf"(?!{_LETTER}|/|[.,:-]\d|-\w)"
_WAYS = tuple(
    re.compile(_NOT_INSIDE + way + _ENDS, re.IGNORECASE)
    for way in (
        r"(?P<year>\d{4})-(?P<number>\d{2})-(?P<day>\d{2})",
        r"(?P<year>\d{4})年(?:(?P<number>\d{1,2})月)?(?:(?P<day>\d{1,2})日)?",
        rf"{_DAY}(?:st|nd|rd|th|er|º)?\.?\s+(?:of\s+|de\s+)?(?P<month>{_MONTH})\.?,?\s+(?:de\s+|del\s+)?{_YEAR}",
        rf"(?P<month>{_MONTH})\.?\s+{_DAY}(?:st|nd|rd|th)?,?\s+{_YEAR}",
        rf"(?P<month>{_MONTH})\.?,?\s+(?:of\s+|de\s+|del\s+)?{_YEAR}",
        rf"{_DAY}(?:st|nd|rd|th|er|º)?\.?\s+(?:of\s+|de\s+)?(?P<month>{_MONTH})\b\.?",
        rf"(?P<month>{_MONTH})\s+{_DAY}(?:st|nd|rd|th)?",
        _YEAR,
    )
)


@dataclass(frozen=True)
class Date:
    """A date as far as it is said: a year alone, a month of a year, a day."""

    year: int | None
    month: int | None
    day: int | None
    start: int
    end: int

    def agrees(self, other: "Date") -> bool:
        """Whether nothing that both say differs, and both say something in common."""
        pairs = [(self.year, other.year), (self.month, other.month), (self.day, other.day)]
        both = [(mine, theirs) for mine, theirs in pairs if mine is not None and theirs is not None]
        return bool(both) and all(mine == theirs for mine, theirs in both)


def dates_in(text: str, *, years: bool = True) -> list[Date]:
    """The dates of a text, in order, the longest reading of each; a bare year only if `years` count."""
    found: list[Date] = []
    for way in _WAYS if years else _WAYS[:-1]:
        for date in _read(way, text):
            if all(date.end <= other.start or date.start >= other.end for other in found):
                found.append(date)
    return sorted(found, key=lambda date: date.start)


def _read(way: re.Pattern[str], text: str) -> Iterator[Date]:
    for match in way.finditer(text):
        said = match.groupdict()
        month = MONTHS.get((said.get("month") or "").casefold()) or int(said.get("number") or 0) or None
        day = int(said["day"]) if said.get("day") else None
        if month is None and unit_at(text, match.end()):
            continue
        year = int(said["year"]) if said.get("year") else None
        yield Date(year, month, day, match.start(), match.end())
