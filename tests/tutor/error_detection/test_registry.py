"""Pattern files: what is loaded, and how mistakes in them are reported."""

import json
from pathlib import Path
from typing import Any

import pytest

from studium.core.domain.errors import BadInput
from studium.tutor.error_detection.base import FuzzyErrorPattern, MessagePattern
from studium.tutor.error_detection.detector import ErrorDetector
from studium.tutor.error_detection.registry import PatternRegistry

LOW_POWER: dict[str, Any] = {
    "id": "lab-low-power",
    "error_type": "LOW_POWER",
    "marker": "not enough power",
    "output": r"port (?P<port>\S+) has not enough power",
    "command": r"power (?P<watts>\d+)",
    "command_optional": True,
    "diagnosis": ["{port} needs more than {watts} W.", "{port} needs more power."],
    "fix": "Raise the power of {port}.",
    "commands": ["power {watts}0", "interface {port}"],
    "severity": "warning",
    "examples": [{"output": "port Gi0/1 has not enough power"}],
    "healthy": ["port Gi0/1 has power"],
}


def write(folder: Path, name: str, *entries: dict[str, Any]) -> None:
    (folder / name).write_text(json.dumps({"patterns": entries}))


def test_the_shipped_patterns_load_with_both_kinds() -> None:
    registry = PatternRegistry()
    registry.load_shipped()
    kinds = {type(pattern) for pattern in registry}
    assert kinds == {MessagePattern, FuzzyErrorPattern}
    priorities = [pattern.entry.priority for pattern in registry]
    assert priorities == sorted(priorities, reverse=True)


def test_the_examples_of_every_shipped_parser_pattern_are_found_by_it(detector: ErrorDetector) -> None:
    registry = PatternRegistry()
    registry.load_shipped()
    for pattern in registry:
        for example in pattern.entry.examples if pattern.entry.kind == "parser" else ():
            found = detector.detect(example.command, example.output, example.prompt)
            assert found is not None
            assert found.metadata["pattern_id"] == pattern.entry.id


def test_a_pattern_of_the_user_is_loaded_from_a_folder_in_her_folder(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    write(tmp_path / "mine", "power.json", LOW_POWER)
    registry = PatternRegistry()
    registry.load(tmp_path)
    found = ErrorDetector(registry).detect("power 7", "port Gi0/2 has NOT ENOUGH POWER", "S1(config-if)#")
    assert found is not None
    assert found.diagnosis == "Gi0/2 needs more than 7 W."
    assert found.fix == "Raise the power of Gi0/2."
    assert found.commands == ("power 70", "interface Gi0/2")
    assert found.metadata["severity"] == "warning"


def test_what_the_command_does_not_tell_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, "power.json", LOW_POWER)
    registry = PatternRegistry()
    registry.load(tmp_path)
    found = ErrorDetector(registry).detect("", "port Gi0/2 has not enough power")
    assert found is not None
    assert found.diagnosis == "Gi0/2 needs more power."
    assert found.commands == ("interface Gi0/2",)


def test_all_mistakes_are_reported_at_once_with_file_and_entry(tmp_path: Path) -> None:
    write(
        tmp_path,
        "a.json",
        LOW_POWER | {"output": "(", "id": "bad-regex"},
        LOW_POWER | {"fix": "{nothing} {third_host:port}", "id": "bad-template"},
        LOW_POWER | {"examples": [{"output": "all is well"}], "healthy": LOW_POWER["examples"][0]["output"]},
        {"id": "half", "error_type": "lower"},
        LOW_POWER | {"id": "bad-example", "examples": [{"output": "well"}], "healthy": ["port x has not enough power"]},
    )
    (tmp_path / "b.json").write_text("{")
    (tmp_path / "c.json").write_text("[]")
    write(tmp_path, "d.json", LOW_POWER, LOW_POWER)
    with pytest.raises(BadInput) as caught:
        PatternRegistry().load(tmp_path)
    told = caught.value.what
    assert "a.json: entry 1 (bad-regex): output: not a regular expression" in told
    assert "a.json: entry 2 (bad-template): fix: no group is named 'nothing'" in told
    assert "a.json: entry 2 (bad-template): fix: template_functions.py has no function 'third_host'" in told
    assert "a.json: entry 3 (lab-low-power): healthy: " in told
    assert "a.json: entry 4 (half): error_type: " in told
    assert "a.json: entry 4 (half): marker: Field required" in told
    assert "a.json: entry 5 (bad-example): example 1 is not found" in told
    assert "a.json: entry 5 (bad-example): healthy output 1 is found" in told
    assert "b.json:1: not JSON" in told
    assert 'c.json: must be {"patterns"' in told
    assert "d.json: entry 2 (lab-low-power): there is another pattern 'lab-low-power'" in told
