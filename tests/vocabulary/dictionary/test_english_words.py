import time

import pytest

from studium.vocabulary.english import english_words


def _content(text):
    return [(word.lemma, word.part_of_speech) for word in english_words(text) if word.is_content]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Oh, I've been dreaming of you every night", ["dream", "night"]),
        ("La la la, na na na, yeah yeah, ooh whoa", []),
        ("We were dancing in the rain, holding hands", ["dance", "rain", "hold", "hand"]),
        ("Don't leave me alone, I'm gonna cry", ["leave", "alone", "cry"]),
        ("Runnin' through the darkest streets of London", ["run", "dark", "street"]),
        ("The stars are shining brighter than your eyes", ["star", "shine", "bright", "eye"]),
        ("Children’s voices sang a beautiful song", ["child", "voice", "sing", "beautiful", "song"]),
        ("He loves the way she smiles at Mary", ["love", "way", "smile"]),
        ("I thought I saw the leaves falling", ["think", "see", "leaf", "fall"]),
        ("Memories of our lives fading away", ["memory", "life", "fade"]),
        ("Sha-la-la, hahaha, ooooooh, mmm, banana", ["banana"]),
        ("", []),
        ("夜空 😀 123", []),
    ],
)
def test_content_words_are_found_in_their_dictionary_form(text, words):
    assert [lemma for lemma, _ in _content(text)] == words


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("the dance", ("dance", "noun")),
        ("we dance", ("dance", "verb")),
        ("to dream", ("dream", "verb")),
        ("my dreams", ("dream", "noun")),
        ("she cries", ("cry", "verb")),
        ("stopped", ("stop", "verb")),
        ("making", ("make", "verb")),
        ("hoping", ("hope", "verb")),
        ("wishes", ("wish", "noun")),
        ("kisses", ("kiss", "noun")),
        ("happiest", ("happy", "i-adjective")),
        ("bigger", ("big", "i-adjective")),
        ("houses", ("house", "noun")),
        ("roses", ("rose", "noun")),
        ("glass", ("glass", "noun")),
        ("stories", ("story", "noun")),
        ("wandered", ("wander", "verb")),
        ("whispering", ("whisper", "verb")),
    ],
)
def test_forms_are_lemmatised_by_the_word_before(text, word):
    assert _content(text)[-1] == word


def test_word_knows_its_place():
    word = english_words("Oh\nthe moon")[-1]
    assert (word.surface, word.start, word.line) == ("moon", 4, 2)


def test_name_in_a_line_is_left_out_even_at_the_beginning():
    assert _content("I saw Sally there\nSally can wait") == [("see", "verb"), ("wait", "verb")]


def test_title_case_hides_no_words():
    assert ("rain", "noun") in _content("Singing In The Rain")


def _seconds(length):
    start = time.process_time()
    for piece in ("o", "la", "a'", "(", "night "):
        english_words(piece * (length // len(piece)) + "b")
    return time.process_time() - start


def test_long_runs_of_any_letters_take_little_time():
    assert _seconds(100_000) < 6


@pytest.mark.endurance
def test_a_megabyte_of_any_letters_takes_little_time():
    assert _seconds(1_000_000) < 60


def test_song_words_lead_to_japanese(dictionary):
    translated = [dictionary.reverse(lemma, pos)[0].written for lemma, pos in _content("My heart goes in the night")]
    assert translated == ["心", "行く", "夜"]
