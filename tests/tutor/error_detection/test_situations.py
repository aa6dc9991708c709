"""The labelled situations, the healthy outputs and the transcripts, met by the detector with all its patterns."""

import json
from pathlib import Path
from typing import Any

import pytest

import studium
from studium.tutor.error_detection.detector import ErrorDetector
from studium.tutor.transcripts import read_history

HERE = Path(__file__).parent
HEALTHY = Path(studium.__file__).parent / "tutor" / "data" / "healthy"
TRANSCRIPTS = sorted((HERE / "transcripts").glob("*.txt"))


def situations(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((HERE / "situations" / f"{name}.json").read_text("utf-8"))
    return rows


def met(detector: ErrorDetector, row: dict[str, Any]) -> bool:
    found = detector.detect(row["command"], row["output"], row["prompt"])
    return found is not None and found.error_type == row["error_type"]


def test_every_well_known_situation_is_met(detector: ErrorDetector) -> None:
    missed = []
    for row in situations("ccna"):
        found = detector.detect(row["command"], row["output"], row["prompt"])
        is_named = found is not None and found.error_type == row["error_type"] and found.diagnosis and found.fix
        if not found or not is_named or (row["fix"] and found.commands != tuple(row["fix"])):
            missed.append((row["id"], found))
    assert missed == []


@pytest.mark.parametrize(("name", "least"), [("dev", 0.95), ("held_out", 0.9)])
def test_other_situations_are_met(detector: ErrorDetector, name: str, least: float) -> None:
    rows = situations(name)
    missed = [(row["prompt"], row["command"], row["error_type"]) for row in rows if not met(detector, row)]
    assert len(missed) <= (1 - least) * len(rows), missed


@pytest.mark.parametrize("source", ["frr", "written"])
def test_nothing_is_found_in_healthy_outputs(detector: ErrorDetector, source: str) -> None:
    rows = [json.loads(line) for line in (HEALTHY / f"{source}.jsonl").read_text("utf-8").splitlines()]
    found = [(row["command"], detector.detect(row["command"], row["output"], row["prompt"])) for row in rows]
    assert [pair for pair in found if pair[1]] == []


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_the_mistakes_of_a_transcript_are_found_and_nothing_else(detector: ErrorDetector, path: Path) -> None:
    typed = read_history(path).typed
    found = [
        (each.command, diagnosis.error_type)
        for each, diagnosis in zip(typed, detector.detect_all(typed), strict=True)
        if diagnosis
    ]
    labels = json.loads(path.with_suffix(".json").read_text("utf-8"))
    assert found == [(label["command"], label["error_type"]) for label in labels]
