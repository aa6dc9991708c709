"""A hand-written list of students' questions: the passage that answers each is among the first three."""

import csv
from pathlib import Path

import pytest

from studium.core.app import load_embedder, open_database
from studium.core.config import load_settings
from studium.tutor.domain import TypedCommand
from studium.tutor.knowledge import Knowledge

_LINES = Path(__file__).with_name("questions.tsv").read_text("utf-8").splitlines()
QUESTIONS = list(csv.DictReader(_LINES, delimiter="\t"))
# The documents were improved by the first part alone, then by the second; the last was written after that.
PARTS = ("development", "held_out", "last")


def answers(asked):
    """`ios/routing.md#ip route|error-patterns#Invalid next hop`: any of these answers it."""
    return [tuple(answer.split("#", 1)) for answer in asked["answers"].split("|")]


def is_answer(passage, answer):
    path, heading = answer
    return path in passage.where.path and passage.heading.rpartition(" > ")[2] == heading


def found_for(knowledge, asked):
    if not asked["output"]:
        return knowledge.teaching(asked["question"])
    typed = TypedCommand(command=asked["command"], output=asked["output"].replace("\\n", "\n"))
    return knowledge.troubleshooting(asked["question"], [typed])[:3]


def missed(knowledge, part):
    return [
        asked["question"]
        for asked in QUESTIONS
        if asked["part"] == part
        and not any(is_answer(passage, answer) for passage in found_for(knowledge, asked) for answer in answers(asked))
    ]


def count(part):
    return sum(asked["part"] == part for asked in QUESTIONS)


def test_there_are_enough_questions_and_half_were_held_out():
    assert len(QUESTIONS) >= 80
    assert count("development") <= len(QUESTIONS) // 2


def test_every_answer_names_a_passage_that_there_is(passages):
    named = {answer for asked in QUESTIONS for answer in answers(asked)}
    assert [answer for answer in named if not any(is_answer(passage, answer) for passage in passages)] == []


@pytest.mark.endurance  # every shipped passage is embedded first
@pytest.mark.xdist_group("tutor-search")
def test_nine_of_ten_are_answered_by_words_and_meaning(passages, home_with_search):
    settings = load_settings(overrides=(f"home={home_with_search}",))
    with open_database(settings) as database:
        knowledge = Knowledge(passages, load_embedder(settings, database))
        for part in PARTS:
            assert len(missed(knowledge, part)) <= count(part) // 10, part


def test_four_of_five_are_answered_by_words_alone(by_words):
    assert sum(len(missed(by_words, part)) for part in PARTS) <= len(QUESTIONS) // 5
