"""Scores the questions: the validator, duplicate detection, and the questions that rules generate from documents."""

import asyncio
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from evaluation.material import LeftOut, Material, Score, hide_tracebacks, share
from studium.core.app import open_app
from studium.core.config import Settings
from studium.core.documents import find_files
from studium.core.documents.registry import READERS
from studium.core.domain.errors import StudiumError
from studium.questions.rules.duplicate_detection.same_question import same_question
from studium.questions.use_cases import GenerationRequest, generate_questions
from studium.testing import Reply, WireRequest, WireServer

ASKED = 20
"""The number of questions to generate for each document."""
LONGEST = 300
"""Seconds until a document is skipped."""
_NO_LIMIT = 200

Case = Mapping[str, Any]


def score_validator(material: Material) -> Score:
    """How many right and how many wrong questions are accepted when a model submits them."""
    cases = json.loads(material.find("validator.json").read_text("utf-8"))
    documents = material.find_documents()
    names = sorted({case["document"] for case in cases})
    if missing := [name for name in names if not (documents / name).is_file()]:
        raise LeftOut(f"{', '.join(missing)} not in {documents}")
    accepted: Counter[str] = Counter()
    wrong = []
    for verdict in ("wrong", "right"):  # separately, since both may have the same question
        for name in names:
            submitted = [case for case in cases if case["document"] == name and case["verdict"] == verdict]
            for case, outcome in zip(submitted, _submit(material, documents / name, submitted), strict=True):
                accepted[verdict] += outcome == "accepted"
                if (outcome == "accepted") != (verdict == "right"):
                    wrong.append(f"{verdict} {case['kind']} {outcome}, {name}: {case['question']} {case['answer']}")
    total = Counter(case["verdict"] for case in cases)
    figures = {
        "right_accepted": accepted["right"],
        "right": total["right"],
        "wrong_accepted": accepted["wrong"],
        "wrong": total["wrong"],
    }
    return Score(figures, wrong)


def score_pairs(material: Material) -> Score:
    """How well duplicate questions are recognised."""
    cases = json.loads(material.find("pairs.json").read_text("utf-8"))
    judged = asyncio.run(_compare(material.settings("pairs"), cases))
    verdicts = [case["verdict"] == "same" for case in cases]
    found = sum(said and is_same for said, is_same in zip(judged, verdicts, strict=True))
    wrong = [
        f"{case['verdict']}: {case['first']} | {case['second']}"
        for case, said, is_same in zip(cases, judged, verdicts, strict=True)
        if said != is_same
    ]
    figures = {
        "precision": share(found, sum(judged)),
        "recall": share(found, sum(verdicts)),
        "f1": share(2 * found, sum(judged) + sum(verdicts)),
    }
    return Score(figures, wrong)


def score_documents(material: Material) -> Score:
    """How many questions about each document are accepted, without a model."""
    folder = material.find_documents()
    accepted: dict[str, int] = {}
    failed = []
    for path in find_files(folder, READERS).paths:
        name = path.relative_to(folder).as_posix()
        accepted[name], error = _ask_in_process(material.settings(f"documents-{len(accepted)}"), path)
        failed += [f"{name}: {error}"] if error else []
    return Score(accepted, notes=failed)


def _submit(material: Material, document: Path, cases: Sequence[Case]) -> list[str]:
    """`accepted` or the reason for rejection, for each case that a model submits."""
    if not cases:
        return []
    waiting = iter(cases)

    def reply(_request: WireRequest) -> Reply:
        case = next(waiting, None)
        if case is None:
            return Reply(tool_calls=(("report_exhausted", {"reason": "done"}),))
        given = {"question": case["question"], "answer": case["answer"], "quotes": [case["quote"]]}
        return Reply(tool_calls=(("submit_qa", given),))

    with WireServer(reply) as server:
        settings = material.settings(
            f"validator-{cases[0]['verdict']}-{document.name}",
            roles={"questions": {"generator": "openai:asker"}},
            models={"openai:asker": {"base_url": f"{server.address}/v1", "api_key": "x"}},
            questions={"max_consecutive_failures": _NO_LIMIT},
        )
        try:
            result = asyncio.run(generate_questions(settings, GenerationRequest(document, _NO_LIMIT))).only_result()
        except StudiumError as error:
            return [str(error)] * len(cases)
    outcomes = {pair.question: str(pair.rejection_reason) for pair in result.rejected}
    outcomes |= {pair.question: "accepted" for pair in result.accepted}
    return [outcomes.get(case["question"], "not seen") for case in cases]


async def _compare(settings: Settings, cases: Sequence[Case]) -> list[bool]:
    async with open_app(settings) as app:
        return [same_question(case["first"], case["second"], app.similarity) for case in cases]


def _ask_in_process(settings: Settings, document: Path) -> tuple[int, str]:
    """The number of accepted questions about a document, and an error; in a separate process with a time limit."""
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_ask, args=(settings, document, sender))
    process.start()
    sender.close()
    try:
        outcome: tuple[int, str] = receiver.recv() if receiver.poll(LONGEST) else (0, f"stopped after {LONGEST} s")
    except EOFError:
        outcome = 0, "the process ended"
    process.kill()
    process.join()
    return outcome


def _ask(settings: Settings, document: Path, sender: Connection) -> None:
    hide_tracebacks()
    [result] = asyncio.run(generate_questions(settings, GenerationRequest(document, ASKED))).documents
    error = "" if result.stats else "; ".join(map(str, result.findings))
    sender.send((len(result.accepted), error))


SETS = {"validator": score_validator, "pairs": score_pairs, "documents": score_documents}
