"""Lyrics in the tags of real audio files."""

import sys
from contextlib import suppress

import mutagen
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutagen.flac import FLAC
from mutagen.id3 import ID3, SYLT, TIT2, TPE1, TXXX, USLT
from mutagen.mp4 import MP4, MP4FreeForm
from mutagen.wave import WAVE
from tests.vocabulary.lyrics.conftest import box

from studium.core.domain.errors import MissingExtra
from studium.vocabulary.domain import LyricLine
from studium.vocabulary.lyrics.files import UnreadableTagsError, read_lyrics, read_tags

WORDS = "夢ならば\nどれほどよかったでしょう"


def refusal(reading) -> str:
    assert reading.lyrics is None
    return reading.findings[0].code


def id3(path, *frames):
    tags = ID3()
    for frame in frames:
        tags.add(frame)
    tags.save(path)


def test_mp3_says_lyrics_title_and_artist(audio):
    path = audio(".mp3")
    id3(
        path,
        USLT(encoding=3, lang="jpn", text=WORDS),
        TIT2(encoding=3, text="Lemon"),
        TPE1(encoding=3, text="米津玄師"),
    )
    lyrics = read_lyrics(path).lyrics
    assert (lyrics.text, lyrics.title, lyrics.artist) == (WORDS, "Lemon", "米津玄師")


def test_wav_carries_id3(audio):
    path = audio(".wav")
    file = WAVE(path)
    file.add_tags()
    file.tags.add(USLT(encoding=3, lang="jpn", text=WORDS))
    file.save()
    assert read_lyrics(path).lyrics.text == WORDS


def test_m4a_says_lyrics_title_and_artist(audio):
    path = audio(".m4a")
    file = MP4(path)
    file["©lyr"], file["©nam"], file["©ART"] = WORDS, "Lemon", "米津玄師"
    file.save()
    lyrics = read_lyrics(path).lyrics
    assert (lyrics.text, lyrics.title, lyrics.artist) == (WORDS, "Lemon", "米津玄師")


def test_m4a_with_a_free_tag(audio):
    path = audio(".m4a")
    file = MP4(path)
    file["----:com.apple.iTunes:LYRICS"] = MP4FreeForm(WORDS.encode())
    file.save()
    assert read_lyrics(path).lyrics.text == WORDS


@pytest.mark.parametrize("suffix", [".flac", ".ogg", ".opus"])
@pytest.mark.parametrize("name", ["LYRICS", "UNSYNCEDLYRICS", "Lyrics"])
def test_vorbis_comments(audio, suffix, name):
    path = audio(suffix)
    file = mutagen.File(path)
    if file.tags is None:
        file.add_tags()
    file[name], file["TITLE"], file["ARTIST"] = WORDS, "Lemon", "米津玄師"
    file.save()
    lyrics = read_lyrics(path).lyrics
    assert (lyrics.text, lyrics.title, lyrics.artist) == (WORDS, "Lemon", "米津玄師")


def test_lyrics_in_a_tag_may_be_lrc(audio):
    path = audio(".flac")
    file = FLAC(path)
    file["LYRICS"] = "[00:02.00]二\n[00:01.00]一"
    file.save()
    assert [(line.text, line.time) for line in read_lyrics(path).lyrics.lines] == [("一", 1.0), ("二", 2.0)]


def test_synchronised_lyrics_win_and_keep_their_times(audio):
    path = audio(".mp3")
    timed = SYLT(encoding=3, lang="jpn", format=2, type=1, text=[("夢ならば", 1000), ("どれほど", 2500)])
    id3(path, timed, USLT(encoding=3, lang="jpn", text="別の詞"))
    assert read_lyrics(path).lyrics.lines == (LyricLine("夢ならば", 1, 1.0), LyricLine("どれほど", 2, 2.5))


@pytest.mark.parametrize(
    "syllables",
    [
        [("\n夢", 1000), ("なら", 1200), ("ば", 1400), ("\nどれ", 2000), ("ほど", 2200)],
        [("夢", 1000), ("なら", 1200), ("ば\n", 1400), ("どれ", 2000), ("ほど\r\n", 2200)],
    ],
)
def test_synchronised_syllables_make_lines(audio, syllables):
    path = audio(".mp3")
    id3(path, SYLT(encoding=3, lang="jpn", format=2, type=1, text=syllables))
    assert read_lyrics(path).lyrics.lines == (LyricLine("夢ならば", 1, 1.0), LyricLine("どれほど", 2, 2.0))


def test_synchronised_chords_are_no_lyrics(audio):
    path = audio(".mp3")
    id3(path, SYLT(encoding=3, lang="jpn", format=2, type=5, text=[("Am", 1), ("G", 2)]))
    assert refusal(read_lyrics(path)) == "file.no_lyrics"


def test_of_several_languages_japanese_is_read(audio):
    path = audio(".mp3")
    english = USLT(encoding=3, lang="eng", text="If it were a dream")
    id3(path, english, USLT(encoding=3, lang="jpn", text=WORDS))
    assert read_lyrics(path).lyrics.text == WORDS


def test_shift_jis_that_says_it_is_latin_1(audio):
    path = audio(".mp3")
    wrong = [text.encode("cp932").decode("latin-1") for text in (WORDS, "宇多田ヒカル")]
    id3(path, USLT(encoding=0, lang="jpn", text=wrong[0]), TPE1(encoding=0, text=wrong[1]))
    lyrics = read_lyrics(path).lyrics
    assert (lyrics.text, lyrics.artist) == (WORDS, "宇多田ヒカル")


@pytest.mark.parametrize("artist", ["Björk", "Die Ärzte", "Beyoncé", "Sigur Rós"])
def test_latin_1_that_is_latin_1(audio, artist):
    path = audio(".mp3")
    id3(path, USLT(encoding=0, lang="eng", text="hello"), TPE1(encoding=0, text=artist))
    assert read_lyrics(path).lyrics.artist == artist


def test_free_id3_tag(audio):
    path = audio(".mp3")
    id3(path, TXXX(encoding=3, desc="LYRICS", text=WORDS))
    assert read_lyrics(path).lyrics.text == WORDS


def test_tags_are_read_though_the_audio_is_broken(saved):
    path = saved(b"no audio at all " * 20, "song.mp3")
    id3(path, USLT(encoding=3, lang="jpn", text=WORDS))
    assert read_lyrics(path).lyrics.text == WORDS


@pytest.mark.parametrize("suffix", [".mp3", ".flac", ".m4a", ".ogg", ".opus", ".wav"])
def test_no_lyrics_in_the_tags_says_what_to_do(audio, suffix):
    reading = read_lyrics(audio(suffix))
    assert refusal(reading) == "file.no_lyrics"
    assert "Paste the lyrics" in reading.findings[0].message


@pytest.mark.parametrize("suffix", [".mp3", ".flac", ".m4a", ".ogg", ".opus", ".wav"])
def test_a_text_is_no_audio_file(saved, suffix):
    assert refusal(read_lyrics(saved("夢ならば" * 50, f"song{suffix}"))) == "file.not_audio"


def test_too_much_in_the_tags(audio):
    path = audio(".mp3")
    id3(path, USLT(encoding=3, lang="jpn", text="夢" * 1000))
    assert refusal(read_lyrics(path, max_bytes=2000)) == "file.too_large"


def test_only_credits_in_the_tags(audio):
    path = audio(".mp3")
    id3(path, USLT(encoding=3, lang="jpn", text="作詞:米津玄師"))
    assert refusal(read_lyrics(path)) == "file.no_text"


def test_without_the_package_for_tags_the_remedy_is_shown(audio, monkeypatch):
    monkeypatch.setitem(sys.modules, "mutagen", None)
    with pytest.raises(MissingExtra) as caught:
        read_lyrics(audio(".mp3"))
    assert caught.value.remedy == "pip install 'studium[lyrics]'"


@given(data=st.data(), suffix=st.sampled_from([".mp3", ".flac", ".m4a", ".ogg", ".opus", ".wav"]))
def test_damaged_files_are_read_or_refused(formats, data, suffix):
    whole = bytearray(formats[suffix])
    for place in data.draw(st.lists(st.integers(0, min(len(whole), 400) - 1), max_size=6)):
        whole[place] = data.draw(st.integers(0, 255))
    end = data.draw(st.integers(1, len(whole)))
    with suppress(UnreadableTagsError):
        song = read_tags(bytes(whole[:end]), f"song{suffix}")
        assert song is None or not song.size


def test_tags_nested_too_deeply_are_refused(saved, formats):
    atom = b""
    for _ in range(3_000):
        atom = box(b"moov", atom)
    assert refusal(read_lyrics(saved(formats[".m4a"] + atom, "song.m4a"))) == "file.broken_tags"
