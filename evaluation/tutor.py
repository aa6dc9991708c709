"""Scores the tutor on mistakes and on healthy output, and writes its answers to a file for a person to judge."""

import asyncio
import json
import re
import shutil
from collections.abc import Mapping
from typing import Any

from evaluation.material import Material, Score
from studium.core.config import Settings
from studium.tutor.domain import Diagnosis
from studium.tutor.use_cases import ask, diagnose, prepare_search

HEAD = """\
# Answers of the tutor

Does each answer contain or do what it must, right away and without anything wrong? Judge 1, ½ or 0. No lab was up.
"""


def score_mistakes(material: Material) -> Score:
    """How many mistakes are found, and how many have the required diagnosis, fix or commands."""
    cases = json.loads(material.find("errors.json").read_text("utf-8"))
    settings = material.settings("mistakes")
    found, wrong = 0, []
    for case in cases:
        detected = _diagnose(settings, case)
        said = f"{detected.diagnosis} {detected.fix or ''} {detected.metadata.get('commands')}" if detected else ""
        found += detected is not None
        if not detected or not re.search(case["must_match"], said):
            wrong.append(f"{case['id']} {case['prompt']}{case['command']}: {said or 'not noticed'}")
    return Score({"found": found, "right": len(cases) - len(wrong), "of": len(cases)}, wrong)


def score_healthy(material: Material) -> Score:
    """How many healthy outputs raise a false alarm; a notice does not count."""
    cases = json.loads(material.find("healthy.json").read_text("utf-8"))
    settings = material.settings("healthy")
    wrong = []
    for case in cases:
        detected = _diagnose(settings, case)
        if detected and detected.metadata.get("severity") != "notice":
            wrong.append(f"{case['prompt']}{case['command']}: {detected.diagnosis}")
    return Score({"alarms": len(wrong), "of": len(cases)}, wrong)


def answer_questions(material: Material) -> Score:
    """Write the answer to every question with its requirements, for a person to judge."""
    cases = json.loads(material.find("questions.json").read_text("utf-8"))
    prepared = material.settings("prepared")
    prepare_search(prepared)
    material.answers.parent.mkdir(parents=True, exist_ok=True)
    with material.answers.open("w", encoding="utf-8") as file:
        file.write(HEAD)
        for case in cases:
            # Every question is from a new learner, with everything prepared.
            learner = material.settings("learner")
            shutil.copytree(prepared.home, learner.home)
            file.write(
                f"\n## {case['id']} {case['kind']}, {case['lab']}\n\n**{case['question']}**\n\n"
                f"Must: {case['must']}\n\n{_answer(learner, case)}\n\nJudged: \n"
            )
            shutil.rmtree(learner.home)
    return Score(str(material.answers))


def _diagnose(settings: Settings, case: Mapping[str, Any]) -> Diagnosis | None:
    return diagnose(settings, case["command"], case["output"], case["prompt"] or None)[0]


def _answer(settings: Settings, case: Mapping[str, Any]) -> str:
    try:
        return str(asyncio.run(ask(settings, case["lab"], case["question"]))["response"])
    except Exception as error:  # noqa: BLE001 - any failure counts against this question only
        return f"(no answer) {type(error).__name__}: {error}"


SETS = {"mistakes": score_mistakes, "healthy": score_healthy, "questions": answer_questions}
