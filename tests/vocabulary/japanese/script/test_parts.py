"""The parts of words: a list written by hand, all of which must be right; and furigana made of them."""

from pathlib import Path

import pytest

from studium.vocabulary.domain import Part
from studium.vocabulary.japanese.transcription import furigana, romaji, ruby, word_parts

WORDS = [line.split("\t") for line in (Path(__file__).parent / "parts.tsv").read_text("utf-8").splitlines()]


@pytest.mark.parametrize(("written", "reading", "expected"), WORDS)
def test_every_word_of_the_list_has_its_parts(written, reading, expected, kanji):
    found = word_parts(written, reading, kanji)

    assert " ".join(f"{part.kanji}:{part.romaji[0]}" for part in found) == expected


@pytest.mark.parametrize(("written", "reading"), [word[:2] for word in WORDS])
def test_the_parts_together_sound_like_the_word(written, reading, kanji):
    letters = "".join(part.romaji[0] for part in word_parts(written, reading, kanji))

    assert letters == romaji(written, reading).replace("'", "")


def test_the_lemon_of_the_specification(kanji):
    assert word_parts("レモン", "レモン", kanji) == (
        Part(kanji="レ", romaji=("re",)),
        Part(kanji="モ", romaji=("mo",)),
        Part(kanji="ン", romaji=("n",)),
    )


def test_a_particle_is_spoken(kanji):
    assert word_parts("は", "は", kanji, particle=True) == (Part(kanji="は", romaji=("wa",)),)
    assert word_parts("は", "ワ", kanji) == (Part(kanji="は", romaji=("wa",)),)


def test_a_mark_without_sound_is_no_part(kanji):
    assert [part.kanji for part in word_parts("マリー・アン", "マリーアン", kanji)] == ["マ", "リー", "ア", "ン"]


@pytest.mark.parametrize(
    ("written", "reading", "expected"),
    [
        ("学校", "がっこう", " 学[がっ] 校[こう]"),
        ("お母さん", "おかあさん", "お 母[かあ]さん"),
        ("食べる", "たべる", " 食[た]べる"),
        ("今日", "きょう", " 今日[きょう]"),
        ("実は", "じつは", " 実[じつ]は"),
        ("レモン", "れもん", "レモン"),
    ],
)
def test_furigana_as_anki_reads_it(written, reading, expected, kanji):
    assert furigana(written, reading, kanji) == expected


def test_ruby_stands_over_kanji_only(kanji):
    assert ruby("食べる", "たべる", kanji) == (("食", "た"), ("べ", ""), ("る", ""))


def test_ruby_leaves_markup_as_it_is_written(kanji):
    assert ruby("<b>愛", "<b>あい", kanji) == (("<b>", ""), ("愛", "あい"))
