"""A headword as JMdict has it: its forms, its senses, and how it is packed into one field of our file."""

from dataclasses import dataclass
from typing import Any

import orjson

from studium.vocabulary.domain import PartOfSpeech

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
