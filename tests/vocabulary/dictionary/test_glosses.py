"""First glosses and translations against lists written by hand; a third of each was held out of the tuning."""

import csv
import re
from pathlib import Path

import pytest

from studium.vocabulary.domain import WordToken

_HERE = Path(__file__).parent
_LEAD = re.compile(r"^(?:to )?(?:be |the |an? |one's )?")


def _rows(name, which):
    with (_HERE / name).open(encoding="utf-8") as file:
        return [row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row["set"] == which]


def _plain(gloss):
    return _LEAD.sub("", re.sub(r"\([^)]*\)", "", gloss).strip().lower()).strip()


def _sung(row):
    """The word as it stands in the line: as much of its beginning as is there."""
    lemma = row["word"]
    surface = next(lemma[:end] for end in range(len(lemma), 0, -1) if lemma[:end] in row["line"])
    return WordToken(surface, lemma, "", row["reading"], row["part_of_speech"], is_content=True)


@pytest.mark.parametrize("which", ["dev", "held"])
def test_first_gloss_is_right(dictionary, which):
    rows = _rows("glosses.tsv", which)
    wrong = []
    for row in rows:
        gloss = dictionary.gloss(_sung(row), row["line"])
        if gloss is None or _plain(gloss.english) not in map(_plain, row["acceptable"].split("|")):
            wrong.append((row["line"], row["word"], gloss and gloss.english))
    assert len(wrong) <= 0.05 * len(rows), wrong


@pytest.mark.parametrize("which", ["dev", "held"])
def test_translation_of_english_song_words_is_right(dictionary, which):
    rows = _rows("english.tsv", which)
    wrong = []
    for row in rows:
        answers = dictionary.reverse(row["english"], row["part_of_speech"])
        if not answers or answers[0].written not in row["acceptable"].split("|"):
            wrong.append((row["english"], [answer.written for answer in answers[:3]]))
    assert len(wrong) <= 0.07 * len(rows), wrong


def test_lists_are_as_long_as_promised():
    assert sum(len(_rows("glosses.tsv", which)) for which in ("dev", "held")) >= 180
    assert sum(len(_rows("english.tsv", which)) for which in ("dev", "held")) >= 120
