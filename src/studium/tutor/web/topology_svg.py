"""Draw a lab's topology as SVG with its current state: routers in the middle, hosts around them.

Colour is never the only indicator: marks, dashes or words repeat it.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from ipaddress import ip_interface
from typing import Literal

from studium.tutor.domain import Cable, Lab
from studium.tutor.lab_use_cases import LabState

Tone = Literal["up", "down", "shut", "off"]

_PORTS = {"up": "up", "down": "no signal", "shut": "shut down"}
_USUAL_COST = 10
"""The default OSPF cost of a lab's links."""


@dataclass(frozen=True)
class ProtocolStatus:
    """A protocol's state on a link, and whether it is healthy."""

    text: str
    is_good: bool


@dataclass(frozen=True)
class LinkStatus:
    """The state of a link: its style, its description and its protocols."""

    tone: Tone
    text: str
    protocols: tuple[ProtocolStatus, ...] = ()


def device_tone(state: LabState, name: str) -> Tone:
    """The style of a device; `off` if its state is unknown."""
    if not state.is_up or name not in state.answers:
        return "off"
    return "up" if state.answers[name] else "down"


def device_text(state: LabState, name: str) -> str:
    """Whether a device answers, as text."""
    tone = device_tone(state, name)
    return "not known" if state.is_up and tone == "off" else tone


def device_status(state: LabState, name: str) -> str:
    """The state of a device as text."""
    return f"{name} {device_text(state, name)}"


def port_tone(state: LabState, end: str) -> Tone:
    """The style of a port; `off` if its state is unknown."""
    port = state.live.ports.get(end) if state.is_up else None
    return port.state if port else "off"


def port_text(state: LabState, end: str) -> str:
    """The state of a port as text."""
    if not state.is_up:
        return "off"
    return _PORTS.get(port_tone(state, end), "not known")


def planned_address(lab: Lab, end: str) -> str:
    """The address that the lab assigns to a port."""
    device, _, port = end.partition(":")
    ports = next((each.ports for each in lab.devices if each.name == device), ())
    return next((each.address or "" for each in ports if each.name == port), "")


def present_address(state: LabState, end: str) -> str | None:
    """The actual address of a port if it differs from the planned one."""
    port, planned = state.live.ports.get(end), planned_address(state.lab, end)
    if not state.is_up or port is None or _same(planned) in port.addresses:
        return None
    if port.addresses:
        return port.addresses[0]
    return "no address" if planned else None


def present_cost(state: LabState, end: str) -> int | None:
    """The OSPF cost of a port if it is not the default."""
    port = state.live.ports.get(end)
    return port.cost if state.is_up and port and port.cost not in (None, _USUAL_COST) else None


def neighbors_text(state: LabState, end: str) -> str:
    """The neighbours on a port as text."""
    seen = state.live.neighbors_at(end) if state.is_up else ()
    return ", ".join(f"{each.protocol.upper()} {each.neighbor} {each.state}" for each in seen)


def link_status(state: LabState, cable: Cable) -> LinkStatus:
    """The state of a cable and its protocols."""
    ends = (cable.one, cable.other)
    tones = [port_tone(state, end) for end in ends]
    protocols = _protocols(state, ends, carries=tones == ["up", "up"])
    if "off" in tones:
        return LinkStatus("off", "not known" if state.is_up else "off", protocols)
    if "shut" in tones:
        shut = [end.partition(":")[0] for end, tone in zip(ends, tones, strict=True) if tone == "shut"]
        return LinkStatus("shut", f"shut down at {' and '.join(shut)}", protocols)
    if "down" in tones:
        return LinkStatus("down", "no signal", protocols)
    return LinkStatus("up", "up", protocols)


def _protocols(state: LabState, ends: tuple[str, str], *, carries: bool) -> tuple[ProtocolStatus, ...]:
    if not state.is_up:
        return ()
    told = [each for name in ("ospf", "bgp", "rip") if (each := _protocol(state, ends, name))]
    if not any(each.text.startswith("OSPF") for each in told) and carries and _wants_ospf(state, ends):
        told.append(ProtocolStatus("OSPF no neighbour", is_good=False))
    return tuple(told)


def _protocol(state: LabState, ends: tuple[str, str], protocol: str) -> ProtocolStatus | None:
    """The protocol state at both ends, the worse one first."""
    seen = [each for end in ends for each in state.live.neighbors_at(end) if each.protocol == protocol]
    if not seen:
        return None
    worst = min(seen, key=lambda each: each.is_up)
    text = f"{protocol.upper()} {worst.state.partition('/')[0]}"
    sides = {each.device for each in seen}
    if worst.is_up and len(sides) == 1:
        return ProtocolStatus(f"{text} at {worst.device} only", is_good=False)
    return ProtocolStatus(text, is_good=worst.is_up)


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


Point = tuple[float, float]

_BETWEEN = 216.0
_WIDE, _HIGH = 76.0, 44.0
_MARGIN = 34.0
_FLATTENED = 0.6
_SMALLEST, _LARGEST = 0.72, 1.1
_MARKS = {"up": "●", "down": "○", "shut": "✕", "off": ""}
LEGEND = "● up  ○ no signal  ✕ shut down"


def draw_topology(state: LabState) -> str:
    """Draw the topology as SVG; all text is escaped."""
    places = _places(state.lab)
    left, right = min(x for x, _ in places.values()), max(x for x, _ in places.values())
    top, bottom = min(y for _, y in places.values()), max(y for _, y in places.values())
    side = 0.0 if _is_level((0, top), (0, bottom)) else 70.0
    box = (
        left - _WIDE / 2 - 6 - side,
        top - _HIGH / 2 - _MARGIN,
        right - left + _WIDE + 12 + 2 * side,
        bottom - top + _HIGH + 2 * _MARGIN,
    )
    cables = "".join(_cable(state, places, cable) for cable in state.lab.cables)
    devices = "".join(_device(state, name, place) for name, place in places.items())
    label = escape(f"Topology of {state.lab.title}: {_said(state, places)}", quote=True)
    numbers = " ".join(f"{number:g}" for number in box)
    # Letters are never too small to read: a wide network is scrolled instead.
    size = f"min-width: {box[2] * _SMALLEST:g}px; max-height: {box[3] * _LARGEST:g}px"
    head = f'<svg class="t-topology" viewBox="{numbers}" style="{size}" role="img" aria-label="{label}">'
    return f"{head}{cables}{devices}</svg>"


def _said(state: LabState, names: Iterable[str]) -> str:
    """A text description of the drawing."""
    devices = ", ".join(device_status(state, name) for name in names)
    cables = [f"{_from_to(cable)} {_link_text(link_status(state, cable))}" for cable in state.lab.cables if state.is_up]
    return "; ".join((devices, *cables))


def _from_to(cable: Cable) -> str:
    return f"{cable.one.partition(':')[0]} to {cable.other.partition(':')[0]}"


def _link_text(stands: LinkStatus) -> str:
    return ", ".join((stands.text, *(each.text for each in stands.protocols)))


def short_port_name(port: str) -> str:
    """A port's name as routers abbreviate it: `Gi0/1`."""
    return re.sub(r"^([A-Z][a-z])[A-Za-z]+(?=\d)", r"\1", port)


def _places(lab: Lab) -> dict[str, Point]:
    """The position of each device: routers on a line or ring, hosts outside their router."""
    names = [device.name for device in lab.devices]
    routers = [device.name for device in lab.devices if device.kind == "router"] or names
    places = dict(zip(routers, _ring(len(routers)), strict=True))
    for name in names:
        if name not in places:
            hub = next((each for each in _neighbours(lab, name) if each in places), routers[0])
            places[name] = _beside(places, hub, alone=len(routers) == 1)
    return places


def _ring(many: int) -> list[Point]:
    if many <= 2:  # noqa: PLR2004 - a line
        return [(number * _BETWEEN, 0.0) for number in range(many)]
    radius = _BETWEEN / (2 * math.sin(math.pi / many))
    angles = [2 * math.pi * number / many - math.pi / 2 for number in range(many)]
    return [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]


def _beside(places: dict[str, Point], hub: str, *, alone: bool) -> Point:
    """A free place next to a device, away from all others."""
    x, y = places[hub]
    outwards = 0.0 if alone else math.atan2(y - _mean(places, 1), x - _mean(places, 0))
    ways = [outwards + turn * math.pi / 4 for turn in (0, 4 if alone else 1, -1, 2, -2, 3, -3, 4)]
    spots = [(x + _BETWEEN * math.cos(way), y + _FLATTENED * _BETWEEN * math.sin(way)) for way in ways]
    free = (spot for spot in spots if all(math.dist(spot, other) > _WIDE for other in places.values()))
    return next(free, (x, y + _BETWEEN * (1 + len(places) / 2)))


def _mean(places: dict[str, Point], axis: int) -> float:
    return sum(place[axis] for place in places.values()) / len(places)


def _neighbours(lab: Lab, name: str) -> list[str]:
    ends = [(cable.one.partition(":")[0], cable.other.partition(":")[0]) for cable in lab.cables]
    return [other if one == name else one for one, other in ends if name in (one, other)]


def _cable(state: LabState, places: dict[str, Point], cable: Cable) -> str:
    ends = sorted((cable.one, cable.other), key=lambda end: places[end.partition(":")[0]][0])
    from_, to = (places[end.partition(":")[0]] for end in ends)
    stands = link_status(state, cable)
    line = f'<line class="t-cable t-{stands.tone}" x1="{from_[0]:g}" y1="{from_[1]:g}" x2="{to[0]:g}" y2="{to[1]:g}"/>'
    told = escape(f"{ends[0]} to {ends[1]}: {_link_text(stands)}")
    drawn_ends = f"{_end(state, ends[0], from_, to)}{_end(state, ends[1], to, from_)}"
    return f"<g><title>{told}</title>{line}{drawn_ends}{_middle(state, ends[0], stands, (from_, to))}</g>"


def _end(state: LabState, end: str, here: Point, there: Point) -> str:
    """Draw a port at its cable end: mark, name, address and unusual cost."""
    other, cost = present_address(state, end), present_cost(state, end)
    last = planned_address(state.lab, end).partition("/")[0].rpartition(".")[2]
    address = other or (f".{last}" if last else "")
    told = (short_port_name(end.partition(":")[2]), address, f"cost {cost}" if cost is not None else "")
    kind = "t-end t-differs" if other or cost is not None else "t-end"
    mark = _mark(state, end, here, there)
    if not _is_level(here, there):
        return mark + _beside_the_line(kind, here, there, 0.28, " ".join(each for each in told if each))
    rightwards = there[0] > here[0]
    x, y = here[0] + (_WIDE / 2 + 6) * (1 if rightwards else -1), here[1] + 19
    anchor = "start" if rightwards else "end"
    lines = [each for each in told if each]
    return mark + "".join(_text(kind, (x, y + 13 * row), line, anchor) for row, line in enumerate(lines))


def _mark(state: LabState, end: str, here: Point, there: Point) -> str:
    """Draw the state mark of a port."""
    tone = port_tone(state, end)
    away = (there[0] - here[0], there[1] - here[1])
    length = math.hypot(*away) or 1.0
    edge = min(_WIDE / 2 / (abs(away[0]) or 1e-9), _HIGH / 2 / (abs(away[1]) or 1e-9)) + 9 / length
    place = (here[0] + away[0] * edge, here[1] + away[1] * edge + 5)
    told = f"<title>{escape(f'{end}: {port_text(state, end)}')}</title>"
    return f"<g>{told}{_text(f't-mark t-{tone}', place, _MARKS[tone], 'middle')}</g>" if tone != "off" else ""


def _middle(state: LabState, end: str, stands: LinkStatus, between: tuple[Point, Point]) -> str:
    """Draw the middle of a link: network, problem and protocols."""
    lines = [("t-network", _network(state.lab, end))]
    if stands.tone in ("down", "shut"):
        lines.append(("t-bad", stands.text))
    lines += [("t-good" if each.is_good else "t-bad", each.text) for each in stands.protocols]
    lines = [(kind, text) for kind, text in lines if text]
    from_, to = between
    if not _is_level(from_, to):
        return "".join(_beside_the_line(kind, from_, to, 0.5, text, row * 14) for row, (kind, text) in enumerate(lines))
    x, y = (from_[0] + to[0]) / 2, (from_[1] + to[1]) / 2 - 9
    return "".join(_text(kind, (x, y - 14 * row), text, "middle") for row, (kind, text) in enumerate(lines))


def _network(lab: Lab, end: str) -> str:
    try:
        return str(ip_interface(planned_address(lab, end)).network)
    except ValueError:
        return ""


def _is_level(here: Point, there: Point) -> bool:
    return abs(here[1] - there[1]) < _HIGH


def _beside_the_line(kind: str, here: Point, there: Point, share: float, text: str, lower: float = 0.0) -> str:
    """Place a text beside a cable, on its outer side."""
    across, down = there[0] - here[0], there[1] - here[1]
    x, y = here[0] + across * share, here[1] + down * share
    outwards = -1 if here[0] + there[0] < -1 else 1
    # A second line keeps clear of the cable, which runs at an angle beside it.
    clear = min(max(lower * across / down * outwards, 0.0), 2 * lower)
    return _text(kind, (x + (12 + clear) * outwards, y + 4 + lower), text, "start" if outwards > 0 else "end")


def _device(state: LabState, name: str, place: Point) -> str:
    x, y = place
    kind = next(device.kind for device in state.lab.devices if device.name == name)
    corner = 22 if kind == "router" else 6
    shape = f'<rect x="{x - _WIDE / 2:g}" y="{y - _HIGH / 2:g}" width="{_WIDE:g}" height="{_HIGH:g}" rx="{corner}"/>'
    tone = device_tone(state, name)
    told = f"<title>{escape(device_status(state, name))}</title>"
    silent = _text("t-bad", (x, y + _HIGH / 2 + 14), "does not answer", "middle") if tone == "down" else ""
    doubted = device_text(state, name) == "not known"
    doubt = _text("t-doubt", (x, y + 15), "not known", "middle") if doubted else ""
    words = _text("t-name", (x, y if doubted else y + 6), name, "middle") + doubt + silent
    return f'<g class="t-device t-{tone}">{told}{shape}{words}</g>'


def _text(kind: str, place: Point, text: str, anchor: str) -> str:
    x, y = place
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
