"""The parts of words, by a list written by hand; furigana and ruby."""

from pathlib import Path

from studium.vocabulary.domain import Part
from studium.vocabulary.japanese.transcription import furigana, romaji, ruby, word_parts

WORDS = [line.split("\t") for line in (Path(__file__).parent / "parts.tsv").read_text("utf-8").splitlines()]


def test_every_word_of_the_list_has_its_parts(kanji):
    found = [(*word[:2], word_parts(*word[:2], kanji)) for word in WORDS]
    spelt = [[*word, " ".join(f"{part.kanji}:{part.romaji[0]}" for part in parts)] for *word, parts in found]
    assert [word for word in spelt if word not in WORDS] == []


def test_the_parts_together_sound_like_the_word(kanji):
    joined = {(w, r): "".join(part.romaji[0] for part in word_parts(w, r, kanji)) for w, r, _ in WORDS}
    wrong = {word: letters for word, letters in joined.items() if letters != romaji(*word).replace("'", "")}
    assert wrong == {}


def test_the_lemon_of_the_specification(kanji):
    assert word_parts("レモン", "レモン", kanji) == (
        Part(kanji="レ", romaji=("re",)),
        Part(kanji="モ", romaji=("mo",)),
        Part(kanji="ン", romaji=("n",)),
    )


def test_a_particle_is_spoken(kanji):
    assert word_parts("は", "は", kanji, particle=True) == (Part(kanji="は", romaji=("wa",)),)
    assert word_parts("は", "ワ", kanji) == (Part(kanji="は", romaji=("wa",)),)


def test_a_mark_without_sound_is_no_part(kanji):
    assert [part.kanji for part in word_parts("マリー・アン", "マリーアン", kanji)] == ["マ", "リー", "ア", "ン"]


def test_furigana_as_anki_reads_it(kanji):
    words = [
        ("学校", "がっこう", " 学[がっ] 校[こう]"),
        ("お母さん", "おかあさん", "お 母[かあ]さん"),
        ("食べる", "たべる", " 食[た]べる"),
        ("今日", "きょう", " 今日[きょう]"),
        ("実は", "じつは", " 実[じつ]は"),
        ("レモン", "れもん", "レモン"),
    ]
    assert [(written, reading, furigana(written, reading, kanji)) for written, reading, _ in words] == words


def test_ruby_stands_over_kanji_only(kanji):
    assert ruby("食べる", "たべる", kanji) == (("食", "た"), ("べ", ""), ("る", ""))


def test_ruby_leaves_markup_as_it_is_written(kanji):
    assert ruby("<b>愛", "<b>あい", kanji) == (("<b>", ""), ("愛", "あい"))
