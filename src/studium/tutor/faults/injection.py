"""Inject a fault into a running lab: apply the solution, then break one thing."""

import time
from contextlib import closing
from pathlib import Path

from pydantic import ValidationError

from studium.core.domain.errors import BadInput, NotFound
from studium.core.files import write_text
from studium.tutor.faults.catalog import faults_for
from studium.tutor.faults.finished_lab import Fault
from studium.tutor.labs.live_labs import LocalLab

_PATIENCE = 30.0
_PAUSE = 0.5


def inject_fault(live: LocalLab, topic: str | None, turn: int) -> Fault:
    """Apply the lab's solution, break one thing and save which."""
    faults = faults_for(live.lab, topic)
    if not faults:
        about = f" about {topic}" if topic else ""
        raise NotFound(f"There is no fault{about} available in {live.lab.id}.", remedy="Choose another lab or topic.")
    fault = faults[turn % len(faults)]
    live.reset()
    for name, text in live.lab.solution.items():
        live.type_in(name, text)
    live.check(patience=_PATIENCE)
    with closing(live.device(fault.device)) as device:
        for command in ("enable", *fault.commands):
            said = device.run(command)
            if said.lstrip().startswith(("%", "^")):
                raise BadInput(f"The fault could not be made: {device.name} says to `{command}`: {said.strip()}")
    write_text(_fault_file(live), fault.model_dump_json())
    _wait_until_it_shows(live, fault)
    return fault


def _wait_until_it_shows(live: LocalLab, fault: Fault) -> None:
    """Wait until a check fails: routers need time to notice a lost neighbour."""
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline and all(each.holds for each in live.check() if each.check.id in fault.fails):
        time.sleep(_PAUSE)


def current_fault(live: LocalLab) -> Fault:
    """The last injected fault."""
    try:
        return Fault.model_validate_json(_fault_file(live).read_text("utf-8"))
    except (FileNotFoundError, ValidationError):
        remedy = f"studium tutor fault {live.lab.id}"
        raise NotFound(f"No fault was made in {live.lab.id}.", remedy=remedy) from None


def _fault_file(live: LocalLab) -> Path:
    return live.folder / "fault.json"
