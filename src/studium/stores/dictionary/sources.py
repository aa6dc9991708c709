"""Reads what the dictionary is made of: JMdict and KANJIDIC2 (jamdict-data), JLPT lists (kotobase), wordfreq."""

import math
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import get_args

import orjson

from studium.core.domain.errors import MissingExtra
from studium.domain.word import PartOfSpeech
from studium.stores.dictionary.headword import Form, Headword, Sense, in_hiragana
from studium.stores.dictionary.preferences import table

_REMEDY = "pip install 'studium[japanese]'"
_KINDS: tuple[PartOfSpeech, ...] = get_args(PartOfSpeech)
_RANK = {"ichi1": 3.0, "news1": 2.0, "spec1": 2.0, "gai1": 2.0, "ichi2": 1.0, "news2": 1.0, "spec2": 1.0}
_IRREGULAR = ("irregular", "out-dated")
_LEVELS = (1, 2, 3, 4, 5)
_ASIDE = re.compile(r"[(（].*")


@dataclass(frozen=True)
class Usage:
    """How common words are, and at which JLPT level they are asked."""

    frequencies: Mapping[str, float]
    levels: Mapping[tuple[str, str], int]

    def zipf(self, text: str) -> float | None:
        """How common a form is, on Zipf's scale: 3 is rare, 5 is common."""
        share = self.frequencies.get(text)
        return None if share is None else round(math.log10(share) + 9, 2)


def folder_of(package: str) -> Path:
    """Where an installed package lies; it is not imported, for we want its data alone."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise MissingExtra(f"The Japanese dictionary needs the package {package}.", remedy=_REMEDY)
    return Path(spec.origin).parent


def read_usage() -> Usage:
    """JLPT levels (Tanos) and frequencies (wordfreq); where lists disagree about a word, the easier level stands."""
    lists = folder_of("kotobase") / "data" / "jlpt"
    folder_of("wordfreq")
    from wordfreq import get_frequency_dict

    levels: dict[tuple[str, str], int] = {}
    for level in _LEVELS:
        for word in orjson.loads((lists / f"vocab_n{level}.json").read_bytes()):
            readings = _variants(word["hiragana"])
            for reading in readings:
                levels.update(((text, reading), level) for text in _variants(word.get("kanji") or reading))
    levels.update(((text, reading), int(level)) for text, (reading, level) in _table("levels.tsv"))
    return Usage(get_frequency_dict("ja"), levels)


def _variants(told: str) -> list[str]:
    """What a JLPT list means by `いい/よい`, `けが・する` or `あげる(=やる)`."""
    plain = _ASIDE.sub("", told).removesuffix("・する")
    return [in_hiragana(part) for part in plain.split("/") if part]


def open_jamdict() -> sqlite3.Connection:
    """The database that jamdict-data carries, to read only."""
    path = folder_of("jamdict_data") / "jamdict.db"
    if not path.is_file():
        raise MissingExtra("The package jamdict-data has lost its database.", remedy=_REMEDY)
    return sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)


def read_kanji(source: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Every kanji and its on and kun readings, as KANJIDIC2 writes them, with spaces between."""
    yield from source.execute(
        "SELECT c.literal, group_concat(r.value, ' ') FROM character c JOIN rm_group g ON g.cid = c.ID "
        "JOIN reading r ON r.gid = g.ID WHERE r.r_type IN ('ja_on', 'ja_kun') GROUP BY c.ID"
    )


def read_headwords(source: sqlite3.Connection, usage: Usage) -> Iterator[Headword]:
    """Every word of JMdict, with its usage."""
    written = _written(source)
    read = _read(source)
    senses = _senses(source)
    for (id_,) in source.execute("SELECT idseq FROM Entry ORDER BY idseq"):
        if senses[id_]:
            word = Headword(id_, tuple(written[id_]), tuple(read[id_]), tuple(senses[id_]))
            yield Headword(
                id_, word.written, word.read, word.senses, jlpt=_level(word, usage), frequency=_frequency(word, usage)
            )


def _written(source: sqlite3.Connection) -> dict[int, list[Form]]:
    infos = _texts(source, "SELECT kid, text FROM KJI")
    priorities = _texts(source, "SELECT kid, text FROM KJP")
    forms = defaultdict[int, list[Form]](list)
    for key, word, text in source.execute("SELECT ID, idseq, text FROM Kanji ORDER BY ID"):
        forms[word].append(Form(text, _priority(priorities.get(key, [])), _is_irregular(infos.get(key, []))))
    return forms


def _read(source: sqlite3.Connection) -> dict[int, list[Form]]:
    infos = _texts(source, "SELECT kid, text FROM KNI")
    priorities = _texts(source, "SELECT kid, text FROM KNP")
    owners = _texts(source, "SELECT kid, text FROM KNR")
    forms = defaultdict[int, list[Form]](list)
    for key, word, text in source.execute("SELECT ID, idseq, text FROM Kana ORDER BY ID"):
        priority, irregular = _priority(priorities.get(key, [])), _is_irregular(infos.get(key, []))
        forms[word].append(Form(text, priority, irregular, tuple(owners.get(key, ()))))
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
        told = _named("marks.tsv", marks.get(key, []), prefix=False)
        inherited = senses[word][-1].kinds if senses[word] and not named else ()
        senses[word].append(
            Sense(
                glosses=tuple(glosses[key]),
                kinds=inherited or tuple(kind for kind in _KINDS if kind in named),
                marks=tuple(sorted(told | named.difference(_KINDS))),
                fields=tuple(fields.get(key, ())),
                belongs_to=tuple(owners.get(key, ())),
                note="; ".join(notes.get(key, ())),
            )
        )
    return senses


def _texts(source: sqlite3.Connection, query: str) -> dict[int, list[str]]:
    """The texts that a query finds, by the form or sense they are about."""
    texts = defaultdict[int, list[str]](list)
    for about, text in source.execute(query):
        texts[about].append(text)
    return dict(texts)


def _named(table: str, told: list[str], *, prefix: bool) -> set[str]:
    """What we call what JMdict tells."""
    names: set[str] = set()
    for text in told:
        for theirs, ours in _table(table):
            if text == theirs or (prefix and text.startswith(theirs)):
                names.update(ours)
                break
    return names


@cache
def _table(name: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((theirs, tuple(name for name in ours if name)) for theirs, *ours in table(name))


def _is_irregular(infos: list[str]) -> bool:
    return any(told in info for info in infos for told in _IRREGULAR)


def _priority(tags: list[str]) -> float:
    """How common JMdict holds a form: `nf01` marks the 500 commonest words of a newspaper, `nf48` the rarest marked."""
    best = min((int(tag[2:]) for tag in tags if tag.startswith("nf")), default=49)
    return round(sum(_RANK.get(tag, 0) for tag in tags) + (49 - best) / 24, 2)


def _level(word: Headword, usage: Usage) -> int | None:
    written = [in_hiragana(form.text) for form in word.written]
    read = [in_hiragana(form.text) for form in word.read]
    pairs = [(text, reading) for text in written for reading in read]
    if word.is_usually_kana:
        pairs += [(reading, reading) for reading in read]
    return max((usage.levels[pair] for pair in pairs if pair in usage.levels), default=None)


def _frequency(word: Headword, usage: Usage) -> float | None:
    forms = (*word.written, *(word.read if word.is_usually_kana else ()))
    known = [zipf for form in forms if not form.is_irregular and (zipf := usage.zipf(form.text)) is not None]
    return max(known, default=None)
