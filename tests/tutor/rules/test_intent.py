"""A question goes to teaching or to troubleshooting by its grammar and by what is on the screen."""

import csv
import time
from collections import Counter
from pathlib import Path

import pytest

from studium.tutor.domain import Diagnosis, TypedCommand
from studium.tutor.rules.intent import classify_intent, has_visible_error

HERE = Path(__file__).parent


def labelled(name: str) -> list[dict[str, str]]:
    with (HERE / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize(("name", "size"), [("questions.tsv", 150), ("held_out.tsv", 60)])
def test_at_least_95_of_100_questions_of_students_go_the_right_way(name, size, refused):
    rows = labelled(name)
    assert len(rows) >= size
    assert set(Counter(row["label"] for row in rows)) == {"teaching", "troubleshooting", "ambiguous"}
    wrong = [
        (row["question"], routed)
        for row in rows
        if (routed := classify_intent(row["question"], [refused] if row["has_cli_error"] == "1" else []))
        != row["label"]
    ]
    assert len(wrong) <= 0.05 * len(rows), wrong


def test_a_question_is_parsed_and_routed_without_a_noticeable_delay(refused):
    questions = [row["question"] for row in labelled("questions.tsv")][::10]
    classify_intent("What is OSPF?")
    took = []
    for question in questions:
        start = time.perf_counter()
        classify_intent(question, [refused])
        took.append(time.perf_counter() - start)
    assert sorted(took)[len(took) // 2] < 0.1


def test_a_vague_question_is_about_the_error_if_there_is_one(refused, diagnosis):
    assert classify_intent("help") == "ambiguous"
    assert classify_intent("help", [refused]) == "troubleshooting"
    assert classify_intent("help", [], [diagnosis]) == "troubleshooting"


def test_a_question_about_networks_at_large_stays_one_although_there_is_an_error(refused):
    assert classify_intent("What is the difference between OSPF and RIP?", [refused]) == "teaching"


def test_an_old_error_is_out_of_sight(refused):
    fine = [TypedCommand(command="show clock", output="*09:00:00.000 UTC")] * 5
    assert classify_intent("what now", [refused, *fine]) == "ambiguous"


def test_a_notice_is_no_error():
    notice = Diagnosis(error_type="VLAN_NOT_IN_DATABASE", diagnosis="d", fix="f", metadata={"severity": "notice"})
    assert not has_visible_error([], [notice])


def test_log_lines_are_no_complaints():
    logged = TypedCommand(command="end", output="%SYS-5-CONFIG_I: Configured from console by console")
    assert not has_visible_error([logged], [])


@pytest.mark.parametrize("question", ["", "   ", "???", "¿Qué es OSPF?", "🙃"])
def test_anything_may_be_asked(question):
    assert classify_intent(question) in {"ambiguous", "teaching"}


def test_a_pasted_log_does_not_take_long():
    start = time.perf_counter()
    assert classify_intent("why does it fail? " + "a b " * 500_000) == "troubleshooting"
    assert time.perf_counter() - start < 5
