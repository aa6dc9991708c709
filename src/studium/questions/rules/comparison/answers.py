"""Whether two answers say the same: by their words, and strictly by numbers, dates, units, names and negation."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from unicodedata import normalize

from studium.core.domain.ports import Similarity
from studium.questions.rules.comparison.english_answers import (
    codes_in,
    compare_wording,
    first_clause,
    has_same_head,
    is_same_place,
    only_explains,
    says_yes_or_no,
    strip_references,
    without,
    without_brackets,
)
from studium.questions.rules.comparison.quantities import Date, Quantity, dates_in, quantities_in
from studium.questions.rules.comparison.words import Word, guess_language, load_lexicon, opposites, synonyms, words_in

_JAPANESE_NEGATION = re.compile(r"ない|ません|なかった|ず(?=[、。]|$)")
_LIGHT_WORDS = load_lexicon("comparison").words("bounds_and_titles")
_FROM_TO = re.compile(r"\bfrom\s++(?P<one>\S.*?)(?<!\s)\s+to\s+(?P<other>.+)", re.IGNORECASE)


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
        """The stems of the content words; one stem for all synonyms."""
        return frozenset(canonical_stem(word.key) for word in self.words)

    @cached_property
    def names(self) -> frozenset[str]:
        """The stems of words written as a name or a code; not known for the first word."""
        named = [word for word in self.words if word.capital and word.start > 0]
        return frozenset(canonical_stem(word.key) for word in named)

    @cached_property
    def negations(self) -> int:
        """The number of negations."""
        if self.language == "ja":
            return len(_JAPANESE_NEGATION.findall(self.text))
        return sum(word.negation for word in words_in(self.text, self.language))

    @property
    def has_facts(self) -> bool:
        """Whether it has a date, a quantity or a negation."""
        return bool(self.dates or self.quantities or self.negations)

    def agrees(self, other: "Statement") -> bool:
        """Whether dates, quantities, negations and the direction (`from A to B`) are the same."""
        if self.negations != other.negations or self._is_reversed(other):
            return False
        # `1,000` is a number and `1000` may be a year: as numbers they are equal.
        return self.has_same_amounts(other) or self.with_years_as_numbers.has_same_amounts(other.with_years_as_numbers)

    @property
    def with_years_as_numbers(self) -> "Statement":
        """The same statement, with possible years read as numbers."""
        return parse_statement(self.text, self.language, years=False)

    def has_same_amounts(self, other: "Statement") -> bool:
        """Whether dates and quantities are the same."""
        return self._same_dates(other) and self._same_quantities(other)

    def facts_are_in(self, other: "Statement") -> bool:
        """Whether the other states every date and quantity with its unit: `Emberbox 5` does not state `5 kWh`."""
        dates = all(any(date.agrees(known) for known in other.dates) for date in self.dates)
        return dates and all(
            any(_states_quantity(known, each) for known in other.quantities) for each in self.quantities
        )

    def begins_with(self, other: "Statement") -> bool:
        """Whether it starts with the other's words, in any order."""
        head = {canonical_stem(word.key) for word in self.words[: len(other.words)]}
        return head == other.keys

    def after(self, other: "Statement") -> str:
        """The text after the words that it shares with the other."""
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

    def _is_reversed(self, other: "Statement") -> bool:
        """`from A to B` is not `from B to A`."""
        mine, theirs = _FROM_TO.search(self.text), _FROM_TO.search(other.text)
        if not mine or not theirs:
            return False
        crossed = _folded(mine["one"]) == _folded(theirs["other"]) or _folded(mine["other"]) == _folded(theirs["one"])
        return crossed and _folded(mine["one"]) != _folded(theirs["one"])


@lru_cache(maxsize=4096)
def parse_statement(text: str, language: str, *, years: bool = True) -> Statement:
    """Parse a short text; without `years`, a possible year is read as a number."""
    dates, quantities = tuple(dates_in(text, years=years)), quantities_in(text, language, years=years)
    taken = [*((date.start, date.end) for date in dates), *((each.start, each.end) for each in quantities)]
    content = [
        word
        for word in words_in(text, language)
        if word.is_content and not any(start <= word.start < end for start, end in taken)
    ]
    words = [word for word in content if word.text.casefold() not in _LIGHT_WORDS]
    if not words and not taken:
        words = content
    return Statement(text, language, dates, quantities, tuple(words))


def canonical_stem(key: str) -> str:
    """One stem for all synonyms of a stem."""
    return min(synonyms(key))


def _states_quantity(known: Quantity, stated: Quantity) -> bool:
    return stated.equals(known) and (known.unit is not None or stated.unit is None)


def _folded(text: str) -> str:
    return re.sub(r"\W+", "", text).casefold()


_JOIN = load_lexicon("comparison").any_of("list_joins")
_SPLIT = re.compile(rf"[,;]\s*(?:(?:{_JOIN})\s+)?|(?<!\s)\s+(?:{_JOIN})\s+|\n+")
_JOINED = re.compile(rf"\s(?:{_JOIN})\s|\n|[,;].*[,;]|;", re.DOTALL)
_LEAD = re.compile(r"^[^,;:]{1,80}:\s+")
LONGEST_ITEM = 6


def items_of(text: str, language: str) -> tuple[Statement, ...]:
    """The items of an answer that is a list; empty for other answers."""
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
    """Whether two lists have the same items."""
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
    stated = bool(shorter) or item.has_facts
    return shorter == longer or (stated and shorter < longer and len(longer) - len(shorter) <= 1)


MIN_LEADING_SHARE = 0.2
MIN_DESCRIPTION_WORDS = 3  # words other than names: a description of this length may get a name added
MIN_SHARED = 0.5
MIN_SIMILARITY = 0.93
_OFFERS_CHOICE = re.compile(r"\b(?:or|oder|ou|или)\b|\b\w+ [ou] \w+\?|それとも", re.IGNORECASE)
_ADDS_ITEM = re.compile(
    rf"\s*(?:[,;、]\s*)?(?:{load_lexicon('comparison').any_of('list_joins')}|と|や)\b", re.IGNORECASE
)
_EXPLAINS = re.compile(r",?\s*(?:that|which|who|whose|where|used|die|das|der|que|qui|dont|котор\w+)\s", re.IGNORECASE)
_ADDS = re.compile(rf"[,;:]|(?<!\w)(?:{load_lexicon('comparison').any_of('list_joins')})(?!\w)", re.IGNORECASE)
_CLOSING = re.compile(r"(?:のこと)?(?:です|である|だ|でした|であった)?$")


def same_answer(
    one: str, other: str, similarity: Similarity | None = None, quotes: Sequence[str] = (), question: str = ""
) -> bool:
    """Whether two answers state the same facts.

    Numbers, dates, units, names and negations must agree; one answer may have more words, but not more facts. With
    `similarity`, a rewording with the same facts is accepted too; with the `quotes` that both are from, a longer cut
    of the same phrase; with the `question`, its own words make no difference.
    """
    one, other = strip_references(one), strip_references(other)
    language = guess_language(f"{one} {other}")
    if language == "ja":
        return _same_japanese(one, other)
    certain = compare_wording(one, other)
    if certain is not None:
        return certain
    mine, theirs = parse_statement(one, language), parse_statement(other, language)
    if quotes and mine.keys > theirs.keys and not _is_supported(mine, theirs, " ".join((*quotes, question))):
        return False
    same = any(only_explains(one, other, quote) for quote in quotes)
    same = same or _same_facts(mine, theirs, similarity) or _same_news(mine, theirs, question)
    if same or _same_without_brackets(mine, theirs, question):
        return True
    shorter, longer = sorted((one, other), key=len)
    if quotes and (clause := first_clause(longer)) != longer:
        return same_answer(shorter, clause, similarity, quotes, question)
    return any(is_same_place(one, other, quote) and _has_no_more(mine, theirs) for quote in quotes)


def _same_without_brackets(mine: Statement, theirs: Statement, question: str) -> bool:
    """Whether the answers are the same but for what only one of them has in brackets."""
    bare, other = (parse_statement(without_brackets(each.text), each.language) for each in (mine, theirs))
    if (bare.text == mine.text) == (other.text == theirs.text) or not (bare.text and other.text):
        return False
    return _same_facts(bare, other, None) or _same_news(bare, other, question)


def _is_supported(answer: Statement, known: Statement, source: str) -> bool:
    """Whether what an answer has beside the known one stands in the source."""
    return answer.keys - known.keys <= parse_statement(source, answer.language).keys


def _same_news(mine: Statement, theirs: Statement, question: str) -> bool:
    """Whether the answers are the same in what the question does not say itself: `GNU Mach`, `the GNU Mach kernel`."""
    if not question or mine.negations != theirs.negations:
        return False
    known = parse_statement(question, mine.language).keys
    news = [
        replace(each, words=tuple(word for word in each.words if canonical_stem(word.key) not in known))
        for each in (mine, theirs)
    ]
    if not all(each.words or each.dates or each.quantities for each in news):
        return False
    shorter = min(range(2), key=lambda at: len(news[at].keys))
    # `run apt list` and `run apt purge`: where a word of the question stands, another may not.
    is_cut = len(news[shorter].words) < len((mine, theirs)[shorter].words)
    return (news[0].keys == news[1].keys or not is_cut) and _same_facts(news[0], news[1], None)


def _same_facts(mine: Statement, theirs: Statement, similarity: Similarity | None) -> bool:
    if not mine.agrees(theirs):
        return False
    if mine.keys == theirs.keys:
        return bool(mine.keys) or mine.has_facts or _bare(mine.text) == _bare(theirs.text) != ""
    if items_of(mine.text, mine.language) or items_of(theirs.text, mine.language):
        return same_items(mine.text, theirs.text, mine.language)
    shorter, longer = sorted((mine, theirs), key=lambda statement: len(statement.keys))
    if shorter.keys <= longer.keys:
        return _only_longer(shorter, longer)
    return similarity is not None and _reworded(mine, theirs, similarity)


def _has_no_more(mine: Statement, theirs: Statement) -> bool:
    """Whether of two cuts of a phrase the longer one adds no number, date, negation or item."""
    shorter, longer = sorted((mine, theirs), key=lambda statement: len(statement.text))
    rest = without(longer.text, shorter.text)
    return mine.agrees(theirs) and not _ADDS.search(rest)


def gives_answer_away(question: str, answer: str) -> bool:
    """Whether the question already contains the answer, other than as one of several choices."""
    language = guess_language(f"{question} {answer}")
    if language == "ja":
        return _bare(answer) != "" and _bare(answer) in _bare(question)
    if says_yes_or_no(answer) or any(code not in question for code in codes_in(answer)):
        return False
    asked, stated = parse_statement(question, language), parse_statement(answer, language)
    if not (stated.keys or stated.dates or stated.quantities):
        return False
    contained = stated.keys <= asked.keys and stated.facts_are_in(asked)
    return contained and not _OFFERS_CHOICE.search(question)


def _only_longer(shorter: Statement, longer: Statement) -> bool:
    """Whether the longer statement adds only words to the shorter one, not a name or an item."""
    leads = bool(shorter.keys) and longer.begins_with(shorter)
    rest = longer.after(shorter) if leads else ""
    if not shorter.keys:
        return shorter.has_facts and (not longer.names or _is_counted(shorter, longer))
    share = len(shorter.keys) / len(longer.keys)
    described = len(shorter.keys - shorter.names) >= MIN_DESCRIPTION_WORDS and share >= MIN_SHARED
    if longer.names - shorter.names - shorter.keys and not (described or _EXPLAINS.match(rest)):
        return False
    return share >= MIN_LEADING_SHARE and not _ADDS_ITEM.match(rest) if leads else share >= MIN_SHARED


def _is_counted(shorter: Statement, longer: Statement) -> bool:
    """Whether the longer one is the number of the shorter with the noun that is counted: `8,640 Skylark kites`."""
    if len(shorter.quantities) != 1 or len(longer.words) > LONGEST_ITEM:
        return False
    return longer.words[0].start > longer.quantities[0].start and not _ADDS.search(longer.text)


def _reworded(mine: Statement, theirs: Statement, similarity: Similarity) -> bool:
    here, there = ({word.key for word in each.words} for each in (mine, theirs))
    opposed = any(opposites(key) & (there - here) for key in here - there)
    if opposed or mine.names ^ theirs.names or not (has_same_head(mine.text, theirs.text) or mine.language != "en"):
        return False
    shared = len(mine.keys & theirs.keys) / max(len(mine.keys), len(theirs.keys), 1)
    return shared >= MIN_SHARED and similarity(mine.text, theirs.text) >= MIN_SIMILARITY


def _bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", normalize("NFKC", text)).casefold()


def _same_japanese(one: str, other: str) -> bool:
    """Compare Japanese character by character, without the copula at the end."""
    mine, theirs = parse_statement(one, "ja"), parse_statement(other, "ja")
    if not mine.agrees(theirs):
        return False
    if mine.quantities and mine.keys == theirs.keys:
        return True
    shorter, longer = sorted((_CLOSING.sub("", _bare(one)), _CLOSING.sub("", _bare(other))), key=len)
    if shorter == longer:
        return shorter != ""
    return bool(shorter) and shorter in longer and len(shorter) >= MIN_SHARED * len(longer)
