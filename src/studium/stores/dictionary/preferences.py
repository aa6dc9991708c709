"""What songs mean by words of which dictionaries put another sense first: two tables, written by hand."""

from collections.abc import Iterator
from functools import cache
from importlib import resources

from studium.domain.word import PartOfSpeech, SungWord
from studium.stores.dictionary import glossing
from studium.stores.dictionary.headword import in_hiragana

_Rules = list[tuple[frozenset[str], str]]


def table(name: str) -> Iterator[list[str]]:
    """The rows of a table that lies beside this module."""
    text = resources.files("studium.stores.dictionary").joinpath(name).read_text(encoding="utf-8")
    return (line.split("\t") for line in text.splitlines())


def preferred_gloss(word: SungWord, line: str) -> str | None:
    """What this word means in songs: beside one of the words that the table names, or else anywhere."""
    anywhere = None
    for near, gloss in _glosses().get((word.lemma, in_hiragana(word.lemma_reading)), ()):
        if not near:
            anywhere = gloss
        elif any(other in line for other in near):
            return gloss
    return anywhere


def preferred_translation(english: str, pos: PartOfSpeech | None) -> tuple[str, str] | None:
    """The word and reading that a song in English means, if the table says so; any kind of word may be asked for."""
    found = _translations().get(english, {})
    return next(iter(found.values()), None) if pos is None else found.get(pos)


@cache
def _glosses() -> dict[tuple[str, str], _Rules]:
    rules: dict[tuple[str, str], _Rules] = {}
    for lemma, reading, near, gloss in table("preferred_senses.tsv"):
        rules.setdefault((lemma, reading), []).append((frozenset(filter(None, near.split("|"))), glossing.key(gloss)))
    return rules


@cache
def _translations() -> dict[str, dict[str, tuple[str, str]]]:
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for english, pos, written, reading in table("preferred_words.tsv"):
        found.setdefault(english, {})[pos] = (written, reading)
    return found
