"""A headword as JMdict has it: its forms, its senses, and how it is packed into one field of our file."""

from dataclasses import dataclass
from typing import Any

import orjson

from studium.domain.word import PartOfSpeech

_HIRAGANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") - 1)}


def in_hiragana(text: str) -> str:
    """A text with its katakana turned into hiragana, so that both spellings of a word meet."""
    return text.translate(_HIRAGANA)


@dataclass(frozen=True, slots=True)
class Form:
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
    written: tuple[Form, ...]
    read: tuple[Form, ...]
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

    def readings_of(self, written: str) -> tuple[Form, ...]:
        """How this written form can be read."""
        fitting = tuple(form for form in self.read if not form.belongs_to or written in form.belongs_to)
        return fitting or self.read


def pack(word: Headword) -> bytes:
    """A headword as the bytes our file keeps."""
    forms = [[[f.text, f.priority, f.is_irregular, f.belongs_to] for f in side] for side in (word.written, word.read)]
    senses = [[s.glosses, s.kinds, s.marks, s.fields, s.belongs_to, s.note] for s in word.senses]
    return orjson.dumps([*forms, senses, word.jlpt, word.frequency])


def unpack(id_: int, data: bytes) -> Headword:
    """The headword that these bytes keep."""
    written, read, senses, jlpt, frequency = orjson.loads(data)
    return Headword(
        id=id_,
        written=tuple(Form(text, priority, irregular, tuple(of)) for text, priority, irregular, of in written),
        read=tuple(Form(text, priority, irregular, tuple(of)) for text, priority, irregular, of in read),
        senses=tuple(_sense(*fields) for fields in senses),
        jlpt=jlpt,
        frequency=frequency,
    )


def _sense(*packed: Any) -> Sense:
    glosses, kinds, marks, fields, belongs_to, note = packed
    return Sense(tuple(glosses), tuple(kinds), tuple(marks), tuple(fields), tuple(belongs_to), note)
