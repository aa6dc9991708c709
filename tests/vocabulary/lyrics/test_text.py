"""What is sung in a text and what is not."""

import time
from pathlib import Path

import pytest

from studium.vocabulary.lyrics.parser import parse_lyrics


def listed(name: str) -> list[str]:
    return Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()


def sung(text: str) -> list[str]:
    return parse_lyrics(text).text.splitlines()


@pytest.mark.parametrize("line", listed("unsung.txt"))
def test_not_sung(line):
    assert sung(f"夢ならば\n{line}\nよかった") == ["夢ならば", "よかった"]


@pytest.mark.parametrize("line", listed("sung.txt"))
def test_sung(line):
    assert sung(f"夢ならば\n{line}\nよかった") == ["夢ならば", line, "よかった"]


@pytest.mark.parametrize("mark", [" (x2)", "\uff08×\uff12\uff09", " ×2", " [2x]", "(3回)", " x 4", "×2", " (2 times)"])
def test_how_often_it_is_repeated_is_not_sung(mark):
    assert sung("ラララ" + mark) == ["ラララ"]


def test_chords_over_the_words():
    assert sung("C  Am\n君を見て\nG F\n泣いた") == ["君を見て", "泣いた"]


def test_chords_in_the_words():
    assert sung("[C]君を[G/B]見て[Am7]た") == ["君を見てた"]


def test_blank_lines_part_verses_and_numbers_are_those_of_the_text():
    lines = parse_lyrics("一\n\n[Chorus]\n二\r\n三\r四").lines
    assert [(line.text, line.number, line.is_sung) for line in lines] == [
        ("一", 1, True), ("", 2, False), ("[Chorus]", 3, False), ("二", 4, True), ("三", 5, True), ("四", 6, True),
    ]  # fmt: skip


def test_unseen_characters_go_and_emoji_stay():
    assert sung("\ufeff\u202e夢\u200bなら\u2066ば\u2069\u200f\x07\n家族👨\u200d👩\u200d👧") == [
        "夢ならば",
        "家族👨\u200d👩\u200d👧",
    ]


def test_odd_line_ends_part_lines():
    assert sung("一\u2028二\x0b三\x85四") == ["一", "二", "三", "四"]


@pytest.mark.parametrize("text", ["", " \n\n", "♪", "[Chorus]"])
def test_nothing_sung(text):
    assert parse_lyrics(text).text == ""


@pytest.mark.parametrize(
    "text",
    [
        "夢" * 333_000,
        "夢ならば\n" * 77_000,
        " " * 1_000_000,
        "[" * 1_000_000,
        "(x" * 500_000,
        "[00:01.00]" * 100_000,
        "C G " * 250_000,
        "サビ" * 160_000,
        "\n" * 300_000,
    ],
)
def test_a_megabyte_of_anything_is_quick(text):
    began = time.process_time()
    parse_lyrics(text)
    assert time.process_time() - began < 30
