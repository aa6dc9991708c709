import threading
import time
import unicodedata

import pytest

from studium.vocabulary.japanese.analyser import JapaneseAnalyser


def content(finder, text):
    return [word.lemma for word in finder.words(text) if word.is_content]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t\n",
        "La la la, oh yeah, I love you",
        "ラララ ルルル ナナナ",
        "ああ ねえ oh おお",
        "田中さんと東京へ",
        "1 2 3 四 五",
        "！？…♪☆",
        "か に ぬ",
        "😀🎵👨‍👩‍👧",
        "\u200f\u202e\ufeff",
        "している のだ ではない",
        "について によって という",
    ],
)
def test_what_a_learner_would_not_look_up_is_left_out(finder, text):
    assert content(finder, text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("歩いている", ["歩く"]),
        ("消えてしまいたい", ["消える"]),
        ("雨が降り続けている", ["雨", "降る"]),
        ("食べさせられた", ["食べる"]),
        ("広すぎる部屋", ["広い", "部屋"]),
        ("勉強する", ["勉強"]),
        ("ありがとう、さようなら", ["ありがとう", "さようなら"]),
        ("キラキラ光る", ["キラキラ", "光る"]),
        ("お茶とお金とご飯", ["お茶", "お金", "ご飯"]),
        ("ひらがなだけのうたをうたう", ["ひらがな", "うた", "うたう"]),
        ("tonight 君と kiss をした", ["君"]),
        ("無償化措置が始まる", ["無償化", "措置", "始まる"]),
        ("Action: return_vocabulary 夢を見る", ["夢", "見る"]),
        ("ﾕﾒを見る", ["ユメ", "見る"]),
        ("ｶﾞﾗｽの靴", ["ガラス", "靴"]),
        ("カ\u3099ラスの靴", ["ガラス", "靴"]),
    ],
)
def test_words_are_found(finder, text, expected):
    assert content(finder, text) == expected


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("空", "noun"),
        ("走る", "verb"),
        ("美しい", "i-adjective"),
        ("静か", "na-adjective"),
        ("ゆっくり", "adverb"),
        ("君", "pronoun"),
        ("東京", "name"),
        ("しかし", "conjunction"),
        ("ああ", "interjection"),
        ("300", "number"),
        ("。", "symbol"),
        ("ありがとう", "expression"),
    ],
)
def test_words_have_their_part_of_speech(finder, word, kind):
    assert [found.part_of_speech for found in finder.words(word)] == [kind]


def test_words_know_where_they_stand(finder):
    text = "空を見た\r\n\r\n　ｶﾞﾗｽの\u200f花\n運命(さだめ)の夜。朝が来る"

    words = finder.words(text)

    assert {word.surface: word.line for word in words if word.is_content} == {
        "空": 1,
        "見": 1,
        "ｶﾞﾗｽ": 3,
        "花": 3,
        "運命": 4,
        "夜": 4,
        "朝": 4,
        "来る": 4,
    }
    assert all(text.startswith(word.surface, word.start) for word in words)


def test_no_sign_is_lost(finder):
    text = "昨日、友達と海へ行った。楽しかった!また行こう？「うん」と笑う。"

    assert "".join(word.surface for word in finder.words(text)) == unicodedata.normalize("NFKC", text).replace(
        "?", "？"
    )


def _assert_linear(finder, scale):
    for piece, count in (
        ("夜空に輝く星を見た。", 8_000),
        ("あ", 100_000),
        ("辛い", 20_000),
        ("(愛", 20_000),
        ("9", 15_000),
    ):
        text = piece * (count // scale)
        started = time.process_time()
        assert finder.words(text)
        assert len(text) / (time.process_time() - started) > 1_000, piece


def test_the_time_grows_with_the_length_of_the_text(finder):
    finder.words("夜空")
    _assert_linear(finder, 20)


@pytest.mark.endurance
def test_the_time_grows_with_the_length_of_a_very_long_text(finder):
    _assert_linear(finder, 1)


def test_threads_can_share_a_finder(readings_of):
    finder = JapaneseAnalyser(readings_of)
    text = "辛い夜に窓が開いて、三本の花が咲いた。\n" * 50
    expected = finder.words(text)
    found = []
    threads = [threading.Thread(target=lambda: found.append(finder.words(text))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == [expected] * 8
