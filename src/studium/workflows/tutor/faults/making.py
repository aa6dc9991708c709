"""Putting a fault together from the lines that break and mend one section."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from studium.workflows.tutor.faults.intended import GLOBAL
from studium.workflows.tutor.faults.plan import Fault, Plan

# How long routers believe a neighbour that fell silent: OSPF's dead interval, RIP's timeout, a BGP session's hold time.
_SECONDS: Final = {"ospf": 45.0, "rip": 200.0, "bgp": 185.0}
_AT_ONCE: Final = 10.0


class Making:
    """Makes faults in one section of one router's configuration."""

    def __init__(self, plan: Plan, device: str, section: str, topic: str) -> None:
        """Take the finished lab and the place where the faults go."""
        self._plan = plan
        self._device = device
        self._section = section
        self._topic = topic

    def fault(
        self, kind: str, broken: tuple[str, ...], whole: tuple[str, ...], fails: Sequence[str], **told: str
    ) -> Fault:
        """The fault of a kind, with what it breaks beside the lines that checks look for."""
        entering = () if self._section == GLOBAL else (self._section,)
        lines = self._plan.checks_of_lines(self._device, (*entering, *broken))
        broken_checks = [check.id for check in self._plan.lab.checks if check.id in {*lines, *fails}]
        place = told.get("port") or told.get("network") or told.get("neighbor") or ""
        return Fault(
            id=f"{kind}-{self._device}-{place}".replace("_", "-").replace("/", "-").replace(" ", "-").lower(),
            topic=self._topic,
            device=self._device,
            commands=("configure terminal", *entering, *broken, "end"),
            mending=("configure terminal", *entering, *whole, "end"),
            question=_wording()["question"].format(title=self._plan.first_title(broken_checks)),
            cause=_wording()[kind].format(device=self._device, **told),
            fails=tuple(broken_checks),
            shows_within=_SECONDS.get(self._topic, _AT_ONCE),
        )


@cache
def _wording() -> dict[str, Any]:
    import yaml

    text = files(__package__).joinpath("wording.yaml").read_text(encoding="utf-8")
    wording: dict[str, Any] = yaml.safe_load(text)
    return wording
