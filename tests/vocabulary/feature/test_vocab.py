"""`studium vocab` as a learner uses it."""

from pathlib import Path

import pytest
from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest
from tests.run_cli import studium


def test_the_words_of_a_song_without_any_model(song):
    ended = studium("vocab", "song", "夜空", "--artist", "Studium", "--lyrics", song)
    assert ended.code == 0, ended.err
    assert "5 words" in ended.out
    listed = studium("vocab", "cache")
    assert "夜空" in listed.out
    assert studium("vocab", "cache", "--clear").out == "1 songs deleted.\n"


def test_every_word_knows_its_reading_its_line_and_how_often_it_is_sung(song):
    found = studium("vocab", "text", song, "--json").json
    words = {item["kanji"]: item for item in found["vocabulary"]}
    star = words["星"]
    assert (star["reading"], star["romaji"], star["english"]) == ("ほし", "hoshi", "star")
    assert (star["count"], star["line"], star["line_number"], star["sung"]) == (2, "夜空に星が光る", 1, "星")
    assert words["会う"]["sung"] == "会え"
    assert words["星"]["jlpt"] == 4
    assert words["星"]["pitch"] == 0
    assert found["difficulty"]["level"]


def test_an_lrc_file_is_read_without_its_times(tmp_path):
    path = tmp_path / "song.lrc"
    path.write_text("[ti:夜空]\n[ar:Studium]\n[00:01.00]夜空に星が光る\n[00:05.50]涙を流した\n", encoding="utf-8")
    found = studium("vocab", "song", "夜空", "--lyrics", path, "--count", "all", "--json").json
    assert {"星", "涙"} <= {item["kanji"] for item in found["vocabulary"]}
    assert found["artist"] == "Studium"


def test_how_much_of_the_song_is_known(song, tmp_path):
    known = tmp_path / "known.csv"
    known.write_text("word,meaning\n星,star\n夜空,night sky\n光る,to shine\n", encoding="utf-8")
    ended = studium("vocab", "song", "夜空", "--lyrics", song, "--known", known)
    assert ended.code == 0, ended.err
    assert "You know " in ended.out
    found = studium("vocab", "song", "夜空", "--lyrics", song, "--known", known, "--json").json
    assert 0 < found["coverage"]["share"] < 1
    assert found["unlocking"][0]["unlocks"] >= 0


def test_the_words_become_an_anki_package_that_updates(song, tmp_path):
    package = tmp_path / "words.apkg"
    ended = studium("vocab", "song", "夜空", "--lyrics", song, "--apkg", package)
    assert ended.code == 0, ended.err
    collection = Collection(str(tmp_path / "collection.anki2"))
    try:
        for _ in range(2):
            options = ImportAnkiPackageOptions(with_scheduling=False, with_deck_configs=False)
            collection.import_anki_package(ImportAnkiPackageRequest(package_path=str(package), options=options))
        notes = [collection.get_note(id_) for id_ in collection.find_notes("")]
        assert len(notes) == 5
        assert all("[sound:" in note["Audio"] for note in notes)
        assert all(note["Furigana"] for note in notes if note["Word"] != note["Reading"])
    finally:
        collection.close()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("song", "x", "--count", "0"), "0"),
        (("song", "x", "--count", "many"), "many"),
        (("song", "Lemon"), "--online"),
        (("text", "missing.txt"), "missing.txt"),
    ],
)
def test_mistakes_are_reported(arguments, said):
    ended = studium("vocab", *arguments)
    assert ended.code == 2
    assert said in ended.err


# 9,000 times are one megabyte.
@pytest.mark.parametrize("times", [300, pytest.param(9000, marks=pytest.mark.endurance)])
def test_a_long_song_is_read(tmp_path, times):
    path: Path = tmp_path / "long.txt"
    path.write_text("夜空に星が光る\n君の声を聞きたい\n" * times, encoding="utf-8")
    ended = studium("vocab", "text", path, "--count", "10", "--json")
    assert ended.code == 0, ended.err
    assert next(item for item in ended.json["vocabulary"] if item["kanji"] == "星")["count"] == times
