import io
import wave
from array import array

import pytest

from studium.core.domain.errors import BadInput, MissingExtra
from studium.vocabulary.japanese import segmentation, speech
from studium.vocabulary.japanese.speech import morae, pitch_accent, pitch_pattern


@pytest.mark.parametrize(
    ("lemma", "reading", "nucleus"),
    [
        ("箸", "はし", 1),
        ("橋", "はし", 2),
        ("端", "はし", 0),
        ("雨", "あめ", 1),
        ("飴", "あめ", 0),
        ("桜", "さくら", 0),
        ("男", "おとこ", 3),
        ("食べる", "たべる", 2),
        ("東京", "とうきょう", 0),
        ("命", "いのち", 1),
        ("辛い", "からい", 2),
    ],
)
def test_the_voice_falls_where_it_does_in_tokyo(lemma, reading, nucleus):
    assert pitch_accent(lemma, reading) == nucleus


def test_an_accent_that_is_not_known_is_not_guessed():
    assert pitch_accent("運命", "zzz") is None
    assert pitch_accent("", "") is None


def test_beats_are_high_up_to_the_fall():
    assert morae("キョウト") == ("きょ", "う", "と")
    assert [high for _, high in pitch_pattern("さくら", 0)] == [False, True, True]
    assert [high for _, high in pitch_pattern("いのち", 1)] == [True, False, False]
    assert [high for _, high in pitch_pattern("たべる", 2)] == [False, True, False]


def test_a_word_is_spoken():
    with wave.open(io.BytesIO(speech.synthesise("桜が咲く")), "rb") as sound:
        assert (sound.getnchannels(), sound.getsampwidth(), sound.getframerate()) == (1, 2, 48_000)
        seconds = sound.getnframes() / sound.getframerate()
        samples = array("h", sound.readframes(sound.getnframes()))

    assert 0.5 < seconds < 3
    assert max(samples) > 1000


@pytest.mark.parametrize("text", ["", "  \n", "あ" * 501])
def test_what_cannot_be_spoken_is_refused(text):
    with pytest.raises(BadInput):
        speech.synthesise(text)


def test_without_the_extra_the_remedy_is_shown(monkeypatch):
    segmentation._dictionary.cache_clear()
    speech._openjtalk.cache_clear()
    with monkeypatch.context() as patch:
        patch.setitem(__import__("sys").modules, "sudachipy", None)
        patch.setitem(__import__("sys").modules, "pyopenjtalk", None)
        with pytest.raises(MissingExtra) as words:
            segmentation.Segmenter().segments("空")
        with pytest.raises(MissingExtra) as sound:
            speech.synthesise("空")

    assert words.value.remedy == sound.value.remedy == "pip install 'studium[japanese]'"
