"""Patterns that a transcript suggests: proposed for review, and kept once somebody has approved them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from studium.core.domain.decision import Action, Decision
from studium.core.domain.document import content_id
from studium.core.domain.finding import Evidence, Locator
from studium.core.files import write_text
from studium.core.runs.run_spec import RunItem, RunSpec
from studium.tutor.domain import TypedCommand
from studium.tutor.error_detection.base import PatternEntry
from studium.tutor.error_detection.detector import ErrorDetector
from studium.tutor.pattern_learning.proposals import ProposedPattern, propose_patterns


def pattern_run(detector: ErrorDetector, typed: Sequence[TypedCommand], transcript: str) -> RunSpec:
    """The job that proposes patterns for the complaints of a transcript."""
    proposals = propose_patterns(typed, detector, healthy_outputs())
    return RunSpec(
        feature="tutor",
        arguments={"learn": transcript},
        note=f"Learn: {Path(transcript).name}",
        graph=_AsProposed(),
        items=[RunItem(one.entry.id, partial(_state, one)) for one in proposals],
        decide=partial(_decide, transcript),
    )


def healthy_outputs() -> list[TypedCommand]:
    """Outputs in which nothing is wrong: no pattern may find anything in them."""
    folder = files("studium") / "tutor" / "data" / "healthy"
    lines = (line for name in ("frr", "written") for line in _lines(folder / f"{name}.jsonl"))
    return [
        TypedCommand(command=row["command"], output=row["output"], prompt=row["prompt"])
        for row in map(json.loads, lines)
    ]


def save_approved_patterns(decisions: Sequence[Decision], folder: Path) -> list[str]:
    """Write the patterns that were approved to a folder, one file each; their names."""
    approved = [each for each in decisions if each.action is Action.CREATE and each.proposal]
    for each in approved:
        entry = PatternEntry.model_validate(each.proposal)
        told = {"patterns": [entry.model_dump(mode="json", exclude_defaults=True)]}
        write_text(folder / f"{entry.id}.json", json.dumps(told, ensure_ascii=False, indent=2) + "\n")
    return [each.item for each in approved]


@dataclass(frozen=True)
class _AsProposed:
    """What was proposed needs no further work before somebody looks at it."""

    async def ainvoke(self, state: dict[str, Any], _config: dict[str, Any]) -> dict[str, Any]:
        return state


def _state(proposed: ProposedPattern) -> dict[str, Any]:
    return {"proposed": proposed}


def _decide(transcript: str, item: RunItem, state: dict[str, Any]) -> list[Decision]:
    proposed: ProposedPattern = state["proposed"]
    where = Locator(path=transcript)
    evidence = Evidence(passage=content_id(proposed.complaint), quote=proposed.complaint, where=where)
    decision = Decision(
        item=item.id,
        action=Action.MANUAL_REVIEW,
        reasons=(f"A device said “{proposed.complaint}”, and no pattern knows it.",),
        evidence=(evidence,),
        proposal=proposed.as_json(),
        proposal_schema=PatternEntry.model_json_schema(),
    )
    return [decision]


def _lines(file: Any) -> list[str]:
    text: str = file.read_text("utf-8")
    return text.splitlines()
