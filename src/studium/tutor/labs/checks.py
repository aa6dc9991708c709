"""Checking a lab: every check is asked of its device until it holds or patience ends."""

import re
import time
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

from studium.core.domain.errors import MissingExtra, NotFound, ServiceDown
from studium.tutor.domain import CheckResult, Device, Lab, LabCheck, Testbed
from studium.tutor.labs.show_output import NEIGHBOR_COMMANDS, best_route, matching_routes, ping_succeeded, read_routes

if TYPE_CHECKING:
    from hier_config import HConfig
    from hier_config.child import HConfigChild


_NO = "no "


def missing_lines(running: str, expected: str) -> tuple[str, ...]:
    """The lines of an expected configuration that are not in force, each under the line of its section.

    An expected `no …` is in force if the running configuration does not hold the line that it takes back.
    """
    held, wanted = _parsed(running), _parsed(expected)
    lines: dict[str, None] = {}
    for line in wanted.all_children():
        if line.children or _in_force(line, held):
            continue
        for step in line.lineage():
            lines[step.cisco_style_text().rstrip()] = None
    return tuple(lines)


def _parsed(text: str) -> "HConfig":
    try:
        from hier_config import Platform, get_hconfig
    except ImportError as error:
        raise MissingExtra("Labs cannot be checked here.", remedy="pip install 'studium[labs]'") from error

    # What a device prints around its configuration is no part of it.
    own = re.sub(r"(?m)^(Building configuration|Current configuration|end\s*$).*\n?", "", text)
    return get_hconfig(Platform.CISCO_IOS, own)


def _in_force(line: "HConfigChild", held: "HConfig") -> bool:
    *sections, last = [step.text for step in line.lineage()]
    if last.startswith(_NO):
        return not _holds(held, [*sections, last.removeprefix(_NO)])
    return _holds(held, [*sections, last])


def _holds(held: "HConfig", path: list[str]) -> bool:
    place: HConfig | HConfigChild | None = held
    for text in path:
        place = place.get_child(equals=text) if place is not None else None
    return place is not None


_PAUSE = 0.5
_PING_SECONDS = 20.0


def check_lab(
    lab: Lab, bench: Testbed | None, device_for: Callable[[str], Device], *, patience: float = 0.0
) -> list[CheckResult]:
    """Ask every check of a lab, in its order.

    What the routers must first tell each other (pings, routes, neighbours) is asked again for `patience` seconds.
    `device_for` opens a new conversation in the lab's spelling; it is closed here. Without a bench, as when a
    transcript is replayed, pings are typed on the device.
    """
    deadline = time.monotonic() + patience
    asked = {check.id: run_check(check, bench, device_for) for check in lab.checks}
    while time.monotonic() < deadline and (open_checks := [one.check for one in asked.values() if _may_change(one)]):
        time.sleep(_PAUSE)
        asked |= {check.id: run_check(check, bench, device_for) for check in open_checks}
    return [asked[check.id] for check in lab.checks]


def run_check(check: LabCheck, bench: Testbed | None, device_for: Callable[[str], Device]) -> CheckResult:
    """Ask one check once; a device that does not answer holds nothing."""
    try:
        if check.kind == "ping" and bench is not None:
            return _pinged(check, reached=bench.ping(check.device, check.target))
        with closing(device_for(check.device)) as device:
            return _ASK[check.kind](check, device)
    except (ServiceDown, NotFound) as error:
        return CheckResult(check=check, holds=False, seen=str(error), missing=(f"an answer from {check.device}",))


def _may_change(one: CheckResult) -> bool:
    return not one.holds and one.check.kind != "config"


def _ask(device: Device, command: str, timeout: float = 10.0) -> str:
    """What a device says to a command of privileged mode, wherever its conversation stands."""
    if device.prompt.rstrip().endswith(">"):
        device.run("enable")
    elif "(config" in device.prompt:
        device.run("end")
    return device.run(command, timeout=timeout)


def _check_config(check: LabCheck, device: Device) -> CheckResult:
    missing = missing_lines(_ask(device, "show running-config"), check.expect)
    seen = "" if missing else f"All of it stands in the running configuration of {check.device}."
    return CheckResult(check=check, holds=not missing, seen=seen, missing=missing)


def _check_ping(check: LabCheck, device: Device) -> CheckResult:
    return _pinged(check, reached=ping_succeeded(_ask(device, f"ping {check.target}", _PING_SECONDS)))


def _pinged(check: LabCheck, *, reached: bool) -> CheckResult:
    seen = f"{check.device} {'reaches' if reached else 'does not reach'} {check.target}."
    return CheckResult(
        check=check, holds=reached, seen=seen, missing=() if reached else (f"an answer from {check.target}",)
    )


def _check_route(check: LabCheck, device: Device) -> CheckResult:
    routes = read_routes(_ask(device, "show ip route"))
    holds = any(matching_routes(routes, check.target, check.protocol, check.via))
    route = best_route(routes, check.target)
    seen = f"{check.device} has no route to {check.target}."
    if route:
        through = f" through {' and '.join(route.hops)}" if route.hops else ""
        seen = f"{check.device} goes to {route.network} by {route.protocol}{through}."
    return CheckResult(check=check, holds=holds, seen=seen, missing=() if holds else (_wanted_route(check),))


def _wanted_route(check: LabCheck) -> str:
    by = f" by {check.protocol}" if check.protocol else ""
    return f"a route to {check.target}{by}" + (f" through {check.via}" if check.via else "")


def _check_neighbor(check: LabCheck, device: Device) -> CheckResult:
    asked = (one for command, read in NEIGHBOR_COMMANDS[check.protocol] for one in read(_ask(device, command)))
    known = [one for one in asked if check.target in one.names]
    holds = any(one.is_up for one in known)
    state = f"sees {check.target}: {known[0].state}" if known else f"does not see {check.target}"
    wanted = f"{check.target} as {check.protocol.upper()} neighbour, fully up"
    return CheckResult(check=check, holds=holds, seen=f"{check.device} {state}.", missing=() if holds else (wanted,))


_ASK: dict[str, Callable[[LabCheck, Device], CheckResult]] = {
    "config": _check_config,
    "ping": _check_ping,
    "route": _check_route,
    "neighbor": _check_neighbor,
}
