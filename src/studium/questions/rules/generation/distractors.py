"""Wrong answers of the same type as the right one, from the same document."""

import re
from collections.abc import Callable, Iterator, Sequence
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
"""The types of common nouns, which are of very different things."""
_LINKED = re.compile(r"\b(?:of|for|from|in|on|to|about|with|by|between|against)\b")
_MARKS = re.compile(r"[^A-Za-z0-9]")
_NAMES = ("name", "full name", "numbered name")
_PLACED = ("in", "at", "near", "from", "to", "into", "on", "under", "within")
_ENDINGS = ("ism", "isms", "ist", "ists", "logy", "graphy")
_KNOWN = 2


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
        found = _of_the_same_type(right, pool, _fitting(fact, right, pool, same_head=same_head))
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
    alike = (other for other in near if other.family is fact.family and other.question.split(" of ")[0] == asked)
    return (other.answer for other in alike if _unit(other.answer) == _unit(fact.answer))


def _unit(value: str) -> str:
    """What stands with the number of a value; a percent sign in one choice alone would give it away."""
    return re.sub(r"[\d.,+\u2212-]+", "0", value) if re.match(r"\W*\d", value) else ""


def _numbers(text: str) -> list[Number]:
    return [number for number in numbers_in(text, "en") if number.value is not None and not number.ordinal]


def _other_numbers(right: str, pool: PhrasePool) -> Iterator[str]:
    """The same unit with other numbers of the document that are near in size and written in the same way."""
    numbers = _numbers(right)
    if len(numbers) != 1 or (size := numbers[0].value) is None:
        return
    number, digits = numbers[0], right[numbers[0].start].isdigit()
    if not f" {right} "[number.start].isspace():  # `POSIX.1-2001` is a name
        return
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

    def nearness(other: Phrase) -> tuple[bool, int, str]:
        written_alike = other.text[0].isdigit() == right.text[0].isdigit()
        return not written_alike, abs(_year(other.text) - year), other.text

    return (each.text for each in sorted(alike, key=nearness))


def _names_its_type(fact: Fact, right: Phrase) -> bool:
    """Whether the question says what the answer is, as `Which package …?` does."""
    opening, *rest = fact.question.split()
    return opening == "Which" and right.text.lower().endswith(tuple(rest[:1]))


def _fitting(fact: Fact, right: Phrase, pool: PhrasePool, *, same_head: bool) -> Callable[[Phrase], bool]:
    """Which phrases of the type also fit what is asked, so that they are no nonsense in the place of the answer."""
    if same_head or right.type in _OPEN_TYPES or _names_its_type(fact, right):
        return lambda one: _has_same_head(one, right)
    if fact.question.startswith("Where") and right.type in _NAMES:
        return lambda one: one.preposition in _PLACED and _is_as_long(one, right)
    if right.type in ("full name", "acronym"):
        return lambda one: not any(map(pool.is_common, one.text.split()))
    if right.type == "name" and not right.preposition:
        return lambda one: bool(content_words(one.text) & content_words(right.text))
    if right.type == "code":
        return lambda one: set(_MARKS.findall(one.text)) == set(_MARKS.findall(right.text))
    return lambda one: _is_as_long(one, right) and (right.type != "name" or _is_used_alike(one, right, pool))


def _is_as_long(one: Phrase, right: Phrase) -> bool:
    return abs(len(one.text.split()) - len(right.text.split())) <= (right.type not in _NAMES)


def _is_used_alike(one: Phrase, right: Phrase, pool: PhrasePool) -> bool:
    return one.preposition == right.preposition and pool.counts[one.key] >= _KNOWN


def _has_same_head(one: Phrase, right: Phrase) -> bool:
    """Whether two phrases are built alike around the same word: `bridge model`, `routing model`."""
    if one.head != right.head:
        return _ends_alike(one, right)
    return _LINKED.findall(one.text) == _LINKED.findall(right.text)


def _ends_alike(one: Phrase, right: Phrase) -> bool:
    """`collectivism`, `syndicalism`."""
    single = " " not in one.text and " " not in right.text
    return single and any(one.text.endswith(ending) and right.text.endswith(ending) for ending in _ENDINGS)


def _of_the_same_type(right: Phrase, pool: PhrasePool, fits: Callable[[Phrase], bool]) -> Iterator[str]:
    alike = [
        each
        for each in pool.phrases
        if each.key != right.key and each.type == right.type and each.plural == right.plural and fits(each)
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
