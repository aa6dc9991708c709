"""How a lab's devices, ports and links stand now, in words: the drawing and the table say the same."""

from dataclasses import dataclass
from ipaddress import ip_interface
from typing import Literal

from studium.domain.lab import Cable, Lab
from studium.faculties.labs import LabState

Tone = Literal["up", "down", "shut", "off"]

_PORTS = {"up": "up", "down": "no signal", "shut": "shut down"}
_USUAL_COST = 10
"""What OSPF reckons for a lab's links, unless it was told otherwise."""


@dataclass(frozen=True)
class Told:
    """Something that a protocol says of a link, and whether that is as it should be."""

    text: str
    is_good: bool


@dataclass(frozen=True)
class Link:
    """How a link stands: in one word for its looks, in words, and what the protocols say of it."""

    tone: Tone
    text: str
    protocols: tuple[Told, ...] = ()


def device_tone(state: LabState, name: str) -> Tone:
    """Whether a device answers; off is one of which that is not known."""
    if not state.is_up or name not in state.answers:
        return "off"
    return "up" if state.answers[name] else "down"


def device_text(state: LabState, name: str) -> str:
    """Whether a device answers, in words."""
    tone = device_tone(state, name)
    return "not known" if state.is_up and tone == "off" else tone


def standing(state: LabState, name: str) -> str:
    """How a device stands, in words."""
    return f"{name} {device_text(state, name)}"


def port_tone(state: LabState, end: str) -> Tone:
    """How a port stands; off is one of which nothing is known."""
    port = state.live.ports.get(end) if state.is_up else None
    return port.state if port else "off"


def port_text(state: LabState, end: str) -> str:
    """How a port stands, in words."""
    if not state.is_up:
        return "off"
    return _PORTS.get(port_tone(state, end), "not known")


def planned_address(lab: Lab, end: str) -> str:
    """The address that a port is to have."""
    device, _, port = end.partition(":")
    ports = next((each.ports for each in lab.devices if each.name == device), ())
    return next((each.address or "" for each in ports if each.name == port), "")


def present_address(state: LabState, end: str) -> str | None:
    """The address that a port has instead of the one it is to have; nothing where they are the same."""
    port, planned = state.live.ports.get(end), planned_address(state.lab, end)
    if not state.is_up or port is None or _same(planned) in port.addresses:
        return None
    if port.addresses:
        return port.addresses[0]
    return "no address" if planned else None


def present_cost(state: LabState, end: str) -> int | None:
    """What OSPF reckons for a port, if that is not what it usually does."""
    port = state.live.ports.get(end)
    return port.cost if state.is_up and port and port.cost not in (None, _USUAL_COST) else None


def neighbors_text(state: LabState, end: str) -> str:
    """The neighbours that are seen through a port."""
    seen = state.live.neighbors_at(end) if state.is_up else ()
    return ", ".join(f"{each.protocol.upper()} {each.neighbor} {each.state}" for each in seen)


def link(state: LabState, cable: Cable) -> Link:
    """How a cable stands, and what runs over it."""
    ends = (cable.one, cable.other)
    tones = [port_tone(state, end) for end in ends]
    protocols = _protocols(state, ends, carries=tones == ["up", "up"])
    if "off" in tones:
        return Link("off", "not known" if state.is_up else "off", protocols)
    if "shut" in tones:
        shut = [end.partition(":")[0] for end, tone in zip(ends, tones, strict=True) if tone == "shut"]
        return Link("shut", f"shut down at {' and '.join(shut)}", protocols)
    if "down" in tones:
        return Link("down", "no signal", protocols)
    return Link("up", "up", protocols)


def _protocols(state: LabState, ends: tuple[str, str], *, carries: bool) -> tuple[Told, ...]:
    if not state.is_up:
        return ()
    told = [each for name in ("ospf", "bgp", "rip") if (each := _protocol(state, ends, name))]
    if not any(each.text.startswith("OSPF") for each in told) and carries and _wants_ospf(state, ends):
        told.append(Told("OSPF no neighbour", is_good=False))
    return tuple(told)


def _protocol(state: LabState, ends: tuple[str, str], protocol: str) -> Told | None:
    """What both ends say of each other; whoever is not content is heard first."""
    seen = [each for end in ends for each in state.live.neighbors_at(end) if each.protocol == protocol]
    if not seen:
        return None
    worst = min(seen, key=lambda each: each.is_up)
    text = f"{protocol.upper()} {worst.state.partition('/')[0]}"
    sides = {each.device for each in seen}
    if worst.is_up and len(sides) == 1:
        return Told(f"{text} at {worst.device} only", is_good=False)
    return Told(text, is_good=worst.is_up)


def _wants_ospf(state: LabState, ends: tuple[str, str]) -> bool:
    """Whether OSPF runs at an end of a link between two routers."""
    routers = {device.name for device in state.lab.devices if device.kind == "router"}
    runs = any(state.live.ports[end].cost is not None for end in ends)
    return runs and all(end.partition(":")[0] in routers for end in ends)


def _same(address: str) -> str:
    """An address as routers write it, `10.0.0.1/24`."""
    try:
        return str(ip_interface("/".join(address.split())))
    except ValueError:
        return address
