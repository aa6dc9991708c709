"""The rules' validator and the code's verdict, measured on questions that were labelled by hand."""

import json
from pathlib import Path

import pytest

import studium
from studium.core.documents.registry import read_document
from studium.questions.candidates import judge_candidate
from studium.questions.rules.comparison.answers import gives_answer_away
from studium.questions.rules.parsed_document import parse_document
from studium.questions.rules.validation.validate import answer_question
from studium.questions.state import CurrentCandidate

SAMPLES = Path(studium.__file__).parent / "questions" / "sample_files" / "questions"
LABELLED = Path(__file__).parent / "labelled" / "answers.jsonl"


@pytest.fixture(scope="module")
def confirmed():
    """The labels of what is confirmed, and how many there were to confirm."""
    cases = [json.loads(line) for line in LABELLED.read_text(encoding="utf-8").splitlines()]
    labels = [case["verdict"] for case in cases if confirms(case)]
    return labels, sum(case["verdict"] == "correct" for case in cases)


def confirms(case):
    document = read_document(SAMPLES / case["document"]).document
    validated = answer_question(case["question"], parse_document("\n".join(line.text for line in document.lines())))
    candidate = CurrentCandidate(question=case["question"], answer=case["answer"], evidence=())
    leaks = gives_answer_away(case["question"], case["answer"])
    return not leaks and judge_candidate(candidate, validated) is None


def test_at_least_95_in_100_of_the_accepted_answers_are_correct(confirmed):
    labels, _ = confirmed
    assert labels.count("correct") / len(labels) >= 0.95


def test_more_than_half_of_the_correct_answers_are_accepted(confirmed):
    labels, correct = confirmed
    assert labels.count("correct") / correct >= 0.55
