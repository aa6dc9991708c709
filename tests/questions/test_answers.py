import pytest

from studium.workflows.questions.answers import gives_itself_away, same_answer


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
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
    ],
)
def test_answers_are_compared_by_words_numbers_and_negation(one, other, same):
    assert same_answer(one, other) is same
    assert same_answer(other, one) is same


@pytest.mark.parametrize(
    ("question", "answer", "leaks"),
    [
        ("Is OSPF a link-state protocol?", "a link-state protocol", True),
        ("What is OSPF?", "a link-state protocol", False),
        ("How many hops does RIP count, 15?", "15", True),
    ],
)
def test_a_question_that_says_its_answer_gives_itself_away(question, answer, leaks):
    assert gives_itself_away(question, answer) is leaks
