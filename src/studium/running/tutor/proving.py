"""Proved fixes: before a fix is stated, it is tried on a copy of the lab."""

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from studium.core.domain.errors import StudiumError
from studium.domain.lab import Diagnosis
from studium.workflows.tutor.configuration.reading import read_configuration
from studium.workflows.tutor.configuration.silent import silent_mistakes
from studium.workflows.tutor.error_detection.detector import get_default_detector
from studium.workflows.tutor.state import Proof

if TYPE_CHECKING:
    from studium.running.tutor.runninglab import RunningLab

_PATIENCE = 4.0


def prove(live: "RunningLab", diagnosis: Diagnosis, device: str, way: Sequence[str]) -> Proof:
    """Type the fix on a copy of the lab, where `way` leads; proved is what is accepted and mends what was wrong."""
    commands = diagnosis.commands
    if any("<" in command for command in commands):
        return _proof(device, commands, "It could not be proved: the fix leaves something for you to fill in.")
    try:
        copy = live.copy()
    except StudiumError as error:
        return _proof(device, commands, f"It could not be proved: {error.what}")
    try:
        return _tried(copy, diagnosis, device, way)
    except StudiumError as error:
        return _proof(device, commands, f"It could not be proved: {error.what}")
    finally:
        copy.down()


def _tried(copy: "RunningLab", diagnosis: Diagnosis, device: str, way: Sequence[str]) -> Proof:
    commands = diagnosis.commands
    before = {each.check.id for each in copy.check() if each.holds}
    if refused := _typed(copy, device, way, commands):
        return _proof(device, commands, f"It was tried on a copy of {device} and refused: {refused}")
    if "command" not in diagnosis.metadata and _still_wrong(copy, diagnosis):
        return _proof(device, commands, f"It was tried on a copy of {device}, and the mistake is still there.")
    after = copy.check(patience=_PATIENCE)
    lost = [each.check.title for each in after if each.check.id in before and not each.holds]
    if lost:
        return _proof(device, commands, f"It was tried on a copy of {device}, but then this fails: {lost[0]}.")
    won = [each.check.title for each in after if each.holds and each.check.id not in before]
    told = f"Proved on {device}: a copy of it took these commands"
    return Proof(device=device, commands=commands, proved=True, told=told + (f", and then: {won[0]}." if won else "."))


def _typed(copy: "RunningLab", device: str, way: Sequence[str], commands: Sequence[str]) -> str:
    """What the device had against the commands, typed one after the other."""
    detector = get_default_detector()
    with closing(copy.device(device)) as opened:
        for step in way:
            opened.run(step)
        for command in commands:
            prompt = opened.prompt
            said = opened.run(command)
            if said.strip() and (found := detector.detect(command, said, prompt)):
                return found.diagnosis
    return ""


def _still_wrong(copy: "RunningLab", diagnosis: Diagnosis) -> bool:
    routers = [each.name for each in copy.lab.devices if each.kind == "router"]
    configurations = {name: read_configuration(copy.running_config(name)) for name in routers}
    found = silent_mistakes(configurations, copy.lab)
    return any(each.error_type == diagnosis.error_type and each.commands == diagnosis.commands for each in found)


def _proof(device: str, commands: tuple[str, ...], told: str) -> Proof:
    return Proof(device=device, commands=commands, proved=False, told=told)
