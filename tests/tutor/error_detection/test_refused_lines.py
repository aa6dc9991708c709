"""Lines that a device's parser refused: what is wrong with each, and the command that mends it."""

import csv
from pathlib import Path

import pytest

from studium.tutor.error_detection.detector import ErrorDetector

HERE = Path(__file__).parent
INVALID = "% Invalid input detected at '^' marker."


def rows(name: str) -> list[dict[str, str]]:
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def words_of(row: dict[str, str]) -> str:
    return f"{row['prompt']}{row['command']}"


@pytest.mark.parametrize("offset", [0, 1], ids=["caret at the word", "caret inside the word"])
@pytest.mark.parametrize("row", rows("refused_lines.tsv"), ids=words_of)
def test_a_line_refused_with_a_caret(detector: ErrorDetector, row: dict[str, str], offset: int) -> None:
    column = len(row["prompt"]) + row["command"].rindex(row["stopped_at"]) + offset
    output = f"{' ' * column}^\n{INVALID}\n"
    found = detector.detect(row["command"], output, row["prompt"])
    assert found is not None
    assert found.error_type == row["error_type"]
    assert not row["fix"] or row["fix"] in found.commands


@pytest.mark.parametrize("row", rows("other_refusals.tsv"), ids=words_of)
def test_a_line_refused_in_other_words(detector: ErrorDetector, row: dict[str, str]) -> None:
    found = detector.detect(row["command"], row["output"].replace("\\n", "\n"), row["prompt"] or None)
    assert found is not None
    assert found.error_type == row["error_type"]
    assert not row["fix"] or row["fix"] in found.commands
