"""Checking a lab: every check is asked of its device until it holds or patience ends."""

import time
from collections.abc import Callable
from contextlib import closing

from studium.core.domain.errors import NotFound, ServiceDown
from studium.domain.lab import Checked, Device, Lab, LabBench, LabCheck
from studium.workflows.tutor.checking.configuration import missing_lines
from studium.workflows.tutor.checking.neighbors import ASKING
from studium.workflows.tutor.checking.pings import is_answered
from studium.workflows.tutor.checking.routes import best_route, matching_routes, read_routes

_PAUSE = 0.5
_PING_SECONDS = 20.0


def check_lab(
    lab: Lab, bench: LabBench | None, device_for: Callable[[str], Device], *, patience: float = 0.0
) -> list[Checked]:
    """Ask every check of a lab, in its order.

    What the routers must first tell each other (pings, routes, neighbours) is asked again for `patience` seconds.
    `device_for` opens a new conversation in the lab's spelling; it is closed here. Without a bench, as when a
    transcript is replayed, pings are typed on the device.
    """
    deadline = time.monotonic() + patience
    asked = {check.id: ask_check(check, bench, device_for) for check in lab.checks}
    while time.monotonic() < deadline and (open_checks := [one.check for one in asked.values() if _may_change(one)]):
        time.sleep(_PAUSE)
        asked |= {check.id: ask_check(check, bench, device_for) for check in open_checks}
    return [asked[check.id] for check in lab.checks]


def ask_check(check: LabCheck, bench: LabBench | None, device_for: Callable[[str], Device]) -> Checked:
    """Ask one check once; a device that does not answer holds nothing."""
    try:
        if check.kind == "ping" and bench is not None:
            return _pinged(check, reached=bench.ping(check.device, check.target))
        with closing(device_for(check.device)) as device:
            return _ASK[check.kind](check, device)
    except (ServiceDown, NotFound) as error:
        return Checked(check=check, holds=False, seen=str(error), missing=(f"an answer from {check.device}",))


def _may_change(one: Checked) -> bool:
    return not one.holds and one.check.kind != "config"


def _ask(device: Device, command: str, timeout: float = 10.0) -> str:
    """What a device says to a command of privileged mode, wherever its conversation stands."""
    if device.prompt.rstrip().endswith(">"):
        device.run("enable")
    elif "(config" in device.prompt:
        device.run("end")
    return device.run(command, timeout=timeout)


def _check_config(check: LabCheck, device: Device) -> Checked:
    missing = missing_lines(_ask(device, "show running-config"), check.expect)
    seen = "" if missing else f"All of it stands in the running configuration of {check.device}."
    return Checked(check=check, holds=not missing, seen=seen, missing=missing)


def _check_ping(check: LabCheck, device: Device) -> Checked:
    return _pinged(check, reached=is_answered(_ask(device, f"ping {check.target}", _PING_SECONDS)))


def _pinged(check: LabCheck, *, reached: bool) -> Checked:
    seen = f"{check.device} {'reaches' if reached else 'does not reach'} {check.target}."
    return Checked(
        check=check, holds=reached, seen=seen, missing=() if reached else (f"an answer from {check.target}",)
    )


def _check_route(check: LabCheck, device: Device) -> Checked:
    routes = read_routes(_ask(device, "show ip route"))
    holds = any(matching_routes(routes, check.target, check.protocol, check.via))
    route = best_route(routes, check.target)
    seen = f"{check.device} has no route to {check.target}."
    if route:
        through = f" through {' and '.join(route.hops)}" if route.hops else ""
        seen = f"{check.device} goes to {route.network} by {route.protocol}{through}."
    return Checked(check=check, holds=holds, seen=seen, missing=() if holds else (_wanted_route(check),))


def _wanted_route(check: LabCheck) -> str:
    by = f" by {check.protocol}" if check.protocol else ""
    return f"a route to {check.target}{by}" + (f" through {check.via}" if check.via else "")


def _check_neighbor(check: LabCheck, device: Device) -> Checked:
    asked = (one for command, read in ASKING[check.protocol] for one in read(_ask(device, command)))
    known = [one for one in asked if check.target in one.names]
    holds = any(one.is_up for one in known)
    state = f"sees {check.target}: {known[0].state}" if known else f"does not see {check.target}"
    wanted = f"{check.target} as {check.protocol.upper()} neighbour, fully up"
    return Checked(check=check, holds=holds, seen=f"{check.device} {state}.", missing=() if holds else (wanted,))


_ASK: dict[str, Callable[[LabCheck, Device], Checked]] = {
    "config": _check_config,
    "ping": _check_ping,
    "route": _check_route,
    "neighbor": _check_neighbor,
}
