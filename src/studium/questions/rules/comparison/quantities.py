"""Find numbers, units, dates and quantities in a text of six languages, and compare them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from studium.questions.rules.comparison.words import guess_language, load_lexicon

_DIGITS = re.compile(
    r"(?<![A-Za-zÀ-ÿА-я\d_.,:/])(?<![A-Za-z]-)(?P<sign>[-−](?=\d))?"
    r"(?:\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,:/]\d+)*)(?P<ordinal>(?:st|nd|rd|th)\b)?"
)
_GROUPED = re.compile(r"\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*(?:(?!\1)[.,]\d+)?")
_LEXICON = load_lexicon("comparison")
_ROUND = {word: int(size) for size, words in _LEXICON.by_language("round_numbers").items() for word in words}
_PLACES = {word: place for place, word in enumerate(_LEXICON.concepts["ordinals"]["en"].split(), 1)}
TEN, TWENTY, HUNDRED = 10, 20, 100
LONGEST = 120  # characters; no spelled-out number is longer
_WORD = re.compile(r"[^\W\d_]+")
_JOINS = {"en": ("and",), "es": ("y",), "fr": ("et",), "de": (), "ru": (), "ja": ()}


@dataclass(frozen=True)
class Number:
    """A number with its place; `exact` is the text of what is not an amount: a time, a version, an address."""

    value: Decimal | None
    exact: str
    ordinal: bool
    start: int
    end: int


def _spelled(language: str) -> dict[str, int]:
    small, tens_on = (_LEXICON.concepts[concept][language].split() for concept in ("small_numbers", "tens"))
    words = {word: value for value, word in enumerate(small)}
    words |= dict(zip(tens_on, range(30, 100, 10), strict=True))
    if language == "de":
        ones = {"ein": 1} | {word: value for word, value in words.items() if 1 < value < TEN}
        tens = {word: value for word, value in words.items() if value >= TWENTY}
        words |= {f"{one}und{ten}": ones[one] + tens[ten] for one in ones for ten in tens}
    return words


_SPELLED = {language: _spelled(language) for language in _LEXICON.concepts["tens"]} | {"ja": {}}
# The language of two words is hard to guess; long number words of other languages are not English words.
_LONG_NUMBER_WORD = 5
_SPELLED["en"] |= {
    word: value
    for language in ("de", "es", "fr")
    for word, value in _SPELLED[language].items()
    if len(word) >= _LONG_NUMBER_WORD and word != "seize"
}
_FIRST = {language: frozenset({*spelled, *_ROUND, *_PLACES}) for language, spelled in _SPELLED.items()}


def numbers_in(text: str, language: str | None = None) -> list[Number]:
    """The numbers of a text, in order."""
    written = list(_in_digits(text))
    spoken = [
        number
        for number in _in_words(text, language or guess_language(text))
        if all(number.end <= other.start or number.start >= other.end for other in written)
    ]
    return sorted(written + spoken, key=lambda number: number.start)


def _in_digits(text: str) -> Iterator[Number]:
    for match in _DIGITS.finditer(text):
        digits, end = match[0], match.end()
        ordinal = bool(match["ordinal"])
        if ordinal:
            digits = digits[:-2]
        elif re.match(r"[A-Za-z]\d|[A-Z](?![A-Za-z°])\b(?<![AVWKC])", text[end:]):
            continue  # a code: `2d6`, `802.1Q`
        value = _value(digits)
        scale = re.match(r"[ \u00a0]([^\W\d_]+)", text[end:])
        if value is not None and scale and (times := _ROUND.get(scale[1].casefold(), 0)) > HUNDRED:
            value, end = value * times, end + scale.end()
        yield Number(value, "" if value is not None else digits, ordinal, match.start(), end)


def _value(digits: str) -> Decimal | None:
    plain = re.sub(r"[ \u00a0\u202f'’]", "", digits).replace("−", "-")
    sign, plain = ("-", plain[1:]) if plain.startswith("-") else ("", plain)
    grouped = _GROUPED.fullmatch(plain)
    if grouped and not plain.startswith("0"):
        plain = plain.replace(grouped[1], "").replace(",", ".")
    elif re.fullmatch(r"\d+[.,]\d+", plain):
        plain = plain.replace(",", ".")
    return Decimal(sign + plain).normalize() if re.fullmatch(r"\d+(?:\.\d+)?", plain) else None


def _in_words(text: str, language: str) -> Iterator[Number]:
    """Spelled-out numbers, such as `twenty-one thousand`."""
    end = 0
    for first in _WORD.finditer(text):
        if first.start() < end or first[0].casefold() not in _FIRST[language]:
            continue
        words = list(_WORD.finditer(text, first.start(), first.start() + LONGEST))
        value, taken = _run(text, words, language)
        if taken:
            end = words[taken - 1].end()
            yield Number(Decimal(value), "", ordinal=False, start=first.start(), end=end)
        elif language == "en" and (place := _PLACES.get(first[0].casefold())) and not _is_unit(text, first):
            yield Number(Decimal(place), "", ordinal=True, start=first.start(), end=first.end())


def _run(text: str, words: list[re.Match[str]], language: str) -> tuple[int, int]:
    """The value of the number words that start here, and how many words they are."""
    spelled, total, part, taken = _SPELLED[language], 0, 0, 0
    for index, match in enumerate(words):
        gap = text[words[index - 1].end() : match.start()] if index else " "
        word = match[0].casefold()
        if gap not in (" ", "-", "\n", "\u00a0"):
            break
        if word in _ROUND and (taken or word != "cent"):
            size = _ROUND[word]
            total, part = (total, max(part, 1) * size) if size == HUNDRED else (total + max(part, 1) * size, 0)
        elif word in spelled and not (taken and 0 < part % HUNDRED < TWENTY):
            part += spelled[word]
        elif not (taken and word in _JOINS[language] and index + 1 < len(words) and _continues(words, index, spelled)):
            break
        taken = index + 1
    one_of_them = taken == 1 and text[words[0].end() :].startswith(" of")
    return (0, 0) if one_of_them and words[0][0].casefold() == "one" else (total + part, taken)


def _continues(words: list[re.Match[str]], index: int, spelled: dict[str, int]) -> bool:
    before, after = words[index - 1][0].casefold(), words[index + 1][0].casefold()
    tens = before in _ROUND or spelled.get(before, 0) >= TWENTY
    return tens and after in spelled and before != "thousand"


def _is_unit(text: str, word: re.Match[str]) -> bool:
    """`per second` and `one second` measure time; `the second gate` counts."""
    before = text[: word.start()].rstrip().rsplit(" ", 1)[-1].casefold()
    return word[0].casefold() == "second" and before not in ("the", "a", "")


@dataclass(frozen=True)
class Unit:
    """A unit: what it measures (`time`, `length`, …) and its size in that measure's first unit."""

    measures: str
    size: Decimal


UNITS: dict[str, Unit] = {
    name.replace("_", " "): Unit(measures, Decimal(size))
    for measures, sizes in load_lexicon("comparison").concepts["units"].items()
    for size, names in sizes.items()
    for name in names.split()
}
CURRENCY_SIGNS = "€$£¥"
_NAMES = "|".join(re.escape(name).replace(r"\ ", r"\s") for name in sorted(UNITS, key=len, reverse=True))
_UNIT = re.compile(rf"[\s\u00a0-]?(?P<unit>{_NAMES})(?![^\W\d_\u3040-\u30ff\u3400-\u9fff]|['’]s\b)", re.IGNORECASE)
# A single letter or a short word that is also a preposition is a unit only in this case.
_CASE_SENSITIVE = {"a": "A", "v": "V", "w": "W", "k": "K", "mw": "MW", "ma": "mA", "mv": "mV", "pa": "Pa"}


def unit_at(text: str, place: int) -> tuple[Unit, int] | None:
    """The unit at this place (a space or hyphen may come first), and where it ends."""
    match = _UNIT.match(text, place)
    if not match:
        return None
    said = re.sub(r"\s", " ", match["unit"])
    folded = said.casefold()
    if folded in _CASE_SENSITIVE and said != _CASE_SENSITIVE[folded]:
        return None
    return UNITS[folded], match.end()


MONTHS = {
    name: int(number) for number, names in load_lexicon("comparison").by_language("months").items() for name in names
}
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_YEAR = r"(?P<year>(?:1[0-9]|20)\d{2})"
_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9])"
_LETTER = r"(?:(?![\u3040-\u30ff\u3400-\u9fff])\w)"
_NOT_INSIDE = r"(?<![.,:/-])(?<![^\W\u3040-\u30ff\u3400-\u9fff])"
_ENDS = rf"(?!{_LETTER}|/|[.,:-]\d|-\w)"
_DATE_PATTERNS = tuple(
    re.compile(_NOT_INSIDE + pattern + _ENDS, re.IGNORECASE)
    for pattern in (
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
    """A date or a part of one: a year, a month of a year, a day."""

    year: int | None
    month: int | None
    day: int | None
    start: int
    end: int

    def agrees(self, other: "Date") -> bool:
        """Whether the parts that both have are the same, and there is at least one."""
        pairs = [(self.year, other.year), (self.month, other.month), (self.day, other.day)]
        both = [(mine, theirs) for mine, theirs in pairs if mine is not None and theirs is not None]
        return bool(both) and all(mine == theirs for mine, theirs in both)


def dates_in(text: str, *, years: bool = True) -> list[Date]:
    """The dates of a text, in order, each as long as possible; bare years only with `years`."""
    found: list[Date] = []
    for pattern in _DATE_PATTERNS if years else _DATE_PATTERNS[:-1]:
        for date in _read_dates(pattern, text):
            if all(date.end <= other.start or date.start >= other.end for other in found):
                found.append(date)
    return sorted(found, key=lambda date: date.start)


def _read_dates(pattern: re.Pattern[str], text: str) -> Iterator[Date]:
    for match in pattern.finditer(text):
        said = match.groupdict()
        month = MONTHS.get((said.get("month") or "").casefold()) or int(said.get("number") or 0) or None
        day = int(said["day"]) if said.get("day") else None
        if month is None and unit_at(text, match.end()):
            continue
        year = int(said["year"]) if said.get("year") else None
        yield Date(year, month, day, match.start(), match.end())


_BOUNDS = "|".join(
    f"(?P<{bound}>{said.replace(' / ', '|')})" for bound, said in load_lexicon("comparison").concepts["bounds"].items()
)
_BEYOND = re.compile(rf"\b(?:{_BOUNDS})\s+(?:the |an? |de |une? )?[€$£¥]?$", re.IGNORECASE)
_RANGE = re.compile(rf"\s*(?:{load_lexicon('comparison').any_of('range_joins')})\s*")
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
        """What it measures; empty without a unit."""
        return self.unit.measures if self.unit else ""

    def equals(self, other: "Quantity") -> bool:
        """Whether both are the same amount; a unit may be left out, but not differ."""
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
    """The quantities of a text, in order; dates are left out, and with `years` also possible years."""
    dates = dates_in(text, years=years)
    found = [
        _quantity(text, number)
        for number in numbers_in(text, language or guess_language(text))
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
