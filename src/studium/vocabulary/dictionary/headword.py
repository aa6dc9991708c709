"""Headwords of JMdict: forms and senses, how they are stored, and their English glosses."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import orjson

from studium.core.text.stems import stem
from studium.core.text.stop_words import stop_words
from studium.core.text.word_lists import load_text
from studium.vocabulary.domain import PartOfSpeech, WordToken

_HIRAGANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") - 1)}


def fold_kana(text: str) -> str:
    """Replace katakana by hiragana; the keys of the dictionary file are folded like this."""
    return text.translate(_HIRAGANA)


@dataclass(frozen=True, slots=True)
class WordForm:
    """A spelling or reading of a word, how common it is, and the spellings that a reading belongs to."""

    text: str
    priority: float = 0
    is_irregular: bool = False
    belongs_to: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sense:
    """A meaning of a word, and when it applies."""

    glosses: tuple[str, ...]
    kinds: tuple[PartOfSpeech, ...]
    marks: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    belongs_to: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Headword:
    """A word with all its forms and senses, the usual ones first."""

    id: int
    written: tuple[WordForm, ...]
    read: tuple[WordForm, ...]
    senses: tuple[Sense, ...]
    jlpt: int | None = None
    frequency: float | None = None

    @property
    def is_usually_kana(self) -> bool:
        """Whether the word is usually written in kana."""
        return not self.written or "kana" in self.senses[0].marks

    @property
    def kinds(self) -> frozenset[PartOfSpeech]:
        """All parts of speech of the word."""
        return frozenset(kind for sense in self.senses for kind in sense.kinds)

    def readings_of(self, written: str) -> tuple[WordForm, ...]:
        """Return the readings of a spelling."""
        fitting = tuple(form for form in self.read if not form.belongs_to or written in form.belongs_to)
        return fitting or self.read


def pack_headword(word: Headword) -> bytes:
    """Serialise a headword for the dictionary file."""
    forms = [[[f.text, f.priority, f.is_irregular, f.belongs_to] for f in side] for side in (word.written, word.read)]
    senses = [[s.glosses, s.kinds, s.marks, s.fields, s.belongs_to, s.note] for s in word.senses]
    return orjson.dumps([*forms, senses, word.jlpt, word.frequency])


def unpack_headword(id_: int, data: bytes) -> Headword:
    """Deserialise a headword of the dictionary file."""
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
    """Score how useful a word is, from 0 (very rare) to about 12 (on every page)."""
    priority = max((form.priority for form in (*word.written, *word.read)), default=0)
    frequency = word.frequency or _UNKNOWN_FREQUENCY
    return 0.4 * priority + 0.6 * (word.jlpt or 0) + 0.8 * (frequency - _UNKNOWN_FREQUENCY)


def rarity(sense: Sense) -> float:
    """Score how unlikely a sense is without context: archaic, rude, or technical."""
    return sum(_COST.get(mark, 0) for mark in sense.marks) + (_OF_A_FIELD if sense.fields else 0)


_ASIDE = re.compile(r"\([^()]*\)")
_LEAD = re.compile(r"^(?:to be|to|being|an?|the|one's)\s+(?=\S)")
_SHORT, _LONG = 3, 5
# Not the words that many glosses have.
_WORD = re.compile(r"[a-z][a-z'-]{2,}")
# Words of glosses that say as little as stop words.
_VAGUE_WORDS = frozenset(
    {"certain", "esp", "etc", "made", "make", "often", "particular", "person", "thing", "used", "usu"}
)


def short_gloss(glosses: tuple[str, ...]) -> str:
    """Return the first gloss without parentheses, or a shorter one if the first is an explanation."""
    plain = [_plain(gloss) for gloss in glosses]
    first = plain[0]
    if len(first.split()) > _LONG:
        return next((gloss for gloss in plain[1:] if len(gloss.split()) <= _SHORT), first)
    return first


def gloss_key(gloss: str) -> str:
    """Return the lookup key of a gloss: lower case, without parentheses, articles and `to`."""
    return _LEAD.sub("", _plain(gloss).lower()).strip(" .!?")


def informative_words(text: str) -> frozenset[str]:
    """Return the stems of the informative words of a gloss, those in parentheses too."""
    vague = stop_words("en") | _VAGUE_WORDS
    return frozenset(stem(word, "en") for word in _WORD.findall(text.lower()) if word not in vague)


def _plain(gloss: str) -> str:
    return " ".join(_ASIDE.sub(" ", gloss).split()).strip(" ;,") or gloss.strip("()")


_Rules = list[tuple[frozenset[str], str]]


def read_table(name: str) -> Iterator[list[str]]:
    """Return the rows of a table in this package."""
    return (line.split("\t") for line in load_text("studium.vocabulary.dictionary", name).splitlines())


def preferred_gloss(word: WordToken, line: str) -> str | None:
    """Return the gloss that the table of preferred senses has for a word, near certain words or anywhere."""
    anywhere = None
    for near, gloss in _glosses().get((word.lemma, fold_kana(word.lemma_reading)), ()):
        if not near:
            anywhere = gloss
        elif any(other in line for other in near):
            return gloss
    return anywhere


def preferred_translation(english: str, pos: PartOfSpeech | None) -> tuple[str, str] | None:
    """Return the word and reading that the table of preferred words has for an English word."""
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
