"""Makes the dictionary's file, once: whole or not at all, however many processes want it at the same time."""

import fcntl
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from studium.core.domain.errors import StorageFailed
from studium.core.files import atomic_write
from studium.stores.dictionary import glossing
from studium.stores.dictionary.headword import Headword, in_hiragana, pack
from studium.stores.dictionary.sources import open_jamdict, read_headwords, read_kanji, read_usage
from studium.stores.dictionary.usefulness import rarity, usefulness

Tell = Callable[[int, int], None]

# Part of the file's name: raise it when what is written below changes, and the file is made anew.
VERSION = 1

_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE headword (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE form (text TEXT NOT NULL, headword INTEGER NOT NULL, PRIMARY KEY (text, headword)) WITHOUT ROWID;
CREATE TABLE kanji (sign TEXT PRIMARY KEY, readings TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE english (
    key TEXT NOT NULL, headword INTEGER NOT NULL, sense INTEGER NOT NULL, score REAL NOT NULL,
    PRIMARY KEY (key, headword)
) WITHOUT ROWID;
"""
_EVERY = 2_000
_LOOSE = 3
_DEEPEST = 4


def file_in(folder: Path) -> Path:
    """Where the dictionary's file lies in its folder."""
    return folder / f"japanese-{VERSION}.sqlite"


def prepare(folder: Path, tell: Tell | None = None) -> Path:
    """Make the file unless it is there, telling words done and words in all; a second process waits for the first."""
    target = file_in(folder)
    if target.exists():
        return target
    with _alone_in(folder):
        if not target.exists():
            # No one else is at work here: what lies half-written was left by a process that was killed.
            for left in folder.glob(f".{target.name}.*.part*"):
                left.unlink(missing_ok=True)
            with atomic_write(target) as part:
                _write(part, tell or (lambda _done, _total: None))
    return target


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / ".preparing.lock").open("w")
    except OSError as error:
        raise StorageFailed(f"{folder} cannot be written: {error.strerror}") from error
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _write(path: Path, tell: Tell) -> None:
    usage = read_usage()
    try:
        with closing(open_jamdict()) as source, closing(sqlite3.connect(path)) as target:
            target.executescript(_TABLES)
            total = source.execute("SELECT count(*) FROM Entry").fetchone()[0]
            target.executemany("INSERT OR IGNORE INTO kanji VALUES (?, ?)", read_kanji(source))
            for done, word in enumerate(read_headwords(source, usage), start=1):
                _write_headword(target, word)
                if done % _EVERY == 0:
                    tell(done, total)
            target.commit()
            target.execute("VACUUM")
            tell(total, total)
    except sqlite3.Error as error:
        raise StorageFailed(f"The dictionary {path.parent} cannot be written: {error}") from error


def _write_headword(target: sqlite3.Connection, word: Headword) -> None:
    target.execute("INSERT INTO headword VALUES (?, ?)", (word.id, pack(word)))
    forms = {in_hiragana(form.text) for form in (*word.written, *word.read)}
    target.executemany("INSERT INTO form VALUES (?, ?)", ((form, word.id) for form in forms))
    target.executemany(
        "INSERT INTO english VALUES (?, ?, ?, ?)",
        ((key, word.id, sense, score) for key, (score, sense) in _english(word).items()),
    )


def _english(word: Headword) -> dict[str, tuple[float, int]]:
    """What a word is found by in English, how good an answer it is there, and by which sense."""
    worth = usefulness(word)
    keys: dict[str, tuple[float, int]] = {}

    def offer(key: str, score: float, sense: int) -> None:
        if key and (key not in keys or keys[key][0] < score):
            keys[key] = (round(score, 2), sense)

    for number, sense in enumerate(word.senses):
        for place, gloss in enumerate(sense.glosses):
            depth = 1.6 * min(number, _DEEPEST) + 1.15 * min(place, _DEEPEST) + gloss.startswith("(")
            score = 0.55 * worth - rarity(sense) - depth
            key = glossing.key(gloss)
            offer(key, score, number)
            parts = key.split()
            if worth > _LOOSE and 1 < len(parts) <= _LOOSE:
                for part in parts:
                    offer(part, score - 4, number)
    return keys
