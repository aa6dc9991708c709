"""Wrong answers of the same type as the right one, from the same document."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import chain

from studium.questions.rules.comparison.answers import same_answer
from studium.questions.rules.comparison.quantities import Number, numbers_in
from studium.questions.rules.generation.english_words import word_list
from studium.questions.rules.generation.facts import Fact, QuestionFamily, content_words
from studium.questions.rules.generation.phrases import Phrase, PhrasePool, without_article

ENOUGH = 3
"""The wrong answers that a choice needs."""
_LIGHT = word_list("light")
_NEAR_YEARS = 40
_TIMES = 5
_SAME_HEAD, _SAID_OFTEN, _OTHER_LENGTH, _FAR = 2.0, 0.5, 0.4, 0.001
_LISTED = (QuestionFamily.ENTRY, QuestionFamily.TABLE)
_CALENDAR = ("day", "month", "date", "year")
_OPEN_TYPES = ("thing", "abstract", "place", "person")
_ENDING, _KNOWN = 3, 2


def wrong_answers(
    fact: Fact, right: Phrase, pool: PhrasePool, facts: Sequence[Fact], *, same_head: bool = False
) -> list[str]:
    """Wrong answers to the question of a fact, the most plausible first; none is right in other words.

    With `same_head`, only those with the same main word: other things would not fit what is asked.
    """
    if fact.family in _LISTED:
        found = _of_the_same_property(fact, facts)
    elif right.type in _CALENDAR:
        found = chain(_other_dates(right, pool), _other_numbers(right.text, pool))
    elif _numbers(right.text):
        found = _other_numbers(right.text, pool)
    else:
        found = _of_the_same_type(right, pool, same_head=same_head or _names_its_type(fact, right))
    chosen: list[str] = []
    for text in found:
        if _is_wrong(text, right.text, fact, pool) and not any(_overlap(text, other) for other in chosen):
            chosen.append(text)
            if len(chosen) == ENOUGH:
                break
    return chosen


def _of_the_same_property(fact: Fact, facts: Sequence[Fact]) -> Iterator[str]:
    """The values of other things in the same table, or under the same label."""
    asked = fact.question.split(" of ")[0]
    near = sorted(facts, key=lambda other: (abs(other.line - fact.line), other.line))
    return (other.answer for other in near if other.family is fact.family and other.question.split(" of ")[0] == asked)


def _numbers(text: str) -> list[Number]:
    return [number for number in numbers_in(text, "en") if number.value is not None and not number.ordinal]


def _other_numbers(right: str, pool: PhrasePool) -> Iterator[str]:
    """The same unit with other numbers of the document that are near in size and written in the same way."""
    numbers = _numbers(right)
    if len(numbers) != 1 or (size := numbers[0].value) is None:
        return
    number, digits = numbers[0], right[numbers[0].start].isdigit()
    found: dict[Decimal, str] = {}
    for other, written in pool.numbers:
        if written[0].isdigit() == digits and other != size and _is_near(other, size) and other > 1:
            found.setdefault(other, written)
    for other in sorted(found, key=lambda each: (abs(each - size), each)):
        yield f"{right[: number.start]}{found[other]}{right[number.end :]}"


def _is_near(one: Decimal, other: Decimal) -> bool:
    return other > 0 and max(one, other) <= _TIMES * min(one, other)


def _other_dates(right: Phrase, pool: PhrasePool) -> Iterator[str]:
    """The dates of the document that are given as exactly, the nearest years first."""
    year = _year(right.text)
    alike = [each for each in pool.phrases if each.type == right.type and abs(_year(each.text) - year) <= _NEAR_YEARS]
    return (each.text for each in sorted(alike, key=lambda each: (abs(_year(each.text) - year), each.text)))


def _names_its_type(fact: Fact, right: Phrase) -> bool:
    """Whether the question says what the answer is, as `Which package …?` does."""
    opening, *rest = fact.question.split()
    return opening == "Which" and right.text.lower().endswith(tuple(rest[:1]))


def _of_the_same_type(right: Phrase, pool: PhrasePool, *, same_head: bool) -> Iterator[str]:
    alike = [
        each
        for each in pool.phrases
        if each.key != right.key
        and each.type == right.type
        and each.plural == right.plural
        and (each.head == right.head or (not same_head and _is_comparable(each, right, pool)))
    ]

    def plausible(phrase: Phrase) -> tuple[float, int]:
        good = (
            _SAME_HEAD * (phrase.head == right.head)
            + _SAID_OFTEN * min(3, pool.counts[phrase.key] - 1)
            - _OTHER_LENGTH * abs(len(phrase.text.split()) - len(right.text.split()))
            - _FAR * abs(phrase.line - right.line)
        )
        return -good, phrase.line

    return (each.text for each in sorted(alike, key=plausible))


def _is_comparable(one: Phrase, right: Phrase, pool: PhrasePool) -> bool:
    """Whether two phrases of a type are also alike in form, and the document comes back to the other one."""
    if right.type not in _OPEN_TYPES:
        return abs(len(one.text.split()) - len(right.text.split())) <= 1
    words, own = one.text.split(), right.text.split()
    if content_words(" ".join(words[:-1])) & content_words(" ".join(own[:-1])):
        return True
    if len(words) != len(own) or (len(own) == 1 and right.type == "thing"):
        return False
    if right.type == "abstract" and one.text[-_ENDING:] != right.text[-_ENDING:]:
        return False
    return len(own) == 1 or pool.counts[one.key] >= _KNOWN


def _year(text: str) -> int:
    """The year of a date; the same for all dates without one."""
    return int(text[-4:]) if text[-4:].isdigit() else 0


def _is_wrong(text: str, right: str, fact: Fact, pool: PhrasePool) -> bool:
    """Whether the document nowhere says this of what is asked about."""
    if _overlap(text, right) or content_words(text) & content_words(fact.question) - content_words(right):
        return False
    own = {" ".join(quote.split()).casefold() for quote in fact.quotes}
    if any(text.casefold() in quote for quote in own):
        return False
    asked = content_words(fact.question)
    predicate = fact.predicate.casefold() if fact.predicate not in _LIGHT else ""
    for sentence, lemmas in pool.said:
        if _says(sentence, text) and sentence not in own:
            shared = content_words(sentence) & asked
            if (predicate and predicate in lemmas) or len(shared) >= max(2, 0.6 * len(asked)):
                return False
    return True


def _says(sentence: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(text.casefold())}(?!\w)", sentence) is not None


def _overlap(one: str, other: str) -> bool:
    """Whether one answer is the other in other words, or a part of it."""
    mine, theirs = content_words(without_article(one)), content_words(without_article(other))
    return (
        mine <= theirs
        or theirs <= mine
        or same_answer(one, other)
        or _initials(one) == other
        or _initials(other) == one
    )


def _initials(text: str) -> str:
    return "".join(word[0] for word in text.split() if word[0].isalpha()).upper()
