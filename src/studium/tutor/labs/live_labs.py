"""Running labs: on this machine, or on the student's own or recorded devices."""

import json
import re
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import ValidationError

from studium.core.domain.errors import BadInput, NotFound, ServiceDown, StudiumError
from studium.core.files import write_text
from studium.tutor.configuration.parser import parse_configuration
from studium.tutor.configuration.silent_mistakes import silent_mistakes
from studium.tutor.devices.frr.testbed import FrrTestbed
from studium.tutor.devices.ios.device import IosDevice
from studium.tutor.devices.ios.session import IosOnlyConfig
from studium.tutor.domain import CheckResult, Device, Diagnosis, Lab
from studium.tutor.error_detection.detector import get_default_detector
from studium.tutor.labs.checks import check_lab
from studium.tutor.labs.fault_catalog import faults_for
from studium.tutor.labs.finished_lab import Fault
from studium.tutor.state import Proof
from studium.tutor.tools import Permission, deny_all, refusal_reason

_PROOF_PATIENCE = 4.0


def prove_fix(live: "LocalLab", diagnosis: Diagnosis, device: str, way: Sequence[str]) -> Proof:
    """Try a fix on a copy of the lab, after the commands in `way`; proved if accepted and the problem is gone."""
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


def _tried(copy: "LocalLab", diagnosis: Diagnosis, device: str, way: Sequence[str]) -> Proof:
    commands = diagnosis.commands
    before = {each.check.id for each in copy.check() if each.holds}
    if refused := _typed(copy, device, way, commands):
        return _proof(device, commands, f"Tried on a copy of {device} and refused: {refused}")
    if "command" not in diagnosis.metadata and _still_wrong(copy, diagnosis):
        return _proof(device, commands, f"Tried on a copy of {device}, and the mistake is still there.")
    after = copy.check(patience=_PROOF_PATIENCE)
    lost = [each.check.title for each in after if each.check.id in before and not each.holds]
    if lost:
        return _proof(device, commands, f"Tried on a copy of {device}, but then this fails: {lost[0]}.")
    won = [each.check.title for each in after if each.holds and each.check.id not in before]
    told = f"Proved on {device}: a copy of it accepted these commands"
    return Proof(device=device, commands=commands, proved=True, told=told + (f", and then: {won[0]}." if won else "."))


def _typed(copy: "LocalLab", device: str, way: Sequence[str], commands: Sequence[str]) -> str:
    """Run commands in order; return the device's errors."""
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


def _still_wrong(copy: "LocalLab", diagnosis: Diagnosis) -> bool:
    routers = [each.name for each in copy.lab.devices if each.kind == "router"]
    configurations = {name: parse_configuration(copy.running_config(name)) for name in routers}
    found = silent_mistakes(configurations, copy.lab)
    return any(each.error_type == diagnosis.error_type and each.commands == diagnosis.commands for each in found)


def _proof(device: str, commands: tuple[str, ...], told: str) -> Proof:
    return Proof(device=device, commands=commands, proved=False, told=told)


_REFUSED = re.compile(r"^S[>* ]*r", re.MULTILINE)


def retry_refused_routes(router: Device) -> None:
    """Re-add the static routes of an FRR router if one of them is marked as rejected."""
    if not _REFUSED.search(router.run("show ip route static")):
        return
    routes = [line for line in router.run("show running-config").splitlines() if line.startswith("ip route ")]
    router.run("configure terminal")
    for route in routes:
        router.run(f"no {route}")
        router.run(route)
    router.run("end")


class LocalLab:
    """A lab with its state in a folder; it outlives the process and is found again by the next."""

    def __init__(
        self, lab: Lab, folder: Path, testbed: FrrTestbed | None = None, *, allowed: Permission = deny_all
    ) -> None:
        self.lab = lab
        self.folder = folder
        self.allowed = allowed
        self.testbed = testbed or FrrTestbed(folder)

    @property
    def is_up(self) -> bool:
        """Whether it is running."""
        return (self.folder / "lab.json").exists()

    def up(self) -> None:
        """Start the lab, each router with its starting configuration."""
        self.testbed.up(self.lab.model_copy(update={"start": {}}))
        try:
            self._type(self.lab.start)
        except StudiumError:
            self.down()
            raise

    def down(self) -> None:
        """Stop the lab."""
        self.testbed.down()
        for kept in self.folder.glob("*.kept.json"):
            kept.unlink()

    def reset(self) -> None:
        """Reset every router to its starting configuration."""
        self.testbed.reset()
        for kept in self.folder.glob("*.kept.json"):
            kept.unlink()
        self._type(self.lab.start)

    def device(self, name: str) -> Device:
        """Open a new session on a device."""
        inner = self.testbed.device(name)
        if any(each.name == name and each.kind == "host" for each in self.lab.devices):
            return inner
        return PersistentIosDevice(inner, self.testbed.interface_names(name), self.folder / f"{name}.kept.json")

    def running_config(self, device: str) -> str:
        """The running configuration of a device."""
        return self.look(device, "show running-config")

    def look(self, device: str, command: str) -> str:
        """Run a read-only command on a device; other commands return a refusal message."""
        with closing(self.device(device)) as opened:
            return run_permitted(opened, command, self.allowed)

    def check(self, *, patience: float = 0.0) -> list[CheckResult]:
        """Which goals of the lab are reached."""
        for device in self.lab.devices:
            if device.kind == "router":
                with suppress(ServiceDown), closing(self.testbed.device(device.name)) as router:
                    retry_refused_routes(router)
        return check_lab(self.lab, self.testbed, self.device, patience=patience)

    def prove(self, diagnosis: Diagnosis, device: str, way: Sequence[str]) -> Proof:
        """Try a fix on a copy of the lab."""
        return prove_fix(self, diagnosis, device, way)

    def inject_fault(self, topic: str) -> str:
        """Break one thing in the lab if the student allows it; return the symptom as a question."""
        if not self.allowed(self.lab.id, "a fault for you to find"):
            raise BadInput("The student has not allowed a fault.", remedy="Ask the student, or leave the lab as it is.")
        return inject_fault(self, topic or None, int(time.time())).question

    def copy(self) -> "LocalLab":
        """Copy the lab in its present state for trying things."""
        testbed = self.testbed.copy()
        for kept in self.folder.glob("*.kept.json"):
            write_text(testbed.folder / kept.name, kept.read_text("utf-8"))
        return LocalLab(self.lab, testbed.folder, testbed)

    def load_configuration(self, device: str, configuration: str) -> list[str]:
        """Enter a configuration on a device; return its errors."""
        with closing(self.device(device)) as opened:
            return opened.load(configuration) if isinstance(opened, IosDevice) else []

    def _type(self, configurations: dict[str, str]) -> None:
        for device, text in configurations.items():
            if complaints := self.load_configuration(device, text):
                told = "\n".join(f"{device}: {complaint}" for complaint in complaints)
                raise BadInput(f"The starting configuration of {self.lab.id} is refused:\n{told}")


def run_permitted(device: Device, command: str, allowed: Permission) -> str:
    """Run a command that is read-only or allowed by the student; refuse any other."""
    if why := refusal_reason(device.name, command, allowed):
        raise BadInput(why, remedy="Use a read-only command: show, ping or traceroute.")
    if device.prompt.rstrip().endswith(">"):
        device.run("enable")
    return device.run(command)


class PersistentIosDevice(IosDevice):
    """An IOS device that saves its simulated configuration in a file."""

    def __init__(self, device: Device, interfaces: dict[str, str], file: Path) -> None:
        known = IosOnlyConfig(**json.loads(file.read_text("utf-8"))) if file.exists() else None
        super().__init__(device, interfaces, kept=known)
        self._file = file
        self._written = asdict(self.kept)

    def run(self, command: str, *, timeout: float = 10.0) -> str:
        """Run one line and return what IOS would print."""
        said = super().run(command, timeout=timeout)
        now = asdict(self.kept)
        if now != self._written:
            write_text(self._file, json.dumps(now))
            self._written = now
        return said


@dataclass(frozen=True)
class RemoteLab:
    """A lab on devices that are not ours: they are used but never started, reset or copied."""

    lab: Lab
    device: Callable[[str], Device]
    allowed: Permission = deny_all
    is_up: bool = True

    def running_config(self, device: str) -> str:
        """The running configuration of a device."""
        return self.look(device, "show running-config")

    def look(self, device: str, command: str) -> str:
        """Run a read-only command on a device; other commands return a refusal message."""
        with closing(self.device(device)) as opened:
            return run_permitted(opened, command, self.allowed)

    def check(self, *, patience: float = 0.0) -> list[CheckResult]:
        """Check which goals are reached; pings run on the devices themselves."""
        return check_lab(self.lab, None, self.device, patience=patience)

    def inject_fault(self, _topic: str) -> str:
        """Refuse to break the student's own devices."""
        raise BadInput("These devices are the student's own.", remedy="Faults are made only in labs on this machine.")

    def prove(self, diagnosis: Diagnosis, device: str, _way: Sequence[str]) -> Proof:
        """Report that nothing can be tried on the student's own devices."""
        told = "It could not be proved: there is no copy of these devices to try it on."
        return Proof(device=device, commands=diagnosis.commands, proved=False, told=told)


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
        live.load_configuration(name, text)
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
