"""Kana in letters: a list written by hand, and what must hold for any kana."""

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from studium.vocabulary.japanese.kana import hiragana
from studium.vocabulary.japanese.transcription import hepburn, romaji

WORDS = [line.split("\t") for line in (Path(__file__).parent / "romaji.tsv").read_text("utf-8").splitlines()]
KANA = [chr(code) for code in (*range(0x3041, 0x3097), *range(0x30A1, 0x30FB), 0x30FC)]


@pytest.mark.parametrize(("kana", "letters"), WORDS)
def test_every_word_of_the_list_is_romanised(kana, letters):
    assert hepburn(kana) == letters


@pytest.mark.parametrize(("kana", "letters"), [("は", "wa"), ("へ", "e"), ("を", "o"), ("には", "niwa"), ("の", "no")])
def test_particles_are_written_as_they_are_spoken(kana, letters):
    assert hepburn(kana, particle=True) == letters


@pytest.mark.parametrize(
    ("written", "reading", "letters"),
    [
        ("実は", "じつは", "jitsuwa"),
        ("又は", "または", "matawa"),
        ("今日は", "こんにちは", "konnichiwa"),
        ("葉", "は", "ha"),
        ("歯", "は", "ha"),
        ("屁", "へ", "he"),
        ("言の葉", "ことのは", "kotonoha"),
        ("母", "はは", "haha"),
    ],
)
def test_only_a_particle_is_spoken_wa(written, reading, letters):
    assert romaji(written, reading) == letters


@given(st.text(st.sampled_from(KANA), max_size=12))
def test_any_kana_becomes_plain_letters(kana):
    letters = hepburn(kana)

    assert set(letters) <= set("abcdefghijkmnoprstuvwyz'")
    # In hiragana は and へ may be particles; in katakana they are only letters.
    assume(not set("はへ") & set(hiragana(kana)))
    assert letters == hepburn(hiragana(kana))


@pytest.mark.parametrize("text", ["", "abc", "Café 7", "🎵", "ok!"])
def test_what_is_no_kana_stays(text):
    assert hepburn(text) == text
