import pytest


@pytest.mark.parametrize(
    ("word", "reading", "english", "codes"),
    [
        ("夜", "よる", "night", []),
        ("夜", "ヨル", "evening, night", []),
        ("走る", "はしる", "running", []),
        ("走る", "はしる", "to run", []),
        ("物", "もの", "thing", []),
        ("夜", "ひる", "night", ["word.reading"]),
        ("夜", "よる", "banana", ["word.gloss"]),
        ("夜", "ひる", "banana", ["word.reading", "word.gloss"]),
        ("辛い", "つらい", "spicy", ["word.gloss"]),
        ("夜々々猫", "よよよねこ", "night cat", ["word.unknown"]),
        ("空", "", "", []),
    ],
)
def test_claims_of_a_model_are_checked(dictionary, word, reading, english, codes):
    assert [finding.code for finding in dictionary.known(word, reading, english)] == codes


def test_finding_tells_what_the_dictionary_says(dictionary):
    [finding] = dictionary.known("夜", "ひる", "night")
    assert "よる" in finding.message
