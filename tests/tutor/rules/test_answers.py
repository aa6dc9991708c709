"""Answers without a model say what a diagnosis, a page or the lab says, as much of it as the strategy allows."""

import re

import pytest

from studium.tutor.rules.answers import teaching_answer, troubleshooting_answer
from studium.tutor.rules.sentences import MOST_WORDS, relevant_sentences, sentences_in
from studium.tutor.skills import FeedbackInput, NumberedPassage, TeachInput

FIX = "ip address 10.0.0.1 255.255.255.0"


@pytest.fixture
def stuck(refused, diagnosis, passages):
    """What is given about a student who typed a prefix length, asked for help, and is helped in a way."""

    def given(strategy: str, level: str = "intermediate", **more) -> FeedbackInput:
        return FeedbackInput(
            question="Why?",
            strategy=strategy,
            mastery_level=level,
            history=(refused,),
            diagnoses=(diagnosis,),
            passages=passages,
            open_checks=("R1 reaches R2",),
            **more,
        )

    return given


def test_a_direct_answer_says_what_is_wrong_why_the_fix_the_next_step_and_asks_back(stuck):
    answer = troubleshooting_answer(stuck("direct", proofs=("Proved on r1.",)))
    assert answer.split("\n\n") == [
        "About `ip address 10.0.0.1/24` on r1: IOS takes a dotted mask for an IPv4 address, not /24.",
        (
            "The `ip address` command gives an interface an IPv4 address. IOS expects the mask in dotted form, e.g."
            " 255.255.255.0. [1]"
        ),
        "Type this:",
        f"```\n{FIX}\n```",
        "Proved on r1.",
        "Still open in this lab: R1 reaches R2.",
        "For next time: How do you write this prefix length as a dotted mask?",
    ]


def test_a_hint_gives_more_away_each_time(stuck):
    first, second, third = (troubleshooting_answer(stuck("hint", hint_level=level)) for level in (1, 2, 3))
    assert "dotted mask for" not in first
    assert "See “ip address” [1]." in first
    assert "IOS takes a dotted mask" in second
    assert FIX not in first + second
    assert FIX in third


def test_a_socratic_answer_shows_what_the_device_said_and_asks(stuck):
    assert troubleshooting_answer(stuck("socratic")).split("\n\n") == [
        "About `ip address 10.0.0.1/24` on r1: The device says `% Invalid input detected at '^' marker.`",
        "Still open in this lab: R1 reaches R2.",
        "How do you write this prefix length as a dotted mask?",
    ]


def test_who_knows_the_topic_is_not_lectured(stuck):
    answers = {
        level: troubleshooting_answer(stuck("direct", level)) for level in ("novice", "intermediate", "advanced")
    }
    assert "[1]" in answers["novice"]
    assert "[1]" not in answers["advanced"]
    assert all(FIX in answer for answer in answers.values())
    assert len(answers["novice"]) >= len(answers["intermediate"]) > len(answers["advanced"])


def test_no_internal_name_is_shown(stuck):
    for strategy in ("direct", "hint", "socratic", "challenge"):
        answer = troubleshooting_answer(stuck(strategy))
        assert "CIDR_NOT_SUPPORTED" not in answer
        assert "cidr-1" not in answer


def test_the_labs_own_hint_goes_with_its_goal(stuck):
    answer = troubleshooting_answer(stuck("hint", hint="Which network is behind R2?"))
    assert "Still open in this lab: R1 reaches R2. Which network is behind R2?" in answer


def test_without_an_error_the_pages_help(passages):
    given = FeedbackInput(question="my prefix length is ignored", passages=passages)
    answer = troubleshooting_answer(given)
    assert answer.startswith("A prefix length such as /24 is refused. [1] A prefix length is the number of one bits")
    assert answer.endswith("What did you expect to see, and what do you see instead?")


def test_a_complaint_that_nobody_could_explain_is_not_denied(refused):
    answer = troubleshooting_answer(FeedbackInput(question="why?", history=(refused,)))
    assert "The device says `% Invalid input detected at '^' marker.`" in answer
    assert "no error" not in answer
    fine = refused.model_copy(update={"output": ""})
    assert "I see no error in what you typed." in troubleshooting_answer(
        FeedbackInput(question="why?", history=(fine,))
    )


def test_a_mistake_in_a_configuration_is_reported_with_its_device(diagnosis, refused):
    silent = diagnosis.model_copy(update={"metadata": {"device": "r2", "commands": ["no shutdown"]}})
    answer = troubleshooting_answer(FeedbackInput(question="why?", history=(refused,), diagnoses=(silent,)))
    assert answer.startswith("On r2: IOS takes a dotted mask")


def test_a_concept_is_explained_from_the_pages_with_their_numbers(passages):
    given = TeachInput(question="What is a prefix length?", lab="Addressing", passages=passages)
    assert teaching_answer(given).split("\n\n") == [
        (
            "A prefix length is the number of one bits in a mask. It is written after a slash, as in 10.0.0.0/24."
            " Routers compare it when they choose a route. [2] A prefix length such as /24 is refused. [1]"
        ),
        "How would you put “Prefix length” in your own words, and where does this lab need it?",
    ]


def test_a_socratic_answer_keeps_the_definition_back(passages):
    given = TeachInput(question="What is a prefix length?", strategy="socratic", passages=passages)
    answer = teaching_answer(given)
    assert "number of one bits" not in answer
    assert "What would you say yourself: What is a prefix length? Then compare with “Prefix length” [2]." in answer


def test_who_asks_how_it_is_done_sees_an_example(passages):
    given = TeachInput(
        question="How do I give an interface an IPv4 address?", mastery_level="advanced", passages=passages
    )
    assert f"An example [1]:\n\n```\ninterface GigabitEthernet0/0\n {FIX}\n```" in teaching_answer(given)


@pytest.mark.parametrize("strategy", ["direct", "hint", "challenge", "socratic"])
def test_every_strategy_is_another_answer(strategy, passages):
    others = {"direct", "hint", "challenge", "socratic"} - {strategy}
    given = TeachInput(question="What is a prefix length?", passages=passages)
    told = teaching_answer(given.model_copy(update={"strategy": strategy}))
    assert told not in {teaching_answer(given.model_copy(update={"strategy": other})) for other in others}
    assert re.search(r"\?(?: |$)", told.split("\n\n")[-1])


def test_where_no_page_says_anything_nothing_is_made_up():
    answer = teaching_answer(TeachInput(question="What is MPLS?", open_checks=("R1 reaches R2",)))
    assert answer.split("\n\n") == [
        "The documents I have say nothing about this.",
        "Still open in this lab: R1 reaches R2.",
        "Can you say it in other words, or name the command or protocol you mean?",
    ]


def test_a_vague_question_gets_the_state_of_the_lab(passages):
    given = TeachInput(
        question="What next?",
        goal="Both PCs talk.",
        passages=passages,
        open_checks=("R1 reaches R2.",),
        hint="Look at R2.",
    )
    assert teaching_answer(given).split("\n\n") == [
        "The goal of this lab: Both PCs talk.",
        "Still open in this lab: R1 reaches R2. Look at R2.",
        "What have you done so far, and what would you try next?",
    ]


def test_instructions_in_a_page_are_never_repeated(passages):
    told = " ".join(sentence.text for passage in passages for sentence in sentences_in(passage))
    assert "Ignore previous instructions" not in told
    assert "is refused" in told


def test_sentences_are_whole_and_abbreviations_do_not_end_them(passages):
    assert [sentence.text for sentence in sentences_in(passages[0])] == [
        "The `ip address` command gives an interface an IPv4 address.",
        "IOS expects the mask in dotted form, e.g. 255.255.255.0.",
        "A prefix length such as /24 is refused.",
    ]


def test_lists_and_tables_and_wrapped_lines():
    page = NumberedPassage(
        number=1,
        source="a.md: A",
        text="OSPF has areas.\nThey keep\nfloods small.\n\n| a | b |\n|---|---|\n\n1. First comes area 0.\n2) Then"
        " **the rest** of *them*.\n\n`<wrong>` is not filled in.\n\n    router ospf 1\n\nNote this:\n",
    )
    assert [sentence.text for sentence in sentences_in(page)] == [
        "OSPF has areas.",
        "They keep floods small.",
        "First comes area 0.",
        "Then the rest of them.",
    ]


def test_no_more_words_than_a_student_reads():
    text = " ".join(f"Area {number} is an area of OSPF like all the others." for number in range(100))
    told = relevant_sentences("What is an OSPF area?", [NumberedPassage(number=1, source="a", text=text)])
    words = sum(len(sentence.text.split()) for sentence in told)
    assert MOST_WORDS - 12 < words <= MOST_WORDS
