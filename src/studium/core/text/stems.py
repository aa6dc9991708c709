"""Stems, which all forms of a word share: `networks` and `network`, `escribió` and `escribir`, `портов` and `порта`."""

from functools import cache, lru_cache
from threading import Lock
from typing import Protocol
from unicodedata import normalize

from studium.core.text.locate import UNSPACED
from studium.core.text.normal_form import strip_accents
from studium.core.text.tokens import CYRILLIC, has_signs
from studium.core.text.word_lists import load_word_pairs

_ALGORITHMS = {
    "da": "danish",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
}
STEMMED_LANGUAGES = frozenset(_ALGORITHMS)
_POSSESSIVES = ("'s", "\u2019s", "s'", "s\u2019")
_SHORTEST = 3
# A stemmer stores the word that it works on, so two threads must not use it at the same time.
_lock = Lock()


class _Stemmer(Protocol):
    """The library's stemmer for one language."""

    def stemWord(self, word: str) -> str: ...  # noqa: N802 - the library's name


@lru_cache(maxsize=200_000)
def stem(word: str, language: str | None = None) -> str:
    """The stem of a word in lower case without accents; irregular English forms have the stem of their base form.

    Without a language, a word in Cyrillic counts as Russian and any other as English. In a language without a stemmer,
    or a script without spaces, the whole word is its stem.
    """
    folded = normalize("NFKC", word).casefold()
    if has_signs(folded, UNSPACED):
        return folded
    code = _code(language, folded)
    if code == "en":
        folded = _without_possessive(folded)
        folded = load_word_pairs(__package__, "data/irregular_forms/en.txt").get(folded, folded)
    if code not in _ALGORITHMS or len(folded) < _SHORTEST:
        return strip_accents(folded)
    # The Russian stemmer expects no `ё`; the others expect accents.
    with _lock:
        return strip_accents(_stemmer(code).stemWord(folded.replace("ё", "\u0435")))


def share_stem(one: str, other: str, language: str | None = None) -> bool:
    """Whether two words are forms of the same word."""
    return stem(one, language) == stem(other, language)


def _code(language: str | None, word: str) -> str:
    if language:
        return language.replace("_", "-").partition("-")[0].lower()
    return "ru" if has_signs(word, CYRILLIC) else "en"


def _without_possessive(word: str) -> str:
    ending = next((each for each in _POSSESSIVES if word.endswith(each)), "")
    return word[: -len(ending)] + ("s" if ending.startswith("s") else "") if ending else word


@cache
def _stemmer(code: str) -> _Stemmer:
    import snowballstemmer

    stemmer: _Stemmer = snowballstemmer.stemmer(_ALGORITHMS[code])
    return stemmer
