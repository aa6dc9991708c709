"""Which lines of a text are sung."""

import time
from pathlib import Path

import pytest

from studium.vocabulary.lyrics.parser import parse_lyrics


def listed(name: str) -> list[str]:
    return Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()


def sung(text: str) -> list[str]:
    return parse_lyrics(text).text.splitlines()


def test_headings_credits_and_leftovers_are_not_sung():
    wrong = [line for line in listed("unsung.txt") if sung(f"夢ならば\n{line}\nよかった") != ["夢ならば", "よかった"]]
    assert wrong == []


def test_other_lines_are_sung():
    wrong = [
        line for line in listed("sung.txt") if sung(f"夢ならば\n{line}\nよかった") != ["夢ならば", line, "よかった"]
    ]
    assert wrong == []


def test_repeat_marks_are_not_sung():
    marks = [" (x2)", "\uff08×\uff12\uff09", " ×2", " [2x]", "(3回)", " x 4", "×2", " (2 times)"]
    assert [mark for mark in marks if sung("ラララ" + mark) != ["ラララ"]] == []


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


def test_nothing_sung():
    assert [parse_lyrics(text).text for text in ("", " \n\n", "♪", "[Chorus]")] == [""] * 4


@pytest.mark.timeout(60)
@pytest.mark.parametrize("line", ["|" * 40 + "x", "| A " * 29 + "x", "(" + "x11" * 39 + "y)", "(" + "1x" * 58 + "y)"])
def test_no_line_has_too_many_readings(line):
    assert sung(line) == [line]


def test_counts_among_directions_are_not_sung():
    lines = ["(repeat x12)", "(chorus 2x)", "(x2 x3)", "(solo ×2, 4x)", "(12x)", "(repeat x12 2x)"]
    assert [line for line in lines if sung(f"夢\n{line}") != ["夢"]] == []


PIECES = ("夢", "夢ならば\n", " ", "[", "(x", "[00:01.00]", "C G ", "サビ", "\n")


def _seconds(piece: str, size: int) -> float:
    began = time.process_time()
    parse_lyrics(piece * (size // len(piece.encode())))
    return time.process_time() - began


def test_100_kilobytes_of_anything_are_quick():
    assert [piece for piece in PIECES if _seconds(piece, 100_000) > 3] == []


@pytest.mark.endurance
def test_a_megabyte_of_anything_is_quick():
    assert [piece for piece in PIECES if _seconds(piece, 1_000_000) > 30] == []
