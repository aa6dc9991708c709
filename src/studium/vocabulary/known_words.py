"""The words a learner knows already: from a list in a file, or from an Anki collection."""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING
from unicodedata import normalize

from studium.anki.store import AnkiStore
from studium.core.domain.errors import BadInput, NotFound
from studium.core.files import write_text

if TYPE_CHECKING:
    from collections.abc import Iterator


MATURE_CARDS = "prop:ivl>=21 -is:suspended"
"""Anki's search for what is known: cards that come back after three weeks or more, which Anki calls mature."""

# What people call the field or column with the word in it, the surest name first.
_WORD_NAMES = (
    "word",
    "kanji",
    "expression",
    "vocabulary",
    "vocab",
    "vocabulary-kanji",
    "target word",
    "term",
    "lemma",
    "単語",
    "語彙",
    "表記",
    "漢字",
    "japanese",
    "wort",
    "german",
    "deutsch",
    "front",
)
_TAG = re.compile(r"<[^<>]*>")
_RUBY = re.compile(r"<r[tp]\b[^<>]*>.*?</r[tp]>", re.DOTALL | re.IGNORECASE)
_BRACKETED = re.compile(r"\[[^\]]*\]|\([^)]*\)")
_ARTICLE = re.compile(r"^(?:der|die|das|to|the)\s+(?=\S)", re.IGNORECASE)
_EDGES = "~〜・,;.、。 "
_DELIMITERS = "\t;,"
# Anki's own export says on its first lines how it is written.
_DIRECTIVE = re.compile(r"#separator:(?P<name>\S+)", re.IGNORECASE)
_SEPARATORS = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "colon": ":", "space": " "}


def read_word_list(path: Path) -> set[str]:
    """The words of a CSV, TSV or text file: of the column headed `word`, `kanji` or the like, else of the first one."""
    lines = _text(path).splitlines()
    said = next((found["name"] for line in lines if (found := _DIRECTIVE.match(line))), "")
    rows = [line for line in lines if line.strip() and not line.startswith("#")]
    delimiter = _SEPARATORS.get(said.lower(), said[:1]) or _delimiter(rows[:1])
    try:
        table = [row for row in csv.reader(rows, delimiter=delimiter) if row]
    except csv.Error as error:
        raise BadInput(f"{path} is not a list of words: {error}.") from error
    column, has_header = _column(table[0]) if table else (0, False)
    return set(_words(row[column] for row in table[has_header:] if column < len(row)))


def read_anki_words(store: AnkiStore, *, query: str = MATURE_CARDS, field: str | None = None) -> set[str]:
    """The words of the notes that this search finds: of the field named, else of the one most likely to hold a word."""
    notes = store.notes(store.find(query))
    return set(_words(_field(note.fields, field) for note in notes.values()))


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise NotFound(f"There is no file {path}.") from error
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not text in UTF-8.", remedy="Save the list as UTF-8.") from error


def _delimiter(first: list[str]) -> str:
    return next((mark for mark in _DELIMITERS for line in first if mark in line), "\t")


def _column(first: list[str]) -> tuple[int, bool]:
    """Which column holds the words, and whether the first row is a header."""
    heads = [cell.strip().casefold() for cell in first]
    return next(((heads.index(name), True) for name in _WORD_NAMES if name in heads), (0, False))


def _field(fields: Mapping[str, str], wanted: str | None) -> str:
    names = {name.strip().casefold(): name for name in fields}
    candidates = (wanted.strip().casefold(),) if wanted else _WORD_NAMES
    chosen = next((names[name] for name in candidates if name in names), None)
    if chosen is None and not wanted:
        chosen = next(iter(fields), None)
    return fields[chosen] if chosen else ""


def _words(cells: Iterable[str]) -> Iterator[str]:
    """The words in these cells without markup, readings, sounds, remarks and articles."""
    for cell in cells:
        text = unescape(_TAG.sub("", _RUBY.sub("", cell)))
        # Width first: a bracket of full width is a bracket, too.
        text = _BRACKETED.sub("", normalize("NFKC", text)).strip(_EDGES)
        # Furigana as Anki writes it puts a space before each part: ` 学[がっ] 校[こう]`.
        if "[" in cell and not text.isascii():
            text = text.replace(" ", "")
        if word := _ARTICLE.sub("", text):
            yield word


_HEADING = "word"
_alone = Lock()


class KnownWordList:
    """The list in this file; there need be none yet."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def all(self) -> set[str]:
        """Every word that is known."""
        return read_word_list(self._path) if self._path.exists() else set()

    def learn(self, word: str) -> None:
        """Know a word from now on."""
        with self._changing() as words:
            words.add(word)

    def forget(self, word: str) -> None:
        """Take a word off the list."""
        with self._changing() as words:
            words.discard(word)

    @contextmanager
    def _changing(self) -> "Iterator[set[str]]":
        # Two tabs may mark words at the same time: each adds to what the other wrote.
        with _alone:
            words = self.all()
            yield words
            write_text(self._path, "\n".join([_HEADING, *sorted(words), ""]))
