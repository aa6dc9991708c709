"""The words a learner already knows: from a file, from an Anki collection, or marked in the reader."""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from threading import Lock
from unicodedata import normalize

from studium.anki.store import AnkiStore
from studium.core.domain.errors import BadInput, NotFound
from studium.core.files import write_text

MATURE_CARDS = "prop:ivl>=21 -is:suspended"
"""Anki's search for mature cards, those with an interval of three weeks or more."""

# Usual names of the field or column with the word, most reliable first.
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
# Anki's exports name their separator at the top.
_DIRECTIVE = re.compile(r"#separator:(?P<name>\S+)", re.IGNORECASE)
_SEPARATORS = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "colon": ":", "space": " "}


def read_word_list(path: Path) -> set[str]:
    """Read the words of a CSV, TSV or text file, from a column named `word`, `kanji` or similar, else the first."""
    lines = _text(path).splitlines()
    separator = next((found["name"] for line in lines if (found := _DIRECTIVE.match(line))), "")
    rows = [line for line in lines if line.strip() and not line.startswith("#")]
    delimiter = _SEPARATORS.get(separator.lower(), separator[:1]) or _delimiter(rows[:1])
    try:
        table = [row for row in csv.reader(rows, delimiter=delimiter) if row]
    except csv.Error as error:
        raise BadInput(f"{path} is not a list of words: {error}.") from error
    column, has_header = _column(table[0]) if table else (0, False)
    return set(_words(row[column] for row in table[has_header:] if column < len(row)))


def read_anki_words(store: AnkiStore, *, query: str = MATURE_CARDS, field: str | None = None) -> set[str]:
    """Read the words of the notes that a search finds, from the given field or the one most likely to hold a word."""
    notes = store.notes(store.find(query))
    return set(_words(_field(note.fields, field) for note in notes.values()))


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise NotFound(f"File not found: {path}") from error
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8 text.", remedy="Save the list as UTF-8.") from error


def _delimiter(first: list[str]) -> str:
    return next((mark for mark in _DELIMITERS for line in first if mark in line), "\t")


def _column(first: list[str]) -> tuple[int, bool]:
    """Find the column with the words, and whether the first row is a header."""
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
    """Strip markup, readings, sounds, remarks and articles from cells."""
    for cell in cells:
        text = unescape(_TAG.sub("", _RUBY.sub("", cell)))
        # Normalised first, for full-width brackets.
        text = _BRACKETED.sub("", normalize("NFKC", text)).strip(_EDGES)
        # Anki's furigana has a space before each part: ` 学[がっ] 校[こう]`.
        if "[" in cell and not text.isascii():
            text = text.replace(" ", "")
        if word := _ARTICLE.sub("", text):
            yield word


_HEADING = "word"
_lock = Lock()


class KnownWordList:
    """The known words in a file, which need not exist yet."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def all(self) -> set[str]:
        """Return every known word."""
        return read_word_list(self._path) if self._path.exists() else set()

    def add(self, word: str) -> None:
        """Add a word."""
        with self._changing() as words:
            words.add(word)

    def remove(self, word: str) -> None:
        """Remove a word."""
        with self._changing() as words:
            words.discard(word)

    @contextmanager
    def _changing(self) -> Iterator[set[str]]:
        # Two tabs may mark words at the same time; neither may lose the other's.
        with _lock:
            words = self.all()
            yield words
            write_text(self._path, "\n".join([_HEADING, *sorted(words), ""]))
