"""A lab that runs on this machine: FRR routers that speak IOS to the student."""

import json
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import asdict
from pathlib import Path

from studium.core.domain.errors import BadInput, ServiceDown, StudiumError
from studium.core.files import write_text
from studium.devices.frr.bench import FrrBench
from studium.devices.ios.device import IosDevice
from studium.devices.ios.kept import Kept
from studium.domain.lab import Checked, Device, Diagnosis, Lab
from studium.running.tutor.proving import prove
from studium.running.tutor.rejected import renew_refused_routes
from studium.workflows.tutor.checking.checking import check_lab
from studium.workflows.tutor.looking import Permission, never, refusal
from studium.workflows.tutor.state import Proof


class RunningLab:
    """A lab kept in a folder; it stays up when the process ends, and is found again by the next."""

    def __init__(self, lab: Lab, folder: Path, bench: FrrBench | None = None, *, allowed: Permission = never) -> None:
        self.lab = lab
        self.folder = folder
        self.allowed = allowed
        self.bench = bench or FrrBench(folder)

    @property
    def is_up(self) -> bool:
        """Whether it was brought up and not taken down."""
        return (self.folder / "lab.json").exists()

    def up(self) -> None:
        """Bring the lab up, each router with its starting configuration."""
        self.bench.up(self.lab.model_copy(update={"start": {}}))
        try:
            self._type(self.lab.start)
        except StudiumError:
            self.down()
            raise

    def down(self) -> None:
        """Take the lab down."""
        self.bench.down()
        for kept in self.folder.glob("*.kept.json"):
            kept.unlink()

    def reset(self) -> None:
        """Every router as it was at the start."""
        self.bench.reset()
        for kept in self.folder.glob("*.kept.json"):
            kept.unlink()
        self._type(self.lab.start)

    def device(self, name: str) -> Device:
        """A new conversation with a device, in the lab's spelling."""
        inner = self.bench.device(name)
        if any(each.name == name and each.kind == "host" for each in self.lab.devices):
            return inner
        return RememberingDevice(inner, self.bench.interface_names(name), self.folder / f"{name}.kept.json")

    def running_config(self, device: str) -> str:
        """The running configuration of a device."""
        return self.look(device, "show running-config")

    def look(self, device: str, command: str) -> str:
        """What a device says to a command that changes nothing; any other is refused in words."""
        with closing(self.device(device)) as opened:
            return looked(opened, command, self.allowed)

    def check(self, *, patience: float = 0.0) -> list[Checked]:
        """Which goals of the lab are reached."""
        for device in self.lab.devices:
            if device.kind == "router":
                with suppress(ServiceDown), closing(self.bench.device(device.name)) as router:
                    renew_refused_routes(router)
        return check_lab(self.lab, self.bench, self.device, patience=patience)

    def prove(self, diagnosis: Diagnosis, device: str, way: Sequence[str]) -> Proof:
        """Try a fix on a copy of the lab."""
        return prove(self, diagnosis, device, way)

    def inject_fault(self, topic: str) -> str:
        """Break one thing in the lab, if the student allows it; what she then sees, as a question."""
        from studium.running.tutor.faulting import inject_fault

        if not self.allowed(self.lab.id, "a fault for you to find"):
            raise BadInput("The student has not allowed a fault.", remedy="Ask her, or leave the lab as it is.")
        return inject_fault(self, topic or None, int(time.time())).question

    def copy(self) -> "RunningLab":
        """The same lab in its present state, where things may be tried."""
        bench = self.bench.copy()
        for kept in self.folder.glob("*.kept.json"):
            write_text(bench.folder / kept.name, kept.read_text("utf-8"))
        return RunningLab(self.lab, bench.folder, bench)

    def type_in(self, device: str, configuration: str) -> list[str]:
        """Type a configuration on a device; what it had against its lines."""
        with closing(self.device(device)) as opened:
            return opened.load(configuration) if isinstance(opened, IosDevice) else []

    def _type(self, configurations: dict[str, str]) -> None:
        for device, text in configurations.items():
            if complaints := self.type_in(device, text):
                told = "\n".join(f"{device}: {complaint}" for complaint in complaints)
                raise BadInput(f"The starting configuration of {self.lab.id} is refused:\n{told}")


def looked(device: Device, command: str, allowed: Permission) -> str:
    """What a device says to a command that changes nothing, or that the student allows; any other is refused."""
    if why := refusal(device.name, command, allowed):
        raise BadInput(why, remedy="Ask for something that only looks: show, ping or traceroute.")
    if device.prompt.rstrip().endswith(">"):
        device.run("enable")
    return device.run(command)


class RememberingDevice(IosDevice):
    """A router whose IOS side is remembered in a file, for the next conversation with it."""

    def __init__(self, device: Device, interfaces: dict[str, str], file: Path) -> None:
        known = Kept(**json.loads(file.read_text("utf-8"))) if file.exists() else None
        super().__init__(device, interfaces, kept=known)
        self._file = file
        self._written = asdict(self.kept)

    def run(self, command: str, *, timeout: float = 10.0) -> str:
        """Type one line; what IOS says to it."""
        said = super().run(command, timeout=timeout)
        now = asdict(self.kept)
        if now != self._written:
            write_text(self._file, json.dumps(now))
            self._written = now
        return said
