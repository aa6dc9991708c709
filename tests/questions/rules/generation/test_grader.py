"""Which questions a teacher would keep, as the grader has learnt it."""

import pytest

from studium.questions.rules.generation.grader import Pair, grade_all

SENTENCE = "The harbour pilots of Sulva guide ships through the strait by reading the colour of the water."
GOOD = Pair("How do the harbour pilots of Sulva guide ships?", "by reading the colour of the water", SENTENCE)
BETTER_THAN = {
    "garbled": Pair("What do the harbour guide pilots of?", "ships through the strait", SENTENCE),
    "an answer that says nothing": Pair("What do the harbour pilots of Sulva do?", "many things", SENTENCE),
    "not understood without its passage": Pair(
        "What does the second one guide?", "ships", "The second one guides ships."
    ),
}


@pytest.mark.parametrize("fault", BETTER_THAN)
def test_a_good_question_is_graded_better_than_a_poor_one(fault):
    good, poor = grade_all([GOOD, BETTER_THAN[fault]])
    assert good.value > poor.value + 0.2
    assert poor.thrown > poor.kept


def test_a_grade_does_not_depend_on_the_other_questions():
    alone = grade_all([GOOD])[0]
    assert grade_all([BETTER_THAN["garbled"], GOOD, BETTER_THAN["an answer that says nothing"]])[1] == alone


def test_nothing_to_grade_gives_no_grades():
    assert grade_all([]) == []
