"""Words as Anki imports and shows them."""

import re

import pytest
from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest

from studium.anki.store import ID_FIELD
from studium.vocabulary.anki_deck import WordCard, WordDeck, pitch_html, write_word_package
from studium.vocabulary.domain import Part, VocabularyItem

SCHOOL = VocabularyItem(
    kanji="学校",
    romaji="gakkou",
    english="school",
    parts=(Part(kanji="学", romaji=("gak",)), Part(kanji="校", romaji=("kou",))),
    reading="がっこう",
    sung="学校",
    part_of_speech="noun",
    meanings=("school", "schoolhouse"),
    jlpt=5,
    pitch=0,
    line="明日も学校へ行く",
)
CARD = WordCard(SCHOOL, " 学[がっ] 校[こう]", " 明日[あした]も 学[がっ] 校[こう]へ 行[い]く", b"RIFF\x00\x01")
DECK = WordDeck("Songs::A", "A · B")


@pytest.fixture
def collection(tmp_path):
    opened = Collection(str(tmp_path / "collection.anki2"))
    yield opened
    opened.close()


@pytest.fixture
def imported(collection, tmp_path):
    """Write these words at this second, import them into Anki, and say which notes there are."""

    def imported(*cards, at=1_800_000_000, deck=DECK):
        assert write_word_package(tmp_path / "words.apkg", cards, deck, now=lambda: at) == []
        path = str(tmp_path / "words.apkg")
        collection.import_anki_package(ImportAnkiPackageRequest(package_path=path, options=ImportAnkiPackageOptions()))
        return [collection.get_note(each) for each in collection.find_notes("")]

    return imported


def test_a_word_is_a_card_with_all_that_is_known_of_it(imported, collection):
    (note,) = imported(CARD)
    (card,) = note.cards()
    assert collection.decks.name(card.did) == "Songs::A"
    question, answer = card.question(), card.answer()
    assert "学校" in question
    assert "明日も<b>学校</b>へ行く" in question
    assert not re.search("school|がっ|gak", question)
    assert "<ruby><rb>学</rb><rt>がっ</rt></ruby><ruby><rb>校</rb><rt>こう</rt></ruby>" in answer
    for shown in (
        "gakkou",
        '<div class="meaning">school</div>',
        "schoolhouse",
        "N5",
        "noun",
        "A · B",
        "<small>kou</small>",
    ):
        assert shown in answer
    assert note[ID_FIELD] not in question + answer
    assert card.question_av_tags() == []
    (sound,) = card.answer_av_tags()
    assert collection.media.have(sound.filename)


def test_a_second_import_updates_and_adds_nothing(imported, collection):
    (before,) = imported(CARD)
    better = SCHOOL.model_copy(update={"english": "academy", "line": "学校帰り"})
    (after,) = imported(WordCard(better, audio=CARD.audio), at=1_800_000_100, deck=WordDeck("Songs::C", "C"))
    assert (after.id, after["Meaning"], after["Song"]) == (before.id, "academy", "C")
    assert collection.decks.name(after.cards()[0].did) == "Songs::A", "a card that is learned stays where it is"


def test_words_written_alike_and_read_differently_are_two(imported):
    spicy = VocabularyItem(kanji="辛い", romaji="karai", english="spicy", reading="からい")
    bitter = VocabularyItem(kanji="辛い", romaji="tsurai", english="painful", reading="つらい")
    assert len(imported(WordCard(spicy), WordCard(bitter))) == 2


def test_what_is_not_known_leaves_no_trace(imported):
    longing = VocabularyItem(kanji="Sehnsucht", romaji="Sehnsucht", english="longing", reading="die Sehnsucht")
    (note,) = imported(WordCard(longing), deck=WordDeck("Lieder", language="de"))
    answer = note.cards()[0].answer()
    assert "die Sehnsucht" in answer
    assert 'lang="de"' in answer
    assert not re.search(r'class="(parts|line|chip|song|romaji|pitch|meanings)"', answer)


@pytest.mark.parametrize("hostile", ["<script>x</script>", "[sound:x.mp3]", "[latex]x[/latex]", r"\(x\)", "{{Word}}"])
def test_text_stays_text(imported, hostile):
    item = SCHOOL.model_copy(
        update={"kanji": hostile, "english": hostile, "line": f"学校 {hostile}", "romaji": hostile}
    )
    (note,) = imported(WordCard(item), deck=WordDeck("A", hostile))
    answer = note.cards()[0].answer()
    assert not re.search(r"<script|\[sound:|\[latex\]|\\\(", answer)
    assert note.cards()[0].answer_av_tags() == []


@pytest.mark.parametrize(
    ("reading", "nucleus", "heights"),
    [
        ("はし", 1, "H\\L"),
        ("はし", 2, "LH\\"),
        ("はし", 0, "LH"),
        ("がっこう", 0, "LHHH"),
        ("きょう", 1, "H\\L"),
        ("こころ", 2, "LH\\L"),
        ("ティッシュ", 1, "H\\LL"),
        ("き", 0, "L"),
        ("き", 1, "H\\"),
    ],
)
def test_pitch_is_drawn_by_the_mora(reading, nucleus, heights):
    drawn = pitch_html(reading, nucleus)
    marks = {"low": "L", "high": "H", "high fall": "H\\"}
    found = re.findall(r'<span class="([a-z ]+)">([^<]+)', drawn)
    assert "".join(marks[height] for height, _ in found) == heights
    assert "".join(mora for _, mora in found) == reading


def test_an_accent_beyond_the_word_is_not_drawn():
    assert pitch_html("はし", 3) == ""
