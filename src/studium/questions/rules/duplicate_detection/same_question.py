"""Decide whether two questions ask the same, and find the most similar accepted questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from studium.core.domain.ports import Similarity
from studium.core.domain.skill import Tool
from studium.core.llm.models import Rule
from studium.questions.rules.comparison import synonym_tables
from studium.questions.rules.comparison.lemmas import are_opposites, are_synonyms
from studium.questions.rules.comparison.words import Word, stems_of
from studium.questions.rules.duplicate_detection.english import asks_for_the_same, compare_by_grammar
from studium.questions.rules.duplicate_detection.question_type import (
    THING,
    ComparedQuestion,
    compatible_types,
    parse_question,
)
from studium.questions.skills import DedupeInput, DedupeResult

EMPTY, LIGHT = (stems_of(words.split()) for words in (synonym_tables.EMPTY, synonym_tables.LIGHT))
ENOUGH_SHARED = 2
_JOINED = frozenset({"and", "or", "between"})
_DIRECTIONS = frozenset({"north", "south", "east", "west", "northern", "southern", "eastern", "western", "new"})


@dataclass(frozen=True)
class QuestionPair:
    """Two questions, with the content words that only one of them has."""

    one: ComparedQuestion
    other: ComparedQuestion

    @cached_property
    def only_first(self) -> list[Word]:
        """The content words that only the first has."""
        return _unmatched(self.one, self.other)

    @cached_property
    def only_second(self) -> list[Word]:
        """The content words that only the second has."""
        return _unmatched(self.other, self.one)

    @property
    def contradicts(self) -> bool:
        """Whether the types differ, or a number, a negation, an opposite or a direction."""
        return (
            not (self.one.words and self.other.words)
            or not (compatible_types(self.one.type, self.other.type) or self._asks_for_the_same)
            or not self.one.statement.agrees(self.other.statement)
            or self._opposed
            or self._reversed
        )

    @property
    def _asks_for_the_same(self) -> bool:
        return self.one.language == "en" and asks_for_the_same(self.one.text, self.other.text)

    @property
    def is_duplicate(self) -> bool:
        """Whether neither has content that the other lacks."""
        if self.only_first and self.only_second:
            return False
        extra = [*self.only_first, *self.only_second]
        light = self._shared >= ENOUGH_SHARED and all(word.key in LIGHT for word in extra)
        return not extra or light or _completes_names(extra, self.one if self.only_first else self.other)

    @property
    def differs(self) -> bool:
        """Whether one has another word or name in the same frame, or only asks for a definition."""
        named = any(_is_name(word) for word in (*self.only_first, *self.only_second)) and self.one.language != "de"
        return named or self.one.frame == self.other.frame or self._asks_only_what_it_is

    @property
    def replaces_a_word(self) -> bool:
        """Whether both have the same number of own words, and all others in the same order."""
        unmatched = (*self.only_first, *self.only_second)
        here, there = ([word for word in each.words if word not in unmatched] for each in (self.one, self.other))
        in_order = len(here) == len(there) and all(map(_same_word, here, there))
        return len(self.only_first) == len(self.only_second) and self.one.type.name == self.other.type.name and in_order

    @property
    def mostly_shared(self) -> bool:
        """Whether at most one word of each question has no match."""
        return self._shared >= ENOUGH_SHARED and len(self.only_first) <= 1 and len(self.only_second) <= 1

    @property
    def _shared(self) -> int:
        return min(len(self.one.words) - len(self.only_first), len(self.other.words) - len(self.only_second))

    @property
    def _opposed(self) -> bool:
        """Whether one has `before` where the other has `after`."""
        here, there = self.one.stems - self.other.stems, self.other.stems - self.one.stems
        return any(are_opposites(word, other) for word in here for other in there)

    @property
    def _reversed(self) -> bool:
        """`What did A say to B?` is not `What did B say to A?`, although the words and the frame are the same."""
        frame = self.one.frame
        if frame != self.other.frame or "do" not in frame or _JOINED & set(frame):
            return False
        here, there = ([word.key for word in each.words] for each in (self.one, self.other))
        return here != there and sorted(here) == sorted(there)

    @property
    def _asks_only_what_it_is(self) -> bool:
        return (not self.only_first and _only_what_it_is(self.one, self.other)) or (
            not self.only_second and _only_what_it_is(self.other, self.one)
        )


def compare_questions(one: str, other: str) -> QuestionPair:
    """Parse two questions for comparison."""
    return QuestionPair(parse_question(one, other), parse_question(other, one))


def _unmatched(mine: ComparedQuestion, theirs: ComparedQuestion) -> list[Word]:
    """The content words without a match in the other question."""
    return [
        word
        for word in mine.words
        if word.key not in EMPTY
        and not (theirs.type.bare and word.text == mine.type.noun)
        and not _among(word, theirs.words)
    ]


def _among(word: Word, others: Sequence[Word]) -> bool:
    return any(_same_word(word, other) for other in others)


def _same_word(word: Word, other: Word) -> bool:
    if _is_code(word) or _is_code(other):
        return _singular(word.text) == _singular(other.text)
    return are_synonyms(word.key, other.key)


def _singular(code: str) -> str:
    """`NICUs` as `NICU`."""
    return code[:-1].casefold() if code[:-1].isupper() and code.endswith("s") else code.casefold()


def _is_name(word: Word) -> bool:
    return word.capital and word.start > 1


def _completes_names(words: Sequence[Word], asked: ComparedQuestion) -> bool:
    """Whether each is part of a name that the other question knows too: `Albert Einstein`, `Mount Everest`."""
    names = [word for word in asked.words if _is_name(word) and word not in words]
    return all(
        _is_name(word)
        and word.text.casefold() not in _DIRECTIONS
        and any(name.start - word.end == 1 or word.start - name.end == 1 for name in names)
        for word in words
    )


def _is_code(word: Word) -> bool:
    """`HTTPS` is not the plural of `HTTP`."""
    return len(word.text) > 1 and (word.text.isupper() or any(sign.isdigit() for sign in word.text))


def _only_what_it_is(asked: ComparedQuestion, other: ComparedQuestion) -> bool:
    """`What is a turbine?`; and, beside `How do you change the port?`, also `What is the port of the server?`."""
    what_is = asked.type.name == THING and not asked.type.noun and asked.frame[:1] == ("be",)
    return what_is and (asked.frame == ("be",) or other.type.name == "manner")


MAX_NEAREST = 12
MIN_SIMILARITY = 0.78
MIN_SIMILARITY_WORD_REPLACED = 0.9
# Vectors are slow: only this many times the wanted number of questions is compared by them.
_WIDER = 4


def same_question(one: str, other: str, similarity: Similarity | None = None) -> bool:
    """Whether two questions ask the same; similarity decides only where the rules find no difference."""
    if one.split() == other.split():
        return True
    pair = compare_questions(one, other)
    if pair.contradicts:
        return False
    if pair.one.language == "en" and (verdict := compare_by_grammar(one, other)) is not None:
        return verdict
    if pair.is_duplicate or pair.differs:
        return pair.is_duplicate
    # The embedder knows English only; other languages are compared by words.
    if similarity is None or pair.one.language != "en":
        return pair.mostly_shared
    return similarity(one, other) >= (MIN_SIMILARITY_WORD_REPLACED if pair.replaces_a_word else MIN_SIMILARITY)


def nearest_questions(
    question: str, accepted: Sequence[str], k: int = MAX_NEAREST, similarity: Similarity | None = None
) -> tuple[str, ...]:
    """The accepted questions most similar to this one, most similar first."""
    shared = {other: _shared_words(question, other) for other in accepted}
    by_words = sorted(shared, key=lambda other: (-shared[other], other))
    if similarity is None:
        return tuple(by_words[:k])
    near = {other: similarity(question, other) + shared[other] for other in by_words[: k * _WIDER]}
    return tuple(sorted(near, key=lambda other: (-near[other], other))[:k])


def dedupe_rule(similarity: Similarity | None = None) -> Rule:
    """The rule that answers the deduplicator's skill."""

    def dedupe(given: DedupeInput, _tools: Sequence[Tool]) -> DedupeResult:
        same = (asked for asked in given.accepted if same_question(given.question, asked, similarity))
        return DedupeResult(duplicate_of=next(same, None))

    return dedupe


def _shared_words(one: str, other: str) -> float:
    """The share of words that two questions have in common, from 0 to 1."""
    mine, theirs = parse_question(one).stems, parse_question(other).stems
    return 2 * len(mine & theirs) / ((len(mine) + len(theirs)) or 1)
