"""What is known of a song, what to learn first, and how hard it is."""

import time
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studium.vocabulary.anki_deck import line_furigana, word_cards
from studium.vocabulary.domain import LyricLine, Lyrics, VocabularyItem, WordToken
from studium.vocabulary.song_report import coverage, difficulty, unlock_order


def test_what_is_known_of_a_song(sung):
    known = coverage(sung("夜 の 空 / 夜 の 星 / 空 を 見る"), {"夜", "空", "犬"})
    assert (known.running, known.running_known) == (6, 4)
    assert (known.distinct, known.distinct_known) == (4, 2)
    assert known.unknown == ("星", "見る")
    assert str(known) == "you know 66 % of this song (2 of 4 words)"


def test_only_who_knows_every_word_knows_it_all(sung):
    nearly = coverage(sung(" ".join(["空"] * 999 + ["星"])), {"空"})
    assert "99 %" in str(nearly)
    assert "100 %" in str(coverage(sung("空"), {"空"}))


def test_a_song_without_words_hides_nothing():
    assert coverage([], set()).share == 1


def test_a_word_that_is_known_in_kana_is_known(sung):
    cat = WordToken("猫", "猫", "ねこ", "ねこ", "noun", is_content=True)
    assert coverage([cat, *sung("犬")], {"ねこ"}).unknown == ("犬",)
    assert [step.word for step in unlock_order([cat, *sung("犬")], {"ねこ"})] == ["犬"]


def test_what_unlocks_the_most_lines_comes_first(sung):
    order = unlock_order(sung("夜 の 空 / 夜 の 星 / 空 を 見る"), {"空"})
    assert [(step.word, step.unlocks, step.readable) for step in order] == [("夜", 1, 1), ("星", 1, 2), ("見る", 1, 3)]
    assert {step.lines for step in order} == {3}


def test_a_word_of_many_lines_waits_if_it_unlocks_none(sung):
    # 夜 is sung most, but each of its lines waits for another word, too.
    order = unlock_order(sung("夜 空 海 / 夜 星 山 / 夜 月 川 / 犬 / 犬"), set())
    assert order[0].word == "犬"
    assert order[0].unlocks == 2
    assert order[1].word == "夜"
    assert sum(step.unlocks for step in order) == 5


def test_ties_go_to_what_is_sung_more_and_then_to_what_is_common(sung):
    assert [step.word for step in unlock_order(sung("空 / 星 星"), set())] == ["星", "空"]
    assert [step.word for step in unlock_order(sung("空 / 星"), set(), {"星": 5.0, "空": 4.0})] == ["星", "空"]


@given(st.lists(st.lists(st.sampled_from("空星夜月海"), min_size=1, max_size=3), min_size=1, max_size=5))
def test_every_unknown_word_comes_once_and_in_the_end_all_is_readable(lines):
    words = [
        WordToken(word, word, word, word, "noun", is_content=True, line=number)
        for number, line in enumerate(lines)
        for word in line
    ]
    order = unlock_order(words, {"空"})
    assert sorted(step.word for step in order) == sorted({word.lemma for word in words} - {"空"})
    assert sum(step.unlocks for step in order) + sum(set(line) == {"空"} for line in lines) == len(lines)
    known, readable = {"空"}, sum(set(line) == {"空"} for line in lines)
    for step in order:
        gains = {word: sum(set(line) <= known | {word} for line in lines) - readable for word in "星夜月海"}
        assert step.unlocks == gains[step.word] == max(gains.values())
        known.add(step.word)
        readable += step.unlocks
        assert step.readable == readable


def test_a_huge_line_takes_no_time(sung):
    words = sung(" ".join("".join(signs) for signs in permutations("空星夜月海山川", 6)))
    assert len(words) == 5040
    begun = time.process_time()
    assert len(unlock_order(words, set())) == 5040
    assert time.process_time() - begun < 20


def item(count=1, **more):
    return VocabularyItem(kanji="語", romaji="go", english="word", count=count, **more)


def test_a_song_is_as_hard_as_the_words_it_needs():
    hard = difficulty([item(jlpt=5, count=6), item(jlpt=3, count=3), item(jlpt=1)])
    assert hard.level == "N3"
    assert hard.shares == {"N5": 0.6, "N3": 0.3, "N1": 0.1}
    assert difficulty([item(jlpt=5)]).level == "N5"
    assert difficulty([item(jlpt=5)]).score == 0
    assert difficulty([item(jlpt=5)]).score < hard.score < difficulty([item(jlpt=1)]).score < 100


def test_a_word_on_no_list_is_placed_by_how_common_it_is():
    assert difficulty([item(jlpt=5), item(frequency=6.1)]).shares == {"N5": 1.0}
    assert difficulty([item(jlpt=5), item(frequency=1.0)]).shares == {"N5": 0.5, "other": 0.5}
    assert difficulty([item(jlpt=5), item()]).level is None


def test_a_language_without_levels_has_a_score_only():
    easy, hard = difficulty([item(frequency=6.0)]), difficulty([item(frequency=2.0)])
    assert easy.level is hard.level is None
    assert easy.score < hard.score
    assert difficulty([]).level is None


def bracketed(written, reading):
    return f" {written}[{reading}]"


def word(surface, reading, part_of_speech="noun"):
    return WordToken(surface, surface, reading, reading, part_of_speech, is_content=True)


@pytest.mark.parametrize(
    ("line", "words", "shown"),
    [
        ("夜に駆ける", [word("夜", "よる"), word("に", "に"), word("駆ける", "かける")], "夜[よる]に 駆ける[かける]"),
        ("空、空！", [word("空", "そら"), word("空", "から")], "空[そら]、 空[から]！"),
        ("Oh [sound:x.mp3] 空", [word("空", "そら")], "Oh ［sound:x.mp3］  空[そら]"),
        ("空", [word("海", "うみ"), word("", "")], "空"),
        ("", [], ""),
    ],
)
def test_readings_over_a_line(line, words, shown):
    assert line_furigana(line, words, bracketed) == shown


def test_a_card_has_the_reading_of_its_word_and_of_its_line():
    lyrics = Lyrics((LyricLine("[Verse]", 1, is_sung=False), LyricLine("夜の空", 2), LyricLine("夜", 3)))
    words = [
        replace(word("夜", "よる"), line=1),
        replace(word("空", "そら"), line=1),
        replace(word("夜", "よ"), line=2),
    ]
    night = VocabularyItem(kanji="夜", romaji="yoru", english="night", reading="よる", line="夜の空", line_number=2)
    (card,) = word_cards([night], words, lyrics, bracketed, lambda item: item.romaji.encode())
    assert (card.furigana, card.line_furigana, card.audio) == ("夜[よる]", "夜[よる]の 空[そら]", b"yoru")
    (card,) = word_cards([night.model_copy(update={"line": "", "line_number": None})], words, lyrics, bracketed)
    assert (card.line_furigana, card.sound) == ("", "")
