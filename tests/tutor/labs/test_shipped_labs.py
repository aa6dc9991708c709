"""The labs that come with Studium: each is whole, and a student finds help in it."""

import re

import yaml

from studium.tutor.labs.reader import list_lab_folders, read_lab
from studium.tutor.quiz import grade, parse_questions

IDS = [
    "01-basic-routing",
    "02-static-routing",
    "03-default-route",
    "04-ospf-single-area",
    "05-ospf-faults",
    "06-rip",
    "07-bgp-basics",
    "08-subnetting",
]


def test_there_are_eight(shipped_folder):
    assert sorted(list_lab_folders([shipped_folder])) == IDS


def test_a_lab_has_no_mistake_and_two_to_four_devices(shipped):
    reading = read_lab(shipped)
    assert reading.findings == ()
    assert reading.lab.id == shipped.name
    assert 2 <= len(reading.lab.devices) <= 4
    assert len(reading.lab.checks) >= 4


def test_every_check_has_a_topic_and_help_in_three_levels(shipped):
    lab = read_lab(shipped).lab
    for check in lab.checks:
        assert check.topic
        assert [hint.level for hint in lab.hints if hint.check == check.id] == [1, 2, 3]


def test_the_instructions_go_step_by_step(shipped):
    steps = re.findall(r"(?m)^## Step (\d)", read_lab(shipped).lab.instructions)
    assert steps == [str(number) for number in range(1, len(steps) + 1)]
    assert len(steps) >= 4


def test_documents_can_be_found_by_their_headings(shipped):
    documents = read_lab(shipped).lab.documents
    assert len(documents) >= 2
    for name in documents:
        text = (shipped / name).read_text()
        assert text.startswith("# ")
        assert len(re.findall(r"(?m)^## ", text)) >= 3
        assert 300 <= len(text.split()) <= 800, name


def test_the_quiz_accepts_its_own_answers(shipped):
    file = shipped / "quiz.yaml"
    questions = parse_questions(yaml.safe_load(file.read_text()), str(file))
    assert len(questions) >= 6
    for question in questions:
        assert question.topic
        assert question.explanation
        assert {grade(question, answer).verdict for answer in question.answers} == {"right"}
        if question.kind == "choice":
            wrong = set(question.choices) - set(question.answers)
            assert len(wrong) == 3
            assert {grade(question, choice).verdict for choice in wrong} == {"wrong"}
