"""Words as a reader tells them apart, in any script."""

from hypothesis import given
from hypothesis import strategies as st

from studium.core.text.tokens import count_words, find_words, split_sign_pairs, split_words

WORDS = (
    ("Don't say snake_case, Ohm’s law.", {}, "Don't|say|snake|case|Ohm’s|law"),
    ("Don't stop", {"apostrophes": False}, "Don|t|stop"),
    ("a well-known tie-in -- here", {"hyphens": True}, "a|well-known|tie-in|here"),
    ("a well-known fact", {}, "a|well|known|fact"),
    ("C++ and C# or A+ in F#m", {"symbols": True}, "C++|and|C#|or|A|in|F|m"),
    ("It costs 3.5 or 1,700 for v2.0.", {"numbers": True}, "It|costs|3.5|or|1,700|for|v2|0"),
    ("So: yes; no.", {"marks": ".;:"}, "So|:|yes|;|no|."),
    ("L’eau qu'il boit aujourd'hui", {"elided": "split"}, "L’|eau|qu'|il|boit|aujourd'hui"),
    ("L’eau qu'il boit dell'anima", {"elided": "dropped"}, "eau|il|boit|anima"),
    ("L’eau", {}, "L’eau"),
    ("犬がいるTCP", {}, "犬|が|い|る|TCP"),
    ("犬がいるカタカナ語", {"unspaced": "runs"}, "犬|がいる|カタカナ|語"),
    ("犬がいる TCP", {"unspaced": "whole"}, "犬がいる|TCP"),
    ("한국어 단어", {}, "한국어|단어"),
    ("Ёлка зелёная", {}, "Ёлка|зелёная"),
    ("cafe\u0301 नमस्ते", {}, "cafe\u0301|नमस्ते"),
    ("", {}, ""),
)


def test_words_of_a_text():
    for text, options, words in WORDS:
        assert split_words(text, **options) == [word for word in words.split("|") if word]


def test_words_have_their_positions():
    for text, options, _ in WORDS:
        found = find_words(text, **options)
        assert [word.text for word in found] == split_words(text, **options)
        assert all(text[word.start : word.end] == word.text for word in found)


def test_words_are_counted_as_they_are_read():
    assert count_words("It is well-known.") == 3
    assert count_words("犬がいる") == 2
    assert count_words("TCPは速い") == 1 + 1
    assert count_words("") == 0


def test_pairs_of_characters():
    assert split_sign_pairs("東京都") == ["東京", "京都"]
    assert split_sign_pairs("犬") == ["犬"]


@given(st.text(max_size=60), st.sampled_from(["signs", "runs", "whole"]), st.booleans())
def test_no_letter_and_no_digit_is_lost(text, unspaced, options):
    words = split_words(text, unspaced=unspaced, hyphens=options, symbols=options, numbers=options)
    assert [sign for word in words for sign in word if sign.isalnum()] == [sign for sign in text if sign.isalnum()]
