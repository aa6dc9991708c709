"""LRC in its varieties."""

import pytest

from studium.vocabulary.lyrics.files import read_lyrics
from studium.vocabulary.lyrics.parser import parse_lyrics


def timed(text: str) -> list[tuple[str, float | None]]:
    return [(line.text, line.time) for line in parse_lyrics(text).lines]


@pytest.mark.parametrize(
    ("time", "seconds"),
    [
        ("00:12.34", 12.34),
        ("1:02", 62),
        ("01:02.5", 62.5),
        ("01:02.345", 62.345),
        ("00:12:34", 12.34),
        ("100:00", 6000),
    ],
)
def test_times(time, seconds):
    assert timed(f"[{time}]夢") == [("夢", pytest.approx(seconds))]


def test_several_times_a_line_in_the_order_of_singing():
    text = "[00:10.00][00:30.00]サビを歌う\n[00:20.00]二番\n[00:01.00] 一番"
    assert timed(text) == [("一番", 1), ("サビを歌う", 10), ("二番", 20), ("サビを歌う", 30)]
    assert [line.number for line in parse_lyrics(text).lines] == [1, 2, 3, 4]


@pytest.mark.parametrize(("offset", "seconds"), [("500", 9.5), ("+500", 9.5), ("-250", 10.25), ("20000", 0), ("x", 10)])
def test_a_positive_offset_is_sooner(offset, seconds):
    assert timed(f"[offset:{offset}]\n[00:10.00]夢") == [("夢", seconds)]


def test_tags_say_title_and_artist():
    lyrics = parse_lyrics("[ti: Lemon ]\n[ar:米津玄師]\n[al:Bootleg]\n[by:someone]\n[length:04:15]\n[00:01.00]夢")
    assert (lyrics.title, lyrics.artist, lyrics.text) == ("Lemon", "米津玄師", "夢")
    assert len(lyrics.lines) == 1


def test_word_times_are_dropped():
    assert timed("[00:01.00]<00:01.00>夢<00:01.50>なら<00:02.00>ば") == [("夢ならば", 1)]
    assert timed("[00:01.00]夢[00:01.50]ならば[00:02.00]") == [("夢ならば", 1)]


def test_who_sings_is_dropped():
    assert timed("[00:01.00]F: 夢\n[00:02.00]D: 現") == [("夢", 1), ("現", 2)]


def test_headings_credits_and_pauses_have_times_and_are_not_sung():
    lines = parse_lyrics("[00:00.00]作词 : 米津玄師\n[00:01.00]夢\n[00:02.00]\n[00:03.00](間奏)\n[00:04.00]現").lines
    assert [line.text for line in lines if line.is_sung] == ["夢", "現"]
    assert [line.time for line in lines] == [0, 1, 2, 3, 4]


def test_a_line_without_a_time_stays_behind_its_line():
    assert timed("[00:05.00]後\n[00:01.00]先\n訳") == [("先", 1), ("訳", None), ("後", 5)]


def test_two_lines_at_the_same_time_keep_their_order():
    assert timed("[00:01.00]夢\n[00:01.00]dream") == [("夢", 1), ("dream", 1)]


def test_what_only_looks_like_a_time_is_a_heading():
    assert parse_lyrics("[12:34:56:78]\n夢").text == "夢"


def test_a_file(saved):
    reading = read_lyrics(saved("[ti:Lemon]\r\n[00:01.00]夢\r\n", "song.LRC", "cp932"))
    assert (reading.lyrics.title, reading.lyrics.text) == ("Lemon", "夢")
    assert reading.lyrics.source.endswith("song.LRC")
