import pytest
from tests.vocabulary.japanese.words.measuring import homographs_missed, rows, running_text_missed

from studium.vocabulary.japanese.analyser import JapaneseAnalyser


@pytest.mark.parametrize("name", ["homographs.tsv", "homographs_unseen.tsv"])
def test_homographs_are_read_by_context(finder, name):
    missed = homographs_missed(finder, name)

    assert len(missed) <= 0.05 * len(rows(name)), missed


@pytest.mark.parametrize("name", ["running.tsv", "running_unseen.tsv"])
def test_the_content_words_of_running_text_are_found_and_read(finder, name):
    unfound, misread, extra, total = running_text_missed(finder, name)

    assert len(unfound) <= 0.08 * total, unfound
    assert len(misread) <= 0.01 * total, misread
    assert len(extra) <= 0.05 * total, extra


def test_forms_are_reduced_to_their_dictionary_form(finder):
    first = [(row, finder.words(row[0])[0]) for row in rows("lemmas.tsv")]
    wrong = [(row, word) for row, word in first if [word.lemma, word.lemma_reading] != row[1:3] or not word.is_content]
    assert wrong == []


def test_without_a_dictionary_the_words_are_those_of_sudachi(finder):
    line = "走り出した電車"

    assert [word.lemma for word in finder.words(line) if word.is_content] == ["走り出す", "電車"]
    assert [word.lemma for word in JapaneseAnalyser().words(line) if word.is_content] == ["走る", "電車"]


def test_a_reading_that_the_dictionary_lacks_gives_way_to_the_one_it_has():
    finder = JapaneseAnalyser(lambda word: {"いんちき"} if word == "学校" else ())

    assert [word.reading for word in finder.words("学校")] == ["いんちき"]


@pytest.mark.parametrize(
    ("text", "surface", "reading", "lemma_reading"),
    [
        ("運命(さだめ)に逆らう", "運命", "さだめ", "さだめ"),
        ("運命（さだめ）に逆らう", "運命", "さだめ", "さだめ"),
        ("宇宙《そら》を飛ぶ", "宇宙", "そら", "そら"),
        ("この｜地球《ほし》の上", "地球", "ほし", "ほし"),
        ("夢を抱(いだ)いて眠る", "抱い", "いだい", "いだく"),
        ("未来都市(アトランティス)の夜", "未来都市", "あとらんてぃす", "あとらんてぃす"),
    ],
)
def test_a_reading_that_the_writer_gives_wins(finder, text, surface, reading, lemma_reading):
    [word] = [word for word in finder.words(text) if word.surface == surface]

    assert (word.reading, word.lemma_reading) == (reading, lemma_reading)
    assert "".join(word.surface for word in finder.words(text)).count("(") == 0


def test_what_a_chorus_sings_in_brackets_is_no_reading(finder):
    words = finder.words("夢(ラララ)")

    assert (words[0].surface, words[0].reading) == ("夢", "ゆめ")


@pytest.mark.parametrize(
    ("text", "surface", "reading"),
    [
        ("三本の木を植えた", "三本", "さんぼん"),
        ("30分待った", "30分", "さんじゅっぷん"),
        ("10月の空", "10月", "じゅうがつ"),
        ("3日に会おう", "3日", "みっか"),
        ("友達三人で歩く", "三人", "さんにん"),
        ("二日酔いで寝た", "二日酔い", "ふつかよい"),
        ("一日中歩いた", "一日中", "いちにちじゅう"),
        ("二十歳になった", "二十歳", "はたち"),
    ],
)
def test_numbers_are_read_with_what_they_count(finder, text, surface, reading):
    assert {word.surface: word.reading for word in finder.words(text)}[surface] == reading
