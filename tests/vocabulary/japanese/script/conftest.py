"""The kanji readings of the real dictionary, and the lists that were written by hand."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from studium.vocabulary.japanese.alignment import KanjiReadings

jamdict_data = pytest.importorskip("jamdict_data")

HERE = Path(__file__).parent
READINGS = """
    SELECT sign.literal, reading.value FROM character AS sign
    JOIN rm_group ON rm_group.cid = sign.id JOIN reading ON reading.gid = rm_group.id
    WHERE reading.r_type IN ('ja_on', 'ja_kun')
"""
COMMON = """
    SELECT DISTINCT Kanji.text, Kana.text FROM Kanji JOIN KJP ON KJP.kid = Kanji.id
    JOIN Kana ON Kana.idseq = Kanji.idseq JOIN KNP ON KNP.kid = Kana.id
    WHERE KJP.text IN ('ichi1', 'news1', 'spec1') AND KNP.text IN ('ichi1', 'news1', 'spec1')
"""


@pytest.fixture(scope="session")
def dictionary() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"file:{jamdict_data.JAMDICT_DB_PATH}?mode=ro&immutable=1", uri=True)) as connection:
        yield connection


@pytest.fixture(scope="session")
def kanji(dictionary: sqlite3.Connection) -> KanjiReadings:
    readings: dict[str, list[str]] = defaultdict(list)
    for sign, reading in dictionary.execute(READINGS):
        readings[sign].append(reading)
    return lambda sign: readings.get(sign, ())


@pytest.fixture(scope="session")
def common_words(dictionary: sqlite3.Connection) -> list[tuple[str, str]]:
    return dictionary.execute(COMMON).fetchall()
