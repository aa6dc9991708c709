import pytest
from evaluation.vocabulary import score_expressions, score_gsd
from tests.vocabulary.dictionary.conftest import dictionary_cache

WORDS = (
    ("猫", "猫", "NOUN", "ネコ,猫,猫,猫,ネコ"),
    ("が", "が", "ADP", "ガ,が,が,が,ガ"),
    ("魚", "魚", "NOUN", "ウオ,魚,魚,魚,ウオ"),
    ("を", "を", "ADP", "ヲ,を,を,を,オ"),
    ("食べ", "食べる", "VERB", "タベル,食べる,食べ,食べる,タベ"),
    ("た", "た", "AUX", "タ,た,た,た,タ"),
)


@pytest.fixture
def given(material, request):
    """What the scorer is given, with the dictionary prepared before."""
    found = material("vocabulary")
    home = found.home / "vocabulary"
    home.mkdir(parents=True)
    (home / "dictionary").symlink_to(dictionary_cache(request.config))
    return found


def test_words_and_their_readings_are_counted(write, given):
    rows = [
        f"{number}\t{form}\t{lemma}\t{kind}\t_\t_\t0\troot\t_\tSpaceAfter=No|UnidicInfo={unidic},,,,,"
        for number, (form, lemma, kind, unidic) in enumerate(WORDS, 1)
    ]
    sentence = ["# text = 猫が魚を食べた", *rows]
    write("vocabulary/ours.conllu", "\n".join(sentence))
    score = score_gsd(given)
    # A fish on the table is read さかな, not うお as these labels want it.
    assert score.figures == {"strict": 1.0, "covered": 1.0, "readings": 0.6667}
    assert [case.split()[:3] for case in score.wrong] == [["misread", "魚", "うお"]]


def test_a_word_inside_a_longer_one_of_the_dictionary_is_covered(write, given):
    rows = [
        "1\t図書\t図書\tNOUN\t_\t_\t0\troot\t_\tUnidicInfo=トショ,図書,図書,図書,トショ,,,,,",
        "2\t館\t館\tNOUN\t_\t_\t0\troot\t_\tUnidicInfo=カン,館,館,館,カン,,,,,",
    ]
    write("vocabulary/ours.conllu", "\n".join(["# text = 図書館", *rows, "", ""]))
    assert score_gsd(given).figures == {"strict": 0.0, "covered": 1.0, "readings": 0.0}


def test_an_expression_needs_its_reading_and_its_meaning(write, given):
    lines = (
        "noun\t猫が歩いている\t猫/ネコ\tねこ\tcat",
        "noun\t猫が歩いている\t猫\tいぬ\tcat",
        "noun\t猫が歩いている\t猫\tねこ\tdog",
        "verb\t猫が歩いている\t走る\tはしる\trun",
        "verb\t猫が歩いている\t歩く\tアルク\tRUN/walk",
    )
    write("vocabulary/expressions.tsv", "\n".join(["kind\tline\theadword\treading\tgloss", *lines]))
    score = score_expressions(given)
    assert score.figures == {"right": 2, "of": 5}
    assert len(score.wrong) == 3
