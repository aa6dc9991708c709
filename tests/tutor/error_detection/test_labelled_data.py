"""The labelled data: as much of it as it should be, in the right shape, and nothing of one list in another."""

import json
import re
from collections import Counter
from itertools import chain
from pathlib import Path

import pytest

import studium
from studium.tutor.domain import Mode

HERE = Path(__file__).parent
HEALTHY = Path(studium.__file__).parent / "tutor" / "data" / "healthy"
SITUATIONS = HERE / "situations"
TRANSCRIPTS = sorted((HERE / "transcripts").glob("*.txt"))
ERROR_TYPES = set(json.loads((SITUATIONS / "error_types.json").read_text()))
MANY = ("TYPO_IN_COMMAND", "WRONG_MODE", "INCOMPLETE_COMMAND", "AMBIGUOUS_COMMAND", "CIDR_NOT_SUPPORTED")


def situations(name):
    return json.loads((SITUATIONS / f"{name}.json").read_text())


def healthy(source):
    return [json.loads(line) for line in (HEALTHY / f"{source}.jsonl").read_text().splitlines()]


def words(row):
    return row["prompt"], row["command"], row["output"]


def carets():
    """Each situation with a caret, and the line of its output where the caret stands."""
    for name in ("held_out", "dev"):
        for row in situations(name):
            for line in row["output"].splitlines():
                if line.strip() == "^":
                    yield row, line


@pytest.mark.parametrize(("source", "least"), [("frr", 120), ("written", 110)])
def test_there_are_enough_healthy_outputs(source, least):
    rows = healthy(source)
    assert len(rows) >= least
    assert {frozenset(row) for row in rows} == {frozenset({"prompt", "command", "output", "source"})}
    assert {row["source"] for row in rows} == {source}


def test_healthy_outputs_hold_the_words_that_mislead():
    text = "\n".join(row["output"] for row in chain(healthy("frr"), healthy("written"))).lower()
    assert [word for word in ("error", "invalid", "failed", "mismatch", "reject", "%sys-5") if word not in text] == []
    assert sum(not row["output"] for row in healthy("written")) >= 20


def test_no_healthy_output_is_a_parser_error():
    refused = re.compile(r"^% ?(Invalid input|Incomplete|Ambiguous|Unknown command|Command incomplete)", re.MULTILINE)
    assert [row for row in chain(healthy("frr"), healthy("written")) if refused.search(row["output"])] == []


@pytest.mark.parametrize(("name", "least", "of_each"), [("held_out", 130, 3), ("dev", 60, 1)])
def test_situations_are_spread_over_all_error_types(name, least, of_each):
    rows = situations(name)
    counts = Counter(row["error_type"] for row in rows)
    assert len(rows) >= least
    assert set(counts) == ERROR_TYPES
    assert min(counts.values()) >= of_each
    assert min(counts[error_type] for error_type in MANY) > of_each


@pytest.mark.parametrize("name", ["held_out", "dev"])
def test_situations_have_their_fields(name):
    fields = {"prompt", "command", "output", "error_type", "fix", "platform", "mode"}
    for row in situations(name):
        assert set(row) == fields
        assert row["platform"] in {"ios", "iosxe", "frr"}
        assert row["mode"] in set(Mode)
        assert (row["mode"] == Mode.UNKNOWN) == (row["prompt"] == "")
        assert row["output"].strip()
        assert all(line == line.strip() != row["command"] for line in row["fix"])


def test_every_caret_is_under_the_command():
    pairs = list(carets())
    assert len(pairs) >= 50
    for row, line in pairs:
        start = len(row["prompt"])
        assert start <= line.index("^") < start + len(row["command"])


def test_carets_stand_at_the_start_of_a_word_and_inside_one():
    before = [f"{row['prompt']} {row['command']}"[line.index("^")] for row, line in carets()]
    assert before.count(" ") >= 15
    assert len(before) - before.count(" ") >= 15


def test_no_situation_is_in_two_lists():
    rows = [words(row) for row in chain(situations("held_out"), situations("dev"), healthy("frr"), healthy("written"))]
    assert [row for row, times in Counter(rows).items() if times > 1] == []


def test_there_are_five_transcripts_one_of_them_raw():
    assert len(TRANSCRIPTS) == 5
    assert [path.stem for path in TRANSCRIPTS if b"\x08" in path.read_bytes()] == ["console_recording"]


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_each_mistake_is_on_its_line(path):
    lines = path.read_bytes().decode().split("\n")
    mistakes = json.loads(path.with_suffix(".json").read_text())
    assert 30 <= len(lines) <= 60
    assert len(mistakes) >= 5
    assert {mistake["error_type"] for mistake in mistakes} <= ERROR_TYPES
    for mistake in mistakes:
        line = re.sub(".\x08 \x08", "", lines[mistake["line"] - 1]).rstrip("\r")
        assert line.endswith(mistake["command"])
        assert line.startswith("*") == (mistake["command"] == "")
