"""Romaji: a list written by hand, and what must hold for any kana."""

from pathlib import Path

from hypothesis import assume, given
from hypothesis import strategies as st

from studium.vocabulary.japanese.kana import hiragana
from studium.vocabulary.japanese.transcription import romaji

WORDS = [line.split("\t") for line in (Path(__file__).parent / "romaji.tsv").read_text("utf-8").splitlines()]
KANA = [chr(code) for code in (*range(0x3041, 0x3097), *range(0x30A1, 0x30FB), 0x30FC)]


def test_every_word_of_the_list_is_romanised():
    assert {kana: romaji("", kana) for kana, _ in WORDS} == dict(WORDS)


def test_particles_are_written_as_they_are_spoken():
    particles = {"は": "wa", "へ": "e", "を": "o", "には": "niwa", "の": "no"}
    assert {kana: romaji("", kana, particle=True) for kana in particles} == particles


def test_only_a_particle_is_spoken_wa():
    words = [
        ("実は", "じつは", "jitsuwa"),
        ("又は", "または", "matawa"),
        ("今日は", "こんにちは", "konnichiwa"),
        ("葉", "は", "ha"),
        ("歯", "は", "ha"),
        ("屁", "へ", "he"),
        ("言の葉", "ことのは", "kotonoha"),
        ("母", "はは", "haha"),
    ]
    assert [(written, reading, romaji(written, reading)) for written, reading, _ in words] == words


@given(st.text(st.sampled_from(KANA), max_size=12))
def test_any_kana_becomes_plain_letters(kana):
    letters = romaji("", kana)

    assert set(letters) <= set("abcdefghijkmnoprstuvwyz'")
    # In hiragana は and へ may be particles; in katakana they are only letters.
    assume(not set("はへ") & set(hiragana(kana)))
    assert letters == romaji("", hiragana(kana))


def test_other_characters_stay():
    texts = ["", "abc", "Café 7", "🎵", "ok!"]
    assert [romaji("", text) for text in texts] == texts
