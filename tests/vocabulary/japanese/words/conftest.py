import sqlite3

import jamdict_data
import pytest

from studium.vocabulary.japanese.analyser import JapaneseAnalyser

_BY_KANJI = "select Kana.text from Kanji join Kana on Kana.idseq = Kanji.idseq where Kanji.text = ?"
_BY_KANA = "select text from Kana where text = ?"


@pytest.fixture(scope="session")
def readings_of():
    """How JMdict reads a word."""
    database = sqlite3.connect(jamdict_data.JAMDICT_DB_PATH, check_same_thread=False)

    def readings(word):
        found = database.execute(_BY_KANJI, (word,)).fetchall() or database.execute(_BY_KANA, (word,)).fetchall()
        return {kana for (kana,) in found}

    yield readings
    database.close()


@pytest.fixture(scope="session")
def finder(readings_of):
    return JapaneseAnalyser(readings_of)
