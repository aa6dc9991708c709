"""German lyrics, with the real dictionary."""

from pathlib import Path

import pytest

from studium.vocabulary.german import is_german

pytestmark = pytest.mark.part("freedict")

DEV, HELD_OUT = (
    [line.split("\t") for line in part.splitlines() if not line.startswith("#")]
    for part in Path(__file__).with_name("glosses.tsv").read_text(encoding="utf-8").split("# held out\n")
)


def content(german, text):
    return [word.lemma for word in german.words(text) if word.is_content]


@pytest.mark.parametrize(
    ("line", "lemmas"),
    [
        ("Ich rufe dich morgen an", ["anrufen", "morgen"]),
        ("Hör auf zu weinen, komm zurück!", ["aufhören", "weinen", "zurückkommen"]),
        ("Sag mir, wo die Blumen sind", ["sagen", "Blume"]),
        ("Liebe ist stark", ["Liebe", "stark"]),
        ("Liebe mich", ["lieben"]),
        ("ICH LIEBE DICH", ["lieben"]),
        ("die wilden schwäne", ["wild", "Schwan"]),
        ("Geht's dir gut?", ["gehen", "gut"]),
        ("Weißt du, wie viel Sterne stehen", ["wissen", "Stern", "stehen"]),
        ("La la la, oh oh, hey", []),
        ("Anna und Jürgen", []),
        ("99 🎈 — …", []),
        ("", []),
    ],
)
def test_the_words_of_a_line(german, line, lemmas):
    assert content(german, line) == lemmas


def test_a_word_knows_its_position(german):
    text = "Am Abend\nsingt der Vogel"
    for word in german.words(text):
        assert text[word.start : word.start + len(word.surface)] == word.surface
    bird = next(word for word in german.words(text) if word.lemma == "Vogel")
    assert (bird.line, bird.lemma_reading, bird.part_of_speech) == (2, "der Vogel", "noun")


def right(german, freedict, row):
    line, sung, lemma, meanings = row
    word = next(word for word in german.words(line) if word.surface == sung)
    gloss = freedict.gloss(word, line)
    return word.lemma == lemma and gloss is not None and gloss.english in meanings.split("|")


@pytest.mark.parametrize(("rows", "least"), [(DEV, 0.86), (HELD_OUT, 0.82)], ids=["dev", "held out"])
def test_the_first_meaning_is_mostly_right(german, freedict, rows, least):
    wrong = [row for row in rows if not right(german, freedict, row)]
    assert len(wrong) <= (1 - least) * len(rows), wrong


def test_german_is_distinguished_from_english():
    assert is_german("Ich war in der Nacht allein und du hast mich nicht gesehen")
    assert is_german("Wind weht um das Haus")
    assert not is_german("I was alone in the night and you did not see me")
    assert not is_german("夜に駆ける")
