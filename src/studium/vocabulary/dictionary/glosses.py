"""English in the dictionary: a gloss as a learner wants it, and the keys it is found by."""

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

from studium.vocabulary.dictionary.headword import in_hiragana
from studium.vocabulary.domain import PartOfSpeech, WordToken

_ASIDE = re.compile(r"\([^()]*\)")
_LEAD = re.compile(r"^(?:to be|to|being|an?|the|one's)\s+(?=\S)")
_ENDING = re.compile(r"(?<=[a-z]{3})(?:ing|ed|es|s|e|y)$")
_DOUBLED = re.compile(r"([a-z])\1$")
_SHORT, _LONG = 3, 5
# Words of every other gloss tell nothing.
_TELLING = re.compile(
    r"\b(?!(?:the|for|with|from|and|one's|oneself|someone|something|somebody|etc|esp|usu|its|that|this|which|who|not|into|"
    r"out|off|over|often|used|made|make|person|thing|also|being|such|particular|certain|very)\b)[a-z][a-z'-]{2,}"
)


def short_gloss(glosses: tuple[str, ...]) -> str:
    """The first gloss without its asides; a shorter one beside it, where the first is an explanation."""
    plain = [_plain(gloss) for gloss in glosses]
    first = plain[0]
    if len(first.split()) > _LONG:
        return next((gloss for gloss in plain[1:] if len(gloss.split()) <= _SHORT), first)
    return first


def gloss_key(gloss: str) -> str:
    """What a gloss is looked up by: lower case, no asides, no article, no `to`."""
    return _LEAD.sub("", _plain(gloss).lower()).strip(" .!?")


def informative_words(text: str) -> frozenset[str]:
    """The words of a gloss that say something, asides and all."""
    return frozenset(_stem(word) for word in _TELLING.findall(text.lower()))


def _plain(gloss: str) -> str:
    return " ".join(_ASIDE.sub(" ", gloss).split()).strip(" ;,") or gloss.strip("()")


def _stem(word: str) -> str:
    """A word without its ending, so that `running` meets `run` and `tears` meets `tear`."""
    return _DOUBLED.sub(r"\1", _ENDING.sub("", word))


_Rules = list[tuple[frozenset[str], str]]


def read_table(name: str) -> Iterator[list[str]]:
    """The rows of a table that lies beside this module."""
    text = resources.files("studium.vocabulary.dictionary").joinpath(name).read_text(encoding="utf-8")
    return (line.split("\t") for line in text.splitlines())


def preferred_gloss(word: WordToken, line: str) -> str | None:
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
    for lemma, reading, near, gloss in read_table("preferred_senses.tsv"):
        rules.setdefault((lemma, reading), []).append((frozenset(filter(None, near.split("|"))), gloss_key(gloss)))
    return rules


@cache
def _translations() -> dict[str, dict[str, tuple[str, str]]]:
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for english, pos, written, reading in read_table("preferred_words.tsv"):
        found.setdefault(english, {})[pos] = (written, reading)
    return found
