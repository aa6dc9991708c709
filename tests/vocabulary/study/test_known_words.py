"""What a learner knows: from files as people have them, and from Anki."""

from contextlib import closing

import pytest
from anki.collection import Collection

from studium.anki.collection import AnkiCollection
from studium.core.domain.errors import BadInput, NotFound
from studium.vocabulary.known_words import read_anki_words, read_word_list


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("夜\n空\n\n", {"夜", "空"}),
        ("word,meaning\n夜,night\n空,sky\n", {"夜", "空"}),
        ("meaning;Kanji\nnight;夜\n", {"夜"}),
        ("Reading\tExpression\nよる\t夜\nそら\n", {"夜"}),
        ("夜\tよる\tnight\n", {"夜"}),
        ("\ufeff単語,読み\n夜,よる\n", {"夜"}),
        ('"夜","night, evening"\n', {"夜"}),
        ("#separator:Pipe\n#html:true\n<b>夜</b>|night\n", {"夜"}),
        (" 学[がっ] 校[こう]\n", {"学校"}),
        ("<ruby>夜<rp>(</rp><rt>よる</rt><rp>)</rp></ruby>\n", {"夜"}),
        ("綺麗（な）\n〜中\n空 [sound:x.mp3]\n", {"綺麗", "中", "空"}),
        ("ｶﾗｵｹ\n", {"カラオケ"}),
        ("das Haus\ndie\n", {"Haus", "die"}),
        ("word\n", set()),
        ("", set()),
    ],
)
def test_a_list_in_a_file(tmp_path, content, words):
    path = tmp_path / "known.csv"
    path.write_text(content, encoding="utf-8")
    assert read_word_list(path) == words


def test_a_list_in_another_unicode(tmp_path):
    path = tmp_path / "known.txt"
    path.write_text("夜\t空\n", encoding="utf-16")
    assert read_word_list(path) == {"夜"}


def test_what_is_no_list_is_refused(tmp_path):
    with pytest.raises(NotFound):
        read_word_list(tmp_path / "none.csv")
    (tmp_path / "song.mp3").write_bytes(b"\xff\xfb\x90\x64" * 10)
    with pytest.raises(BadInput, match="UTF-8"):
        read_word_list(tmp_path / "song.mp3")
    with pytest.raises(BadInput):
        read_word_list(tmp_path)
    (tmp_path / "book.txt").write_text("空" * 200_000, encoding="utf-8")
    with pytest.raises(BadInput, match="not a list"):
        read_word_list(tmp_path / "book.txt")


@pytest.fixture
def collection(tmp_path):
    """A collection with 夜 known, 空 just begun, 星 suspended, and a note of a type of the learner's own."""
    path = tmp_path / "collection.anki2"
    inside = Collection(str(path))
    own = inside.models.copy(inside.models.by_name("Basic"), add=False)
    own["name"] = "Mine"
    own["flds"][0]["name"], own["flds"][1]["name"] = "Meaning", "Expression"
    own["tmpls"][0]["qfmt"], own["tmpls"][0]["afmt"] = "{{Expression}}", "{{Meaning}}"
    inside.models.add_dict(own)
    for kind, fields, interval in (
        ("Basic", ("<b>夜</b>", "night"), 30),
        ("Basic", ("空", "sky"), 3),
        ("Basic", ("星", "star"), 50),
        ("Mine", ("sea", " 海[うみ]"), 21),
    ):
        note = inside.new_note(inside.models.by_name(kind))
        note.fields = list(fields)
        inside.add_note(note, 1)
        card = note.cards()[0]
        card.ivl, card.type, card.queue = interval, 2, 2
        inside.update_card(card)
        if "星" in fields:
            inside.sched.suspend_cards([card.id])
    inside.close()
    with closing(AnkiCollection(path)) as store:
        yield store


def test_what_anki_calls_mature_is_known(collection):
    assert read_anki_words(collection) == {"夜", "海"}


def test_the_search_and_the_field_can_be_chosen(collection):
    assert read_anki_words(collection, query="note:Basic") == {"夜", "空", "星"}
    assert read_anki_words(collection, query="", field="meaning") == {"sea"}
    with pytest.raises(BadInput, match="search"):
        read_anki_words(collection, query="(")
