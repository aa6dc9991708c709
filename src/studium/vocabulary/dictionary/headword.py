"""A headword as JMdict has it: its forms, its senses, and how it is packed into one field of our file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import orjson

from studium.vocabulary.domain import PartOfSpeech, WordToken

_HIRAGANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") - 1)}


def in_hiragana(text: str) -> str:
    """A text with its katakana turned into hiragana, so that both spellings of a word meet."""
    return text.translate(_HIRAGANA)


@dataclass(frozen=True, slots=True)
class WordForm:
    """One way to write or to read a word, how common it is, and (of a reading) which written forms it belongs to."""

    text: str
    priority: float = 0
    is_irregular: bool = False
    belongs_to: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sense:
    """One meaning of a word, and when it applies."""

    glosses: tuple[str, ...]
    kinds: tuple[PartOfSpeech, ...]
    marks: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    belongs_to: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Headword:
    """A word with all its forms and senses; the first of each is the usual one."""

    id: int
    written: tuple[WordForm, ...]
    read: tuple[WordForm, ...]
    senses: tuple[Sense, ...]
    jlpt: int | None = None
    frequency: float | None = None

    @property
    def is_usually_kana(self) -> bool:
        """Whether a learner meets the word in kana."""
        return not self.written or "kana" in self.senses[0].marks

    @property
    def kinds(self) -> frozenset[PartOfSpeech]:
        """All the parts of speech the word can be."""
        return frozenset(kind for sense in self.senses for kind in sense.kinds)

    def readings_of(self, written: str) -> tuple[WordForm, ...]:
        """How this written form can be read."""
        fitting = tuple(form for form in self.read if not form.belongs_to or written in form.belongs_to)
        return fitting or self.read


def pack_headword(word: Headword) -> bytes:
    """A headword as the bytes our file keeps."""
    forms = [[[f.text, f.priority, f.is_irregular, f.belongs_to] for f in side] for side in (word.written, word.read)]
    senses = [[s.glosses, s.kinds, s.marks, s.fields, s.belongs_to, s.note] for s in word.senses]
    return orjson.dumps([*forms, senses, word.jlpt, word.frequency])


def unpack_headword(id_: int, data: bytes) -> Headword:
    """The headword that these bytes keep."""
    written, read, senses, jlpt, frequency = orjson.loads(data)
    return Headword(
        id=id_,
        written=tuple(WordForm(text, priority, irregular, tuple(of)) for text, priority, irregular, of in written),
        read=tuple(WordForm(text, priority, irregular, tuple(of)) for text, priority, irregular, of in read),
        senses=tuple(_sense(*fields) for fields in senses),
        jlpt=jlpt,
        frequency=frequency,
    )


def _sense(*packed: Any) -> Sense:
    glosses, kinds, marks, fields, belongs_to, note = packed
    return Sense(tuple(glosses), tuple(kinds), tuple(marks), tuple(fields), tuple(belongs_to), note)


_UNKNOWN_FREQUENCY = 2.0
_COST = {
    "archaic": 6.0,
    "obscure": 5.0,
    "dialect": 5.0,
    "name": 5.0,
    "vulgar": 4.0,
    "historical": 3.0,
    "derogatory": 3.0,
    "slang": 3.0,
    "childish": 2.5,
    "proverb": 2.0,
    "dated": 2.0,
    "jocular": 2.0,
    "humble": 1.5,
    "honorific": 1.5,
    "short": 1.0,
    "idiom": 0.5,
}
_OF_A_FIELD = 1.5


def usefulness(word: Headword) -> float:
    """From 0 (hardly ever met) to about 12 (met on every page)."""
    priority = max((form.priority for form in (*word.written, *word.read)), default=0)
    frequency = word.frequency or _UNKNOWN_FREQUENCY
    return 0.4 * priority + 0.6 * (word.jlpt or 0) + 0.8 * (frequency - _UNKNOWN_FREQUENCY)


def rarity(sense: Sense) -> float:
    """How much speaks against a sense before its context is known: out of use, rude, or of one trade only."""
    return sum(_COST.get(mark, 0) for mark in sense.marks) + (_OF_A_FIELD if sense.fields else 0)


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
