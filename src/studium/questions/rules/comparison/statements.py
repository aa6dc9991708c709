"""What one answer states: its facts, and the words around them."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from studium.questions.rules.comparison.lexicon import load_lexicon
from studium.questions.rules.comparison.quantities import Date, Quantity, dates_in, quantities_in
from studium.questions.rules.comparison.words import Word, synonyms, words_in

_NEGATED_SIGNS = re.compile(r"ない|ません|なかった|ず(?=[、。]|$)")
_SAYS_LITTLE = load_lexicon("comparison").words("bounds_and_titles")
_TWO_WAYS = re.compile(r"\bfrom\s+(?P<one>.+?)\s+to\s+(?P<other>.+)", re.IGNORECASE)


@dataclass(frozen=True)
class Statement:
    """A short text as facts (dates, quantities, negations, names) and words."""

    text: str
    language: str
    dates: tuple[Date, ...]
    quantities: tuple[Quantity, ...]
    words: tuple[Word, ...]

    @cached_property
    def keys(self) -> frozenset[str]:
        """The stems of the words that carry meaning; of words that mean the same, one."""
        return frozenset(canonical_stem(word.key) for word in self.words)

    @cached_property
    def names(self) -> frozenset[str]:
        """The stems of what is written as a name or a code, wherever that can be told."""
        named = [word for word in self.words if word.capital and word.start > 0]
        return frozenset(canonical_stem(word.key) for word in named)

    @cached_property
    def negations(self) -> int:
        """How often it negates."""
        if self.language == "ja":
            return len(_NEGATED_SIGNS.findall(self.text))
        return sum(word.negation for word in words_in(self.text, self.language))

    @property
    def has_facts(self) -> bool:
        """Whether it says a date or a quantity, or negates."""
        return bool(self.dates or self.quantities or self.negations)

    def agrees(self, other: "Statement") -> bool:
        """Whether dates, quantities and negations are the same, one by one, and no direction is turned."""
        if self.negations != other.negations or self._turned(other):
            return False
        # `1,000` is a number and `1000` may be a year: as numbers they are equal.
        return self.counts_like(other) or self.in_numbers.counts_like(other.in_numbers)

    @property
    def in_numbers(self) -> "Statement":
        """The same, with what may be a year read as a number."""
        return parse_statement(self.text, self.language, years=False)

    def counts_like(self, other: "Statement") -> bool:
        """Whether dates and quantities are the same, one by one."""
        return self._same_dates(other) and self._same_quantities(other)

    def facts_stand_in(self, other: "Statement") -> bool:
        """Whether every date and quantity said here is said there, units and all: `Emberbox 5` does not say `5 kWh`."""
        dates = all(any(date.agrees(known) for known in other.dates) for date in self.dates)
        return dates and all(
            any(_states_quantity(known, each) for known in other.quantities) for each in self.quantities
        )

    def begins_with(self, other: "Statement") -> bool:
        """Whether its first words are the other's, in whatever order."""
        head = {canonical_stem(word.key) for word in self.words[: len(other.words)]}
        return head == other.keys

    def after(self, other: "Statement") -> str:
        """What follows the words that it shares with the other."""
        return self.text[self.words[len(other.words) - 1].end :]

    def _same_dates(self, other: "Statement") -> bool:
        if len(self.dates) != len(other.dates):
            return False
        return all(mine.agrees(theirs) for mine, theirs in zip(self.dates, other.dates, strict=True))

    def _same_quantities(self, other: "Statement") -> bool:
        left = list(other.quantities)
        if len(self.quantities) != len(left):
            return False
        for mine in self.quantities:
            found = next((theirs for theirs in left if mine.equals(theirs)), None)
            if found is None:
                return False
            left.remove(found)
        return True

    def _turned(self, other: "Statement") -> bool:
        """`from A to B` is not `from B to A`."""
        mine, theirs = _TWO_WAYS.search(self.text), _TWO_WAYS.search(other.text)
        if not mine or not theirs:
            return False
        crossed = _folded(mine["one"]) == _folded(theirs["other"]) or _folded(mine["other"]) == _folded(theirs["one"])
        return crossed and _folded(mine["one"]) != _folded(theirs["one"])


@lru_cache(maxsize=4096)
def parse_statement(text: str, language: str, *, years: bool = True) -> Statement:
    """Read a short text as a statement; what may be a year is one if `years` says so, else a number."""
    dates, quantities = tuple(dates_in(text, years=years)), quantities_in(text, language, years=years)
    taken = [*((date.start, date.end) for date in dates), *((each.start, each.end) for each in quantities)]
    telling = [
        word
        for word in words_in(text, language)
        if word.telling and not any(start <= word.start < end for start, end in taken)
    ]
    words = [word for word in telling if word.text.casefold() not in _SAYS_LITTLE] or telling
    return Statement(text, language, dates, quantities, tuple(words))


def canonical_stem(key: str) -> str:
    """One stem for all that say the same."""
    return min(synonyms(key))


def _states_quantity(known: Quantity, wanted: Quantity) -> bool:
    return wanted.equals(known) and (known.unit is not None or wanted.unit is None)


def _folded(text: str) -> str:
    return re.sub(r"\W+", "", text).casefold()


_JOIN = load_lexicon("comparison").any_of("list_joins")
_SPLIT = re.compile(rf"\s*[,;]\s*(?:(?:{_JOIN})\s+)?|\s+(?:{_JOIN})\s+|\n+")
_JOINED = re.compile(rf"\s(?:{_JOIN})\s|\n|[,;].*[,;]|;", re.DOTALL)
_LEAD = re.compile(r"^[^,;:]{1,80}:\s+")
LONGEST_ITEM = 6


def items_of(text: str, language: str) -> tuple[Statement, ...]:
    """The items of an answer that is a list; nothing where it is none."""
    if not _JOINED.search(text):
        return ()
    parts = [
        parse_statement(part.strip(" .;,"), language)
        for part in _SPLIT.split(_LEAD.sub("", text))
        if part.strip(" .;,")
    ]
    short = all(0 < len(part.words) <= LONGEST_ITEM or part.has_facts for part in parts)
    return tuple(parts) if len(parts) > 1 and short else ()


def same_items(one: str, other: str, language: str) -> bool:
    """Whether two lists name the same, each item once."""
    mine, theirs = list(items_of(one, language)), list(items_of(other, language))
    if not mine or len(mine) != len(theirs):
        return False
    for item in mine:
        match = next((each for each in theirs if _same(item, each)), None)
        if match is None:
            return False
        theirs.remove(match)
    return True


def _same(item: Statement, other: Statement) -> bool:
    if not item.agrees(other):
        return False
    shorter, longer = sorted((item.keys, other.keys), key=len)
    return shorter == longer or (bool(shorter) and shorter < longer and len(longer) - len(shorter) <= 1)
