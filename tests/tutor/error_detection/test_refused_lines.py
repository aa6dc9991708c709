"""Lines that a device's parser refused: what is wrong with each, and the command that fixes it."""

import csv
from pathlib import Path

import pytest

from studium.tutor.error_detection.detector import ErrorDetector

HERE = Path(__file__).parent
INVALID = "% Invalid input detected at '^' marker."


def rows(name: str) -> list[dict[str, str]]:
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def wrong(detector: ErrorDetector, row: dict[str, str], output: str) -> list[str]:
    """The refused line with what was found instead, if that is not what it should be."""
    found = detector.detect(row["command"], output, row["prompt"] or None)
    is_right = found and found.error_type == row["error_type"] and (not row["fix"] or row["fix"] in found.commands)
    return [] if is_right else [f"{row['prompt']}{row['command']}: {found}"]


@pytest.mark.parametrize("offset", [0, 1], ids=["caret at the word", "caret inside the word"])
def test_lines_refused_with_a_caret(detector: ErrorDetector, offset: int) -> None:
    mistakes = []
    for row in rows("refused_lines.tsv"):
        column = len(row["prompt"]) + row["command"].rindex(row["stopped_at"]) + offset
        mistakes += wrong(detector, row, f"{' ' * column}^\n{INVALID}\n")
    assert mistakes == []


def test_lines_refused_in_other_words(detector: ErrorDetector) -> None:
    lines = rows("other_refusals.tsv")
    assert [each for row in lines for each in wrong(detector, row, row["output"].replace("\\n", "\n"))] == []
