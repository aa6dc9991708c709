"""Which language a few words are in, where a statistical model has too little to go by: by script and small words."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from studium.core.text.scripts import ARABIC, CYRILLIC, GREEK, HAN, HANGUL, HEBREW, KANA, THAI, has_signs
from studium.core.text.stop_words import STOP_WORD_LANGUAGES, stop_words

LONGEST = 4000
_LETTER = 0.5
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019](?=[^\W\d_]))?")
# The first script that stands in a text decides; kana before Han, which Japanese and Chinese share.
_SCRIPTS = (
    (KANA, ("ja",)),
    (HANGUL, ("ko",)),
    (HAN, ("zh", "ja")),
    (CYRILLIC, ("ru", "uk", "bg", "sr", "be", "mk")),
    (GREEK, ("el",)),
    (ARABIC, ("ar", "fa", "ur")),
    (HEBREW, ("he",)),
    (THAI, ("th",)),
)
# Letters that one language writes and the others do not, where no small word tells.
_LETTERS = {
    "de": "äöüß",
    "es": "ñ¿¡",
    "fr": "œëîïûù",
    "it": "ìò",
    "pt": "ãõ",
}


@lru_cache(maxsize=4096)
def guess_language(text: str, among: Sequence[str] = STOP_WORD_LANGUAGES, default: str = "en") -> str:
    """The likeliest of some languages for a text, however short; the default where nothing tells.

    A script decides where only one of them is written in it. Else the small words do: one that several languages have
    counts for less. `among` must be a tuple.
    """
    if not text.isascii() and (found := _by_script(text, among)):
        return found
    words = [word.casefold() for word in _WORD.findall(text[:LONGEST])]
    scores = dict.fromkeys(among, 0.0)
    for word in words:
        spoken = _speakers(word.replace("\u2019", "'"), tuple(among))
        for language in spoken:
            scores[language] += 1 / len(spoken)
    for language in among:
        scores[language] += _LETTER * sum(letter in text for letter in _LETTERS.get(language, ""))
    best = max(scores.values(), default=0.0)
    leading = [language for language in among if scores[language] == best]
    return leading[0] if best and default not in leading else default


def count_stop_words(words: Iterable[str], among: Sequence[str] = STOP_WORD_LANGUAGES) -> Counter[str]:
    """How many of some case-folded words are small words of each language."""
    counts: Counter[str] = Counter(dict.fromkeys(among, 0))
    for word in words:
        counts.update(_speakers(word.replace("\u2019", "'"), tuple(among)))
    return counts


def _by_script(text: str, among: Sequence[str]) -> str:
    """The language of the first script found that one of the languages is written in; empty if none."""
    for signs, languages in _SCRIPTS:
        if has_signs(text, signs):
            return next((language for language in languages if language in among), "")
    return ""


@cache
def _by_word(among: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The languages that each small word belongs to."""
    every = {word for language in among for word in stop_words(language)}
    return {word: tuple(language for language in among if word in stop_words(language)) for word in every}


def _speakers(word: str, among: tuple[str, ...]) -> tuple[str, ...]:
    return _by_word(among).get(word, ())
