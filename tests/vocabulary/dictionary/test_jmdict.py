import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from studium.core.domain.errors import NotFound, StorageFailed
from studium.vocabulary.dictionary.headword import _glosses, _translations, gloss_key, in_hiragana
from studium.vocabulary.dictionary.jmdict import JMdict
from studium.vocabulary.dictionary.jmdict_build import dictionary_path
from studium.vocabulary.domain import WordToken


def _gloss(dictionary, line, lemma, reading, pos, surface=None):
    found = dictionary.gloss(WordToken(surface or lemma, lemma, reading, reading, pos, is_content=True), line)
    return found and found.english


def test_reading_decides_between_words_written_alike(dictionary):
    assert dictionary.look_up("辛い", "からい")[0].glosses[0] == "spicy"
    assert dictionary.look_up("辛い", "つらい")[0].glosses[0] == "painful"


@pytest.mark.parametrize(
    ("asked", "reading", "written"),
    [
        ("さくら", "さくら", "桜"),
        ("サクラ", "サクラ", "桜"),
        ("ねこ", None, "猫"),
        ("立上がる", "たちあがる", "立ち上がる"),
        ("受付け", "うけつけ", "受付"),
        ("ギター", "ギター", "ギター"),
        ("きれい", "きれい", "きれい"),
    ],
)
def test_other_spellings_find_the_word(dictionary, asked, reading, written):
    assert written in [entry.written for entry in dictionary.look_up(asked, reading)[:2]]


def test_part_of_speech_decides_between_entries_read_alike(dictionary):
    assert dictionary.look_up("なる", "なる", "verb")[0].part_of_speech == "verb"


def test_entry_carries_level_and_frequency(dictionary):
    entry = dictionary.look_up("食べる", "たべる", "verb")[0]
    assert entry.jlpt == 5
    assert 4 < entry.frequency < 6
    assert dictionary.look_up("母", "はは")[0].jlpt == 5


def test_unknown_word_has_no_entry_and_no_gloss(dictionary):
    assert not dictionary.look_up("ぬるぽがっ")
    assert _gloss(dictionary, "ぬるぽがっ", "ぬるぽがっ", "ぬるぽがっ", "noun") is None
    assert not dictionary.reverse("qwertyuiop")


@pytest.mark.parametrize("text", ["", "'", "%", "\x00", "😀", "a" * 10_000, "（）", "\u200f空"])
def test_no_text_breaks_it(dictionary, text):
    assert isinstance(dictionary.look_up(text), tuple)
    assert isinstance(dictionary.reverse(text), tuple)
    assert dictionary.kanji_readings(text) == ()
    _gloss(dictionary, text, text, text, "noun")


@pytest.mark.parametrize(
    ("line", "lemma", "reading", "surface", "english"),
    [
        ("雨の中、傘を差す", "差す", "さす", "差す", "to put up"),
        ("朝日が差す", "差す", "さす", "差す", "to shine"),
        ("眼鏡をかける", "かける", "かける", "かける", "to put on"),
        ("電話をかける", "かける", "かける", "かける", "to make"),
        ("コーヒーに砂糖を入れて飲んだ", "飲む", "のむ", "飲ん", "to drink"),
    ],
)
def test_words_beside_it_choose_the_sense(dictionary, line, lemma, reading, surface, english):
    assert _gloss(dictionary, line, lemma, reading, "verb", surface) == english


def test_gloss_names_its_entry_and_sense(dictionary):
    gloss = dictionary.gloss(WordToken("夢", "夢", "ゆめ", "ゆめ", "noun", is_content=True), "夢を見た")
    assert gloss.english == "dream"
    assert gloss.entry == dictionary.look_up("夢", "ゆめ")[0].id
    assert "dream" in gloss.meanings


def test_kanji_readings_are_as_kanjidic_writes_them(dictionary):
    readings = dictionary.kanji_readings("学")
    assert {"ガク", "まな.ぶ"} <= set(readings)
    # Name readings would split 大人 into お and とな.
    assert "たか" not in readings
    assert dictionary.kanji_readings("あ") == ()


def test_every_preferred_sense_is_in_the_dictionary(dictionary):
    for (lemma, reading), rules in _glosses().items():
        words = [word for _, word in dictionary._ranked(lemma, reading, None)]
        read_so = [word for word in words if reading in {in_hiragana(form.text) for form in word.read}]
        keys = {gloss_key(gloss) for word in read_so for sense in word.senses for gloss in sense.glosses}
        assert not {gloss for _, gloss in rules} - keys, lemma


def test_every_preferred_word_is_in_the_dictionary(dictionary):
    for english, words in _translations().items():
        for pos, (written, reading) in words.items():
            assert dictionary.reverse(english, pos)[0].reading == reading, (english, written)


def _some_forms(dictionary):
    return [text for (text,) in dictionary._file.execute("SELECT text FROM form LIMIT 2000 OFFSET 100000")]


def test_it_answers_fast(dictionary_folder):
    fresh = JMdict.open(dictionary_folder)
    words = _some_forms(fresh)
    start = time.process_time()
    for word in words:
        fresh.look_up(word)
    assert time.process_time() - start < 0.01 * len(words)
    start = time.process_time()
    for word in words * 10:
        fresh.look_up(word)
    assert len(words) * 10 / (time.process_time() - start) > 2_000
    fresh.close()


def test_threads_share_it(dictionary, dictionary_folder):
    fresh = JMdict.open(dictionary_folder)
    words = _some_forms(fresh)
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(fresh.look_up, words)) == [dictionary.look_up(word) for word in words]
    fresh.close()


def test_folder_without_dictionary_says_so(tmp_path):
    with pytest.raises(NotFound):
        JMdict.open(tmp_path, prepare=False)


def test_damaged_file_says_so(tmp_path):
    dictionary_path(tmp_path).write_bytes(b"no database" * 1000)
    with pytest.raises(StorageFailed) as refused:
        JMdict.open(tmp_path)
    assert "Delete" in refused.value.remedy
