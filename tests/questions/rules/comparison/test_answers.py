"""Whether two answers say the same."""

from hypothesis import given
from hypothesis import strategies as st

from studium.questions.rules.comparison.answers import gives_answer_away, same_answer


def test_answers_are_compared_by_words_numbers_and_negation(subtests):
    cases = [
        ("a router", "A router.", True),
        ("7", "7", True),
        ("7", "17", False),
        ("7.5 ms", "7.5 ms", True),
        ("10 seconds", "10 minutes", False),
        ("It was accepted", "It was not accepted", False),
        ("It isn't used", "It is used", False),
        ("It isn’t used", "It is not used", True),
        ("a link-state routing protocol", "a link-state protocol for routing", True),
        ("on 3 May 2021", "on 3 May 2012", False),
        ("", "a router", False),
    ]
    for one, other, same in cases:
        with subtests.test(one=one, other=other, same=same):
            assert same_answer(one, other) is same
            assert same_answer(other, one) is same


def test_a_question_that_says_its_answer_gives_itself_away(subtests):
    cases = [
        ("Is OSPF a link-state protocol?", "a link-state protocol", True),
        ("What is OSPF?", "a link-state protocol", False),
        ("How many hops does RIP count, 15?", "15", True),
    ]
    for question, answer, leaks in cases:
        with subtests.test(question=question, answer=answer, leaks=leaks):
            assert gives_answer_away(question, answer) is leaks


def test_one_answer_in_two_wordings_is_the_same(subtests):
    cases = [
        ("10 s", "10 seconds"),
        ("10 s", "ten seconds"),
        ("60 s", "1 minute"),
        ("5 %", "5 per cent"),
        ("€5", "5 euros"),
        ("30 ft.", "30 feet"),
        ("1,000", "1000"),
        ("3.5", "3,5"),
        ("3 million", "3,000,000"),
        ("21", "twenty-one"),
        ("two hundred and fifty", "250"),
        ("einundzwanzig Meter", "21 m"),
        ("vingt-trois ouvriers", "23"),
        ("3rd", "third"),
        ("between 10 and 20 km", "10–20 km"),
        ("March 4, 2021", "4 March 2021"),
        ("March 4, 2021", "2021-03-04"),
        ("4. März 2021", "4 de marzo de 2021"),
        ("4 mars 2021", "4 марта 2021 года"),
        ("in 1874", "1874"),
        ("May 1874", "1874"),
        ("15", "15 hops"),
        ("up to 15", "15"),
        ("every 10 seconds", "10 seconds"),
        ("red, green and blue", "blue, red and green"),
        ("John Smith", "Smith, John"),
        ("Dr. Anna Berg", "Anna Berg"),
        ("forwarding packets", "forwards packets"),
        ("the backbone", "the backbone, to which all other areas connect"),
        ("a link-state protocol", "a link-state protocol that finds paths with Dijkstra's algorithm"),
        ("Yes", "Yes, it does"),
        ("ein Gerät, das Pakete weiterleitet", "Gerät, das Pakete weiterleitet"),
        ("リンクステート型のプロトコルです。", "リンクステート型のプロトコル"),
        ("15メートル", "15 m"),
    ]
    for one, other in cases:
        with subtests.test(one=one, other=other):
            assert same_answer(one, other)
            assert same_answer(other, one)


def test_what_differs_in_a_fact_is_not_the_same(subtests):
    cases = [
        ("5 km", "5 m"),
        ("120 V", "120 W"),
        ("30 ft.", "30 m"),
        ("$5", "5 euros"),
        ("-5 °C", "5 °C"),
        ("8:00 a.m.", "8:00 p.m."),
        ("14:30", "14:45"),
        ("more than 40", "40"),
        ("at least 10", "at most 10"),
        ("15 hops", "15 routers"),
        ("10–20 km", "10–30 km"),
        ("the third gate", "the fourth gate"),
        ("May 1874", "June 1874"),
        ("1874", "1875"),
        ("U.S. Patent 7,123,456", "U.S. Patent 7,123,465"),
        ("10.0.0.1", "10.0.0.2"),
        ("IPv4", "IPv6"),
        ("2d6+2", "2d6+3"),
        ("an increase", "a decrease"),
        ("the minimum", "the maximum"),
        ("the north gate", "the south gate"),
        ("Yes", "No"),
        ("employer", "employee"),
        ("John Smith", "Jane Smith"),
        ("Marta Ruiz", "Marta Ruiz and Jon Ode"),
        ("from Oslo to Bergen", "from Bergen to Oslo"),
        ("red, green", "red, green and blue"),
        ("copper and tin", "tin"),
        ("a link-state protocol that computes paths", "a distance-vector protocol that computes paths"),
        ("15メートル", "16メートル"),
        ("使われる", "使われない"),
        ("нет воды", "вода"),
    ]
    for one, other in cases:
        with subtests.test(one=one, other=other):
            assert not same_answer(one, other)
            assert not same_answer(other, one)


def test_a_similarity_accepts_a_rewording_but_never_another_fact():
    def alike(_one, _other):
        return 0.99

    assert same_answer("the largest old harbour", "the largest ancient harbour", alike)
    assert not same_answer("the largest old harbour", "the largest ancient harbour")
    assert not same_answer("opened before the great war", "opened after the great war", alike)
    assert not same_answer("7 old harbours", "17 ancient harbours", alike)


WORDS = st.sampled_from(
    [
        "the",
        "red",
        "blue",
        "gate",
        "Oslo",
        "Bergen",
        "7",
        "17",
        "km",
        "m",
        "not",
        "and",
        "or",
        "1874",
        "May",
        "router",
        "of",
        "every",
        "ten",
    ]
)
ANSWERS = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)


@given(ANSWERS, ANSWERS)
def test_the_comparison_does_not_depend_on_the_order(one, other):
    assert same_answer(one, other) is same_answer(other, one)


def test_only_what_the_question_says_itself_is_given_away(subtests):
    cases = [
        ("Is the gate red or blue?", "red", False),
        ("What colour is the White House?", "white", True),
        ("When did the 1874 fire break out?", "in 1874", True),
        ("How many areas are there?", "3 areas", False),
        ("Does LNP encrypt its beacons?", "No", False),
        ("Welche Farbe hat das Grüne Tor?", "grün", True),
    ]
    for question, answer, leaks in cases:
        with subtests.test(question=question, answer=answer, leaks=leaks):
            assert gives_answer_away(question, answer) is leaks


def test_a_number_without_its_unit_does_not_give_the_quantity_away():
    assert not gives_answer_away("What is the capacity of the Emberbox 5?", "5 kWh")
    assert gives_answer_away("What is the capacity of the battery of 5 kWh?", "5 kWh")


def test_a_longer_cut_of_the_same_phrase_is_the_same_answer(subtests):
    quote = "Ruth Alder, a widow, owns a bakery on Mill Street (see ¶ 3), which she runs with Omar and Ines."
    same = [
        ("a bakery on Mill Street", "a bakery"),
        ("Ruth Alder, a widow", "Ruth Alder"),
        ("a bakery ¶ 3", "a bakery"),
    ]
    for one, other in same:
        with subtests.test(one=one, other=other):
            assert same_answer(one, other, quotes=(quote,))
    different = [("Omar", "Omar and Ines"), ("a bakery on Hill Street", "a bakery"), ("a bakery in Riga", "a bakery")]
    for one, other in different:
        with subtests.test(one=one, other=other):
            assert not same_answer(one, other, quotes=(quote,))


def test_an_explanation_may_be_left_out():
    quote = "Access is neutral when providers treat all sites equally, that is, without any limit by content or user."
    whole = "when providers treat all sites equally, that is, without any limit by content or user"
    assert same_answer(whole, "when providers treat all sites equally", quotes=(quote,))
    assert not same_answer(whole.replace("all sites", "most sites"), "when providers treat all sites", quotes=(quote,))


def test_words_of_the_question_make_no_difference():
    question = "On top of which kernel does the Hurd run?"
    assert same_answer("GNU Mach", "the GNU Mach kernel", question=question)
    assert not same_answer("Linux", "the GNU Mach kernel", question=question)


def test_yes_and_no_are_compared_with_explanations(subtests):
    cases = [
        ("No, never.", "No", True),
        ("No, it is optional.", "No", True),
        ("They are not encrypted.", "No", True),
        ("Yes, always.", "No", False),
        ("They are encrypted.", "No", False),
    ]
    for one, other, same in cases:
        with subtests.test(one=one):
            assert same_answer(one, other) is same


def test_options_and_quantifiers_must_agree(subtests):
    cases = [
        ("--kernel", "the --kernel option", True),
        ("--kernel", "the --initrd option", False),
        ("#debian", "#debian-devel", False),
        ("few sites need it", "most sites need it", False),
        ("it becomes ill-posed", "it becomes illposed", True),
    ]
    for one, other, same in cases:
        with subtests.test(one=one, other=other):
            assert same_answer(one, other) is same
