"""Small words, and the language that they tell."""

from studium.core.text.language_detection import count_stop_words, guess_language
from studium.core.text.stop_words import (
    STOP_WORD_LANGUAGES,
    content_words,
    function_words,
    is_negation,
    is_stop_word,
    negations,
    question_words,
    spoken_words,
    stop_words,
)
from studium.core.text.tokens import split_words

SENTENCES = {
    "en": ("The router sends packets to the next hop.", "router sends packets next hop"),
    "de": ("Der Router sendet die Pakete an das nächste Gerät.", "Router sendet Pakete nächste Gerät"),
    "es": ("El hábito de la atención se pierde sin silencio.", "hábito atención pierde silencio"),
    "fr": ("Le réseau n'est pas lent dans cette ville.", "réseau lent ville"),
    "it": ("La rete non è lenta in questa città.", "rete lenta città"),
    "pt": ("A rede não é lenta nesta cidade.", "rede lenta cidade"),
    "ru": ("Это соединение не является надёжным.", "соединение надёжным"),
}
GUESSED = (
    ("the router", "en"),
    ("der Router", "de"),
    ("el puerto es lento", "es"),
    ("la rete è lenta", "it"),
    ("o porto é lento", "pt"),
    ("le réseau est lent", "fr"),
    ("l'eau", "fr"),
    ("Straße", "de"),
    ("mañana", "es"),
    ("порт", "ru"),
    ("ポート", "ja"),
    ("東京", "ja"),
    ("TCP 179", "en"),
    ("", "en"),
)


def test_content_words_are_left():
    for language, (sentence, words) in SENTENCES.items():
        elided = "split" if language in {"fr", "it"} else "kept"
        assert content_words(split_words(sentence, elided=elided), language) == words.split()


def test_negations_and_question_words_are_separate_stop_words():
    for language in STOP_WORD_LANGUAGES:
        own = function_words(language), negations(language), question_words(language)
        assert all(own), language
        assert frozenset().union(*own) == stop_words(language)
        assert sum(map(len, own)) == len(stop_words(language)), "no word is of two kinds"
        assert not spoken_words(language) & stop_words(language)
        assert all(word == word.casefold() or "ß" in word for word in stop_words(language))
    assert content_words(["No", "end"], "en", keep=negations("en")) == ["No", "end"]


def test_a_stop_word_is_recognised_in_any_spelling():
    assert is_stop_word("The", "en")
    assert is_stop_word("It’s", "en")
    assert not is_stop_word("router", "en")
    assert is_negation("Don’t", "en")
    assert is_negation("mightn't", "en")
    assert is_negation("ningún", "es-MX")
    assert not is_negation("the", "en")
    assert stop_words("xx") == frozenset()


def test_a_few_words_are_enough_to_guess_the_language():
    for text, language in GUESSED:
        assert guess_language(text) == language
    for language, (sentence, _) in SENTENCES.items():
        assert guess_language(sentence) == language


def test_only_the_languages_asked_for_are_guessed():
    assert guess_language("la casa", ("en", "es"), "en") == "es"
    assert guess_language("порт", ("en", "es"), "es") == "es"
    assert guess_language("什么", ("zh", "ja", "en")) == "zh"
    assert guess_language("no", ("en", "es"), "es") == "es"
    assert count_stop_words(["the", "der", "in"], ("en", "de")) == {"en": 2, "de": 2}
