"""Which kana belong to which sign: real words with the real dictionary's readings."""

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from studium.vocabulary.japanese.alignment import align
from studium.vocabulary.japanese.kana import hiragana, normalise_kana

WHOLE = {"whole", "guess"}


def kana_of(written, reading, kanji):
    return [(sign.written, sign.kana) for sign in align(written, reading, kanji)]


def test_nearly_all_common_words_are_explained_sign_by_sign(common_words, kanji):
    sample = common_words[::4]

    explained = [word for word in sample if not WHOLE & {sign.how for sign in align(*word, kanji)}]

    assert len(explained) / len(sample) >= 0.97


def test_no_sign_and_no_kana_is_lost(common_words, kanji):
    for written, reading in common_words[::7]:
        aligned = align(written, reading, kanji)
        assert "".join(sign.written for sign in aligned) == normalise_kana(written)
        assert "".join(sign.kana for sign in aligned) == hiragana(reading)


def test_a_reading_nobody_knows_stays_with_the_whole_word(kanji):
    assert kana_of("宇宙船", "ぱぴぷぺ", kanji) == [("宇宙船", "ぱぴぷぺ")]


def test_the_part_of_a_word_that_is_known_is_split_from_what_is_not(kanji):
    assert kana_of("桜台猫", "さくらぽぽねこ", kanji) == [("桜", "さくら"), ("台", "ぽぽ"), ("猫", "ねこ")]


def test_a_reading_in_katakana_or_half_width_is_the_same_reading(kanji):
    assert kana_of("学校", "ガッコウ", kanji) == kana_of("学校", "ｶﾞｯｺｳ", kanji) == [("学", "がっ"), ("校", "こう")]


def test_two_marks_repeat_two_signs(kanji):
    assert kana_of("馬鹿々々しい", "ばかばかしい", kanji)[2:4] == [("々", "ば"), ("々", "か")]


@pytest.mark.parametrize(
    ("written", "reading"),
    [
        ("", ""),
        ("", "か"),
        ("学", ""),
        ("🎵", ""),
        ("々", "とき"),
        ("ー", ""),
        ("abc", "えーびーしー"),
        ("食べる", "abc"),
    ],
)
def test_what_does_not_fit_is_no_fault(written, reading, kanji):
    assert "".join(sign.written for sign in align(written, reading, kanji)) == written


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(st.text("学校食大人々ヶかきっゃーレ3T!・", max_size=10), st.text("がっこうたべるひとーレT", max_size=14))
def test_any_signs_with_any_reading_keep_their_order(kanji, written, reading):
    assert "".join(sign.written for sign in align(written, reading, kanji)) == written


def test_a_sentence_long_word_is_aligned_at_once(kanji):
    started = time.process_time()

    aligned = align("東京特許許可局" * 20, "とうきょうとっきょきょかきょく" * 20, kanji)

    assert len(aligned) == 140
    assert time.process_time() - started < 10
