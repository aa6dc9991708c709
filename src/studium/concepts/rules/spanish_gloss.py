"""Glosses Spanish in English word by word, so that an English embedder can compare it."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TypedDict, cast

from studium.concepts.dependencies import Embed
from studium.core.text.language_detection import guess_language
from studium.core.text.normal_form import fold
from studium.core.text.tokens import split_words
from studium.core.text.word_lists import load_text, load_word_table

_SHORTEST_STEM = 3


def spanish_stem(word: str) -> str:
    """The stem by which the dictionary finds a folded Spanish word; it cuts more than `core.text.stems` does."""
    for ending in _longest_first():
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)]
    return word


_SPANISH_ENDINGS = (
    "a as o os e es s ar er ir an en amos emos imos aba aban ia ian ado ada ados adas ido ida idos idas"
    " ando iendo yendo arse erse irse arlo erlo irlo arla erla irla arlos erlos irlos arnos ernos irnos arte erte"
    " arles erles ara era ira aran eran iran are ere ire aria eria iria arian erian irian aremos eremos iremos aste"
    " iste io aron ieron yeron ase iese asen iesen mente amente cion ciones acion aciones"
)


@lru_cache(maxsize=1)
def _longest_first() -> list[str]:
    return sorted(_SPANISH_ENDINGS.split(), key=len, reverse=True)


class DuplicateWords(TypedDict):
    """The word lists of `duplicate_words.yaml`; words are separated by spaces, and opposites come in pairs."""

    empty: str
    kept: str
    turning: str
    opposites: list[list[str]]
    unrelated: list[str]


def word_lists() -> DuplicateWords:
    """The word lists that concepts are compared by."""
    return cast("DuplicateWords", load_word_table(__package__, "duplicate_words.yaml"))


# The endings of words from Latin and Greek in both languages.
_COGNATES = tuple(
    (re.compile(f"{spanish}$"), english)
    for spanish, english in (
        ("ciones", "tions"),
        ("cion", "tion"),
        ("siones", "sions"),
        ("idades", "ities"),
        ("idad", "ity"),
        ("dad", "ty"),
        ("amente", "ly"),
        ("mente", "ly"),
        ("ismos?", "ism"),
        ("istas?", "ist"),
        ("[oa]s[oa]s?", "ous"),
        ("ic[oa]s?", "ic"),
        ("iv[oa]s?", "ive"),
        ("encias?", "ence"),
        ("ancias?", "ance"),
        ("ogias?", "ogy"),
        ("ias?", "y"),
        ("ari[oa]s?", "ary"),
        ("ori[oa]s?", "ory"),
        ("uras?", "ure"),
        ("antes?", "ant"),
        ("entes?", "ent"),
        ("ables", "able"),
        ("ibles", "ible"),
        ("ales", "al"),
        ("ores", "ors"),
        ("izar", "ize"),
        ("ificar", "ify"),
        ("(?<=t)[oa]s?", ""),
        ("(?<=ul)[oa]s?", "e"),
    )
)


def embed_with_gloss(embed: Embed) -> Embed:
    """Lets an embedder that knows only English embed Spanish too, by its gloss."""
    return lambda texts: embed([gloss(text) if is_spanish(text) else text for text in texts])


def gloss(text: str) -> str:
    """The Spanish words of a text in English, one by one."""
    words = split_words(text, numbers=True, marks=".,;:!?%", unspaced="whole")
    return " ".join(_glossed(fold(word, accents=False)) for word in words)


def is_spanish(text: str) -> bool:
    """Whether a text is Spanish rather than English."""
    return guess_language(text, ("en", "es")) == "es"


@lru_cache(maxsize=20_000)
def _glossed(word: str) -> str:
    forms, stems = _dictionary()
    for form in (word, word.removesuffix("s"), word.removesuffix("es")):
        if form in forms:
            return forms[form]
    known = (stems[stem] for stem in _possible_stems(word) if stem in stems)
    return next(known, None) or _as_cognate(word)


def _possible_stems(word: str) -> Iterator[str]:
    """The stem; then without a broken vowel (`piensa`), in another spelling (`busque`), or without a prefix."""
    stem = spanish_stem(word)
    yield stem
    for sound, written in (("ie", "e"), ("ue", "o"), ("qu", "c"), ("gu", "g"), ("zc", "c"), ("j", "g")):
        if sound in stem:
            yield stem.replace(sound, written)
    if stem.endswith("c"):
        yield f"{stem[:-1]}z"
    yield from (stem.removeprefix(prefix) for prefix in ("des", "re") if len(stem) > len(prefix) + 3)


def _as_cognate(word: str) -> str:
    for ending, english in _COGNATES:
        found = ending.search(word)
        if found and found.start() > 1:
            return word[: found.start()] + english
    return word


@lru_cache(maxsize=1)
def _dictionary() -> tuple[dict[str, str], dict[str, str]]:
    """English by Spanish word, and by stem; where two words claim a form, the first in the list has it."""
    listed = load_text(__package__, "spanish.txt")
    forms: dict[str, str] = {}
    stems: dict[str, str] = {}
    for line in listed.splitlines():
        if line.startswith("#"):
            continue
        english, *words = line.split()
        for word in (fold(each, accents=False) for each in words):
            forms.setdefault(word, english.replace("_", " "))
            stems.setdefault(spanish_stem(word), english.replace("_", " "))
    return forms, stems
