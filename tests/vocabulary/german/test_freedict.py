"""FreeDict, read where it is installed."""

import pytest

from studium.core.domain.errors import BadInput, MissingPart
from studium.vocabulary.dictionary.freedict import FreeDict
from studium.vocabulary.domain import WordToken

APP = """\
Haus /haʊs/ <neut, n, sg>
house <n>
      "ein Haus bauen"  - build a house
 see: {Häuser}
"""
OFFICE = (
    "Haus /haʊs/ <neut, n, sg>\n [adm.] establishment <n>, institution <n>\n   Synonyms: {Anstalt}, {Institution}\n"
)
PREFIX = "Haus… /haʊs/ <adj>\ndomestic <adj>\n"
WALKING = "Gehen /ɡeːən/ <neut, n, sg>\nwalking <n>\n"
GO = "gehen /ɡeːən/ <v, intr>\ngo <v>\n"
SEE = "etw. sehen /zeːən/ <v, trans>\nsee sth. <v>\n"
GLAD = "sich freuen /zɪç/ <v, refl>\nbe glad <v>, be happy <v>\n"
STREET = "Straße /ʃtraːsə/ <fem, n, sg>\nstreet <n>, road (e.g. a long, wide one) <n> [Am.] , lane <n>ln,  /lˈeːn/ \n"
BENCH = """\
Bank /baŋk/ <fem, n, sg>
bench <n>
      "im Park auf der Bank sitzen"  - sit on the bench
   Synonym: {Sitzbank}
"""
MONEY = "Bank /baŋk/ <fem, n, sg>\nbank <n>\n"
ARTICLES = [APP, OFFICE, PREFIX, WALKING, GO, SEE, GLAD, STREET, BENCH, MONEY]


@pytest.fixture
def small(write_dictionary):
    write_dictionary(
        "freedict-eng-deu", ["house /haʊs/\nHaus <neut>, Bauwerk <neut>\n", "see sth. /siː/ <v>\netw. sehen <v>\n"]
    )
    return FreeDict(write_dictionary("freedict-deu-eng", ARTICLES))


def glosses(dictionary, word, **how):
    return [entry.glosses for entry in dictionary.look_up(word, **how)]


def test_a_noun_comes_with_its_article_and_its_likeliest_meaning_first(small):
    (entry,) = small.look_up("Haus")
    assert (entry.written, entry.reading, entry.part_of_speech) == ("Haus", "das Haus", "noun")
    assert entry.glosses == ("house", "establishment", "institution")
    assert entry.frequency is not None
    assert entry.frequency > 5


def test_a_capital_makes_another_word(small):
    assert glosses(small, "gehen") == [("to go",)]
    assert glosses(small, "Gehen") == [("walking",)]


def test_the_objects_of_a_verb_are_no_part_of_it(small):
    assert glosses(small, "sehen") == [("to see",)]
    assert glosses(small, "freuen") == [("to be glad", "to be happy")]


def test_marks_about_a_translation_are_no_part_of_it(small):
    assert glosses(small, "Straße") == [("street", "road (e.g. a long, wide one)", "lane")]


@pytest.mark.parametrize("word", ["Hau", "Hausboot", "", "…", "zzz", "0"])
def test_what_is_not_there_is_not_found(small, word):
    assert small.look_up(word) == []


def test_the_line_tells_the_meaning(small):
    word = WordToken("Bank", "Bank", "Bank", "die Bank", "noun", is_content=True)
    assert small.gloss(word, "Die Bank macht zu").english == "bank"
    assert small.gloss(word, "Wir sitzen im Park auf der Bank").english == "bench"


def test_english_leads_to_german(small):
    assert [entry.reading for entry in small.reverse("house")] == ["das Haus"]
    assert [entry.reading for entry in small.reverse("see", "verb")] == ["sehen"]
    assert small.reverse("house", "verb") == []


def test_a_missing_dictionary_says_how_to_install_it(tmp_path):
    with pytest.raises(MissingPart) as caught:
        FreeDict(tmp_path)
    assert "apt-get install dict-freedict-deu-eng" in caught.value.remedy


def test_a_file_that_is_no_dictzip_is_refused(write_dictionary):
    folder = write_dictionary("freedict-deu-eng", ARTICLES)
    (folder / "freedict-deu-eng.dict.dz").write_bytes(b"PK" + bytes(40))
    with pytest.raises(BadInput, match="dictzip"):
        FreeDict(folder)


@pytest.mark.part("freedict")
@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("night", "die Nacht"),
        ("heart", "das Herz"),
        ("love", "die Liebe"),
        ("star", "der Stern"),
        ("rain", "der Regen"),
        ("dream", "der Traum"),
        ("beautiful", "schön"),
        ("alone", "allein"),
        ("go", "gehen"),
        ("see", "sehen"),
        ("sing", "singen"),
        ("girl", "das Mädchen"),
    ],
)
def test_the_real_dictionary_in_reverse(freedict, english, german):
    assert freedict.reverse(english)[0].reading == german
