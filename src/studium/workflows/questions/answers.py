"""Whether two answers say the same: by their words, and strictly by their numbers and negations."""

import re

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_NEGATION = frozenset(
    {"not", "no", "never", "none", "without", "cannot", "nicht", "kein", "keine", "nunca", "sin", "не", "нет"}
)
_EMPTY = frozenset(
    {"a", "an", "the", "of", "to", "in", "on", "is", "are", "was", "were", "it", "and", "or", "that", "which"}
)
ENOUGH_OVERLAP = 0.6


def same_answer(one: str, other: str) -> bool:
    """True where numbers and negations are equal and most words are shared."""
    if _numbers(one) != _numbers(other) or _negations(one) != _negations(other):
        return False
    mine, theirs = words(one), words(other)
    if not mine or not theirs:
        return mine == theirs
    shared = len(mine & theirs)
    return 2 * shared / (len(mine) + len(theirs)) >= ENOUGH_OVERLAP


def gives_itself_away(question: str, answer: str) -> bool:
    """True where the question already says everything the answer says."""
    said = terms(answer)
    return bool(said) and said <= terms(question)


def terms(text: str) -> set[str]:
    """The words that carry meaning, and the numbers."""
    return words(text) | _numbers(text)


def _numbers(text: str) -> set[str]:
    return {number.rstrip(".,:") for number in _NUMBER.findall(text)}


def _negations(text: str) -> int:
    return sum(map(_negates, _all_words(text)))


def words(text: str) -> set[str]:
    """The words that carry meaning, case-folded; negations are counted on their own."""
    return {word for word in _all_words(text) if word not in _EMPTY and not _negates(word)}


def _negates(word: str) -> bool:
    return word in _NEGATION or word.endswith("n't")


def _all_words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text.replace("’", "'"))]
