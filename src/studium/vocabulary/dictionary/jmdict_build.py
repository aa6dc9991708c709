"""Builds the dictionary file from JMdict, KANJIDIC2, JLPT lists and word frequencies; once, and atomically."""

import math
import re
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import get_args

import orjson

from studium.core.domain.errors import StorageFailed
from studium.core.extras import missing_extra
from studium.core.files import atomic_write, wait_for_lock
from studium.vocabulary.dictionary.headword import (
    Headword,
    Sense,
    WordForm,
    fold_kana,
    gloss_key,
    pack_headword,
    rarity,
    read_table,
    usefulness,
)
from studium.vocabulary.domain import PartOfSpeech

_KINDS: tuple[PartOfSpeech, ...] = get_args(PartOfSpeech)
_RANK = {"ichi1": 3.0, "news1": 2.0, "spec1": 2.0, "gai1": 2.0, "ichi2": 1.0, "news2": 1.0, "spec2": 1.0}
_IRREGULAR = ("irregular", "out-dated")
_LEVELS = (1, 2, 3, 4, 5)
_ASIDE = re.compile(r"[(（].*")


@dataclass(frozen=True)
class WordUsage:
    """The frequencies and JLPT levels of words."""

    frequencies: Mapping[str, float]
    levels: Mapping[tuple[str, str], int]

    def zipf(self, text: str) -> float | None:
        """Return the Zipf frequency of a form: 3 is rare, 5 is common."""
        share = self.frequencies.get(text)
        return None if share is None else round(math.log10(share) + 9, 2)


def package_folder(package: str) -> Path:
    """Return the folder of an installed package without importing it."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise missing_extra("japanese", "The Japanese dictionary", package)
    return Path(spec.origin).parent


def read_usage() -> WordUsage:
    """Read JLPT levels (Tanos) and frequencies (wordfreq); if lists disagree, the easier level wins."""
    lists = package_folder("kotobase") / "data" / "jlpt"
    package_folder("wordfreq")
    from wordfreq import get_frequency_dict

    levels: dict[tuple[str, str], int] = {}
    for level in _LEVELS:
        for word in orjson.loads((lists / f"vocab_n{level}.json").read_bytes()):
            readings = _variants(word["hiragana"])
            for reading in readings:
                levels.update(((text, reading), level) for text in _variants(word.get("kanji") or reading))
    levels.update(((text, reading), int(level)) for text, (reading, level) in _table("levels.tsv"))
    return WordUsage(get_frequency_dict("ja"), levels)


def _variants(listed: str) -> list[str]:
    """Split an entry of a JLPT list such as `いい/よい`, `けが・する` or `あげる(=やる)`."""
    plain = _ASIDE.sub("", listed).removesuffix("・する")
    return [fold_kana(part) for part in plain.split("/") if part]


def open_jamdict() -> sqlite3.Connection:
    """Open the database of jamdict-data, read-only."""
    path = package_folder("jamdict_data") / "jamdict.db"
    if not path.is_file():
        raise missing_extra("japanese", "The Japanese dictionary", "jamdict-data, whose database is missing")
    return sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)


def read_kanji(source: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Yield every kanji and its on and kun readings as in KANJIDIC2, separated by spaces."""
    yield from source.execute(
        "SELECT c.literal, group_concat(r.value, ' ') FROM character c JOIN rm_group g ON g.cid = c.ID "
        "JOIN reading r ON r.gid = g.ID WHERE r.r_type IN ('ja_on', 'ja_kun') GROUP BY c.ID"
    )


def read_headwords(source: sqlite3.Connection, usage: WordUsage) -> Iterator[Headword]:
    """Yield every word of JMdict, with its frequency and level."""
    written = _written(source)
    read = _read(source)
    senses = _senses(source)
    for (id_,) in source.execute("SELECT idseq FROM Entry ORDER BY idseq"):
        if senses[id_]:
            word = Headword(id_, tuple(written[id_]), tuple(read[id_]), tuple(senses[id_]))
            yield Headword(
                id_, word.written, word.read, word.senses, jlpt=_level(word, usage), frequency=_frequency(word, usage)
            )


def _written(source: sqlite3.Connection) -> dict[int, list[WordForm]]:
    infos = _texts(source, "SELECT kid, text FROM KJI")
    priorities = _texts(source, "SELECT kid, text FROM KJP")
    forms = defaultdict[int, list[WordForm]](list)
    for key, word, text in source.execute("SELECT ID, idseq, text FROM Kanji ORDER BY ID"):
        forms[word].append(WordForm(text, _priority(priorities.get(key, [])), _is_irregular(infos.get(key, []))))
    return forms


def _read(source: sqlite3.Connection) -> dict[int, list[WordForm]]:
    infos = _texts(source, "SELECT kid, text FROM KNI")
    priorities = _texts(source, "SELECT kid, text FROM KNP")
    owners = _texts(source, "SELECT kid, text FROM KNR")
    forms = defaultdict[int, list[WordForm]](list)
    for key, word, text in source.execute("SELECT ID, idseq, text FROM Kana ORDER BY ID"):
        priority, irregular = _priority(priorities.get(key, [])), _is_irregular(infos.get(key, []))
        forms[word].append(WordForm(text, priority, irregular, tuple(owners.get(key, ()))))
    return forms


def _senses(source: sqlite3.Connection) -> dict[int, list[Sense]]:
    glosses = _texts(source, "SELECT sid, text FROM SenseGloss")
    kinds = _texts(source, "SELECT sid, text FROM pos")
    marks = _texts(source, "SELECT sid, text FROM misc UNION ALL SELECT sid, 'dialect' FROM dialect")
    fields = _texts(source, "SELECT sid, text FROM field")
    notes = _texts(source, "SELECT sid, text FROM SenseInfo UNION ALL SELECT sid, text FROM xref")
    owners = _texts(source, "SELECT sid, text FROM stagk UNION ALL SELECT sid, text FROM stagr")
    senses = defaultdict[int, list[Sense]](list)
    for key, word in source.execute("SELECT ID, idseq FROM Sense ORDER BY ID"):
        if key not in glosses:
            continue
        named = _named("kinds.tsv", kinds.get(key, []), prefix=True)
        named_marks = _named("marks.tsv", marks.get(key, []), prefix=False)
        inherited = senses[word][-1].kinds if senses[word] and not named else ()
        senses[word].append(
            Sense(
                glosses=tuple(glosses[key]),
                kinds=inherited or tuple(kind for kind in _KINDS if kind in named),
                marks=tuple(sorted(named_marks | named.difference(_KINDS))),
                fields=tuple(fields.get(key, ())),
                belongs_to=tuple(owners.get(key, ())),
                note="; ".join(notes.get(key, ())),
            )
        )
    return senses


def _texts(source: sqlite3.Connection, query: str) -> dict[int, list[str]]:
    """Return the texts that a query finds, by the id of their form or sense."""
    texts = defaultdict[int, list[str]](list)
    for about, text in source.execute(query):
        texts[about].append(text)
    return dict(texts)


def _named(table: str, terms: list[str], *, prefix: bool) -> set[str]:
    """Translate JMdict's terms into ours."""
    names: set[str] = set()
    for text in terms:
        for theirs, ours in _table(table):
            if text == theirs or (prefix and text.startswith(theirs)):
                names.update(ours)
                break
    return names


@cache
def _table(name: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((theirs, tuple(name for name in ours if name)) for theirs, *ours in read_table(name))


def _is_irregular(infos: list[str]) -> bool:
    return any(term in info for info in infos for term in _IRREGULAR)


def _priority(tags: list[str]) -> float:
    """Score a form by JMdict's tags: `nf01` are the 500 most frequent words of a newspaper, `nf48` the rarest."""
    best = min((int(tag[2:]) for tag in tags if tag.startswith("nf")), default=49)
    return round(sum(_RANK.get(tag, 0) for tag in tags) + (49 - best) / 24, 2)


def _level(word: Headword, usage: WordUsage) -> int | None:
    written = [fold_kana(form.text) for form in word.written]
    read = [fold_kana(form.text) for form in word.read]
    pairs = [(text, reading) for text in written for reading in read]
    if word.is_usually_kana:
        pairs += [(reading, reading) for reading in read]
    return max((usage.levels[pair] for pair in pairs if pair in usage.levels), default=None)


def _frequency(word: Headword, usage: WordUsage) -> float | None:
    forms = (*word.written, *(word.read if word.is_usually_kana else ()))
    known = [zipf for form in forms if not form.is_irregular and (zipf := usage.zipf(form.text)) is not None]
    return max(known, default=None)


BuildProgress = Callable[[int, int], None]

# Part of the file's name: raise it when the content changes, and the file is built again.
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
_PROGRESS_EVERY = 2_000
_MAX_PARTS = 3
_USEFUL = 3
_MAX_DEPTH = 4


def dictionary_path(folder: Path) -> Path:
    """Return the path of the dictionary file in its folder."""
    return folder / f"japanese-{VERSION}.sqlite"


def build_dictionary(folder: Path, on_progress: BuildProgress | None = None) -> Path:
    """Build the file if it is missing; a second process waits for the first.

    `on_progress` gets the words done and the total.
    """
    target = dictionary_path(folder)
    if target.exists():
        return target
    with wait_for_lock(folder / "locks", "the Japanese dictionary", math.inf):
        if not target.exists():
            # We hold the lock, so partial files are from a process that was killed.
            for left in folder.glob(f".{target.name}.*.part*"):
                left.unlink(missing_ok=True)
            with atomic_write(target) as part:
                _write(part, on_progress or (lambda _done, _total: None))
    return target


def _write(path: Path, on_progress: BuildProgress) -> None:
    usage = read_usage()
    try:
        with closing(open_jamdict()) as source, closing(sqlite3.connect(path)) as target:
            target.executescript(_TABLES)
            total = source.execute("SELECT count(*) FROM Entry").fetchone()[0]
            target.executemany("INSERT OR IGNORE INTO kanji VALUES (?, ?)", read_kanji(source))
            for done, word in enumerate(read_headwords(source, usage), start=1):
                _write_headword(target, word)
                if done % _PROGRESS_EVERY == 0:
                    on_progress(done, total)
            target.commit()
            target.execute("VACUUM")
            on_progress(total, total)
    except sqlite3.Error as error:
        raise StorageFailed(f"The dictionary {path.parent} cannot be written: {error}") from error


def _write_headword(target: sqlite3.Connection, word: Headword) -> None:
    target.execute("INSERT INTO headword VALUES (?, ?)", (word.id, pack_headword(word)))
    forms = {fold_kana(form.text) for form in (*word.written, *word.read)}
    target.executemany("INSERT INTO form VALUES (?, ?)", ((form, word.id) for form in forms))
    target.executemany(
        "INSERT INTO english VALUES (?, ?, ?, ?)",
        ((key, word.id, sense, score) for key, (score, sense) in _english(word).items()),
    )


def _english(word: Headword) -> dict[str, tuple[float, int]]:
    """Return the English keys of a word, each with a score and the number of its sense."""
    worth = usefulness(word)
    keys: dict[str, tuple[float, int]] = {}

    def offer(key: str, score: float, sense: int) -> None:
        if key and (key not in keys or keys[key][0] < score):
            keys[key] = (round(score, 2), sense)

    for number, sense in enumerate(word.senses):
        for place, gloss in enumerate(sense.glosses):
            depth = 1.6 * min(number, _MAX_DEPTH) + 1.15 * min(place, _MAX_DEPTH) + gloss.startswith("(")
            score = 0.55 * worth - rarity(sense) - depth
            key = gloss_key(gloss)
            offer(key, score, number)
            parts = key.split()
            if worth > _USEFUL and 1 < len(parts) <= _MAX_PARTS:
                for part in parts:
                    offer(part, score - 4, number)
    return keys
