"""Numbers as five languages write them, in digits and in words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from studium.questions.rules.comparison.lexicon import load_lexicon
from studium.questions.rules.comparison.words import guess_language

_DIGITS = re.compile(
    r"(?<![A-Za-zÀ-ÿА-я\d_.,:/])(?<![A-Za-z]-)(?P<sign>[-−](?=\d))?"
    r"(?:\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,:/]\d+)*)(?P<ordinal>(?:st|nd|rd|th)\b)?"
)
_GROUPED = re.compile(r"\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*(?:(?!\1)[.,]\d+)?")
_LEXICON = load_lexicon("comparison")
_ROUND = {word: int(size) for size, words in _LEXICON.by_language("round_numbers").items() for word in words}
_PLACES = {word: place for place, word in enumerate(_LEXICON.concepts["ordinals"]["en"].split(), 1)}
TEN, TWENTY, HUNDRED = 10, 20, 100
LONGEST = 120  # signs; no number is longer in words
_WORD = re.compile(r"[^\W\d_]+")
_JOINS = {"en": ("and",), "es": ("y",), "fr": ("et",), "de": (), "ru": (), "ja": ()}


@dataclass(frozen=True)
class Number:
    """A number where it stands; `exact` holds what is no plain amount: a time, a version, an address."""

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
# An answer of two words does not tell its language; long number words of the others are no English words.
_UNMISTAKABLE = 5
_SPELLED["en"] |= {
    word: value
    for language in ("de", "es", "fr")
    for word, value in _SPELLED[language].items()
    if len(word) >= _UNMISTAKABLE and word != "seize"
}
_FIRST = {language: frozenset({*spelled, *_ROUND, *_PLACES}) for language, spelled in _SPELLED.items()}


def numbers_in(text: str, language: str | None = None) -> list[Number]:
    """The numbers of a text, in order."""
    written = list(_written(text))
    spoken = [
        number
        for number in _spoken(text, language or guess_language(text))
        if all(number.end <= other.start or number.start >= other.end for other in written)
    ]
    return sorted(written + spoken, key=lambda number: number.start)


def _written(text: str) -> Iterator[Number]:
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


def _spoken(text: str, language: str) -> Iterator[Number]:
    """Numbers in words; `twenty-one thousand` is one of them."""
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
    """The value of the number words that begin here, and how many they are."""
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
        elif not (taken and word in _JOINS[language] and index + 1 < len(words) and _goes_on(words, index, spelled)):
            break
        taken = index + 1
    one_of_them = taken == 1 and text[words[0].end() :].startswith(" of")
    return (0, 0) if one_of_them and words[0][0].casefold() == "one" else (total + part, taken)


def _goes_on(words: list[re.Match[str]], index: int, spelled: dict[str, int]) -> bool:
    before, after = words[index - 1][0].casefold(), words[index + 1][0].casefold()
    tens = before in _ROUND or spelled.get(before, 0) >= TWENTY
    return tens and after in spelled and before != "thousand"


def _is_unit(text: str, word: re.Match[str]) -> bool:
    """`per second` and `one second` measure time; `the second gate` counts."""
    before = text[: word.start()].rstrip().rsplit(" ", 1)[-1].casefold()
    return word[0].casefold() == "second" and before not in ("the", "a", "")
