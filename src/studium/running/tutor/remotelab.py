"""A lab whose devices are elsewhere: reached over SSH, or known only by what was recorded."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass

from studium.core.domain.errors import BadInput
from studium.domain.lab import Checked, Device, Diagnosis, Lab
from studium.running.tutor.runninglab import looked
from studium.workflows.tutor.checking.checking import check_lab
from studium.workflows.tutor.looking import Permission, never
from studium.workflows.tutor.state import Proof


@dataclass(frozen=True)
class RemoteLab:
    """A lab of devices that are not ours: they are typed on and looked at, never brought up, reset or copied."""

    lab: Lab
    device: Callable[[str], Device]
    allowed: Permission = never
    is_up: bool = True

    def running_config(self, device: str) -> str:
        """The running configuration of a device."""
        return self.look(device, "show running-config")

    def look(self, device: str, command: str) -> str:
        """What a device says to a command that changes nothing; any other is refused in words."""
        with closing(self.device(device)) as opened:
            return looked(opened, command, self.allowed)

    def check(self, *, patience: float = 0.0) -> list[Checked]:
        """Which goals of the lab are reached; pings are typed on the devices themselves."""
        return check_lab(self.lab, None, self.device, patience=patience)

    def inject_fault(self, _topic: str) -> str:
        """Nothing is broken on somebody's own devices."""
        raise BadInput("These devices are the student's own.", remedy="Faults are made only in labs on this machine.")

    def prove(self, diagnosis: Diagnosis, device: str, _way: Sequence[str]) -> Proof:
        """Nothing is tried on somebody's own devices."""
        told = "It could not be proved: there is no copy of these devices to try it on."
        return Proof(device=device, commands=diagnosis.commands, proved=False, told=told)
