"""Text files in the encodings of Japan, and files that are none."""

import os

import pytest

from studium.core.domain.finding import Severity
from studium.vocabulary.lyrics.files import read_lyrics

SONG = "夕焼け小焼けの赤とんぼ\n負われて見たのはいつの日か\n山の畑の桑の実を\n小籠に摘んだはまぼろしか"
GERMAN = "Über den Dächern blüht es schön,\nich weiß, daß wir uns wiedersehn.\nDie Füße müd, das Herz so groß"
ENGLISH = "I don’t know why\nyou’re here café"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_unicode_needs_no_remark(saved, encoding):
    reading = read_lyrics(saved(SONG, encoding=encoding))
    assert (reading.lyrics.text, reading.findings) == (SONG, ())


@pytest.mark.parametrize("encoding", ["cp932", "shift_jis", "euc_jp", "iso2022_jp"])
@pytest.mark.parametrize(
    "song", [SONG, "カタカナ ダケ\nコーヒー", "Love Love Love\n愛を叫べ\nI need you", "世界中の誰よりきっと"]
)
def test_the_old_encodings_of_japan_are_distinguished(saved, encoding, song):
    reading = read_lyrics(saved(song, encoding=encoding))
    assert reading.lyrics.text == song
    assert [finding.severity for finding in reading.findings] == [Severity.INFO]


@pytest.mark.parametrize("song", ["①番目の恋", "ｱｲｼﾃﾙ ﾜﾀｼ", "髙橋さんの歌"])
def test_what_only_windows_writes(saved, song):
    assert read_lyrics(saved(song, encoding="cp932")).lyrics.text == song


@pytest.mark.parametrize("song", [GERMAN, ENGLISH])
def test_the_old_encoding_of_the_west(saved, song):
    assert read_lyrics(saved(song, encoding="cp1252")).lyrics.text == song


def refusal(reading) -> str:
    assert reading.lyrics is None
    (finding,) = reading.findings
    assert finding.severity is Severity.ERROR
    return finding.code


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file.empty"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 4, "file.binary"),
        (bytes(range(128, 256)) * 4, "file.encoding"),
        ("Привет, как дела, мой друг".encode("koi8-r"), "file.encoding"),
        (b"\xff\xfe\x00", "file.binary"),
        (b" \n\n\t ", "file.no_text"),
        ("[Chorus]\n作詞:米津玄師".encode(), "file.no_text"),
        (b"[ti:Lemon]\n[00:01.00]", "file.no_text"),
    ],
)
def test_what_holds_no_lyrics_is_refused(saved, data, code):
    assert refusal(read_lyrics(saved(data))) == code


def test_too_large(saved):
    assert refusal(read_lyrics(saved("夢" * 400_000))) == "file.too_large"
    assert refusal(read_lyrics(saved("夢" * 40), max_bytes=100)) == "file.too_large"


def test_not_there(tmp_path):
    assert refusal(read_lyrics(tmp_path / "song.mp3")) == "file.missing"


def test_a_folder_and_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "song.mp3")
    assert refusal(read_lyrics(tmp_path / "song.mp3")) == "file.special"
    assert refusal(read_lyrics(tmp_path)) == "file.special"
