"""A lab's topology as a drawing: routers in the middle, hosts around them, and how each stands."""

import math
import re
from html import escape
from ipaddress import ip_interface

from studium.domain.lab import Lab
from studium.faculties.labs import LabState

Point = tuple[float, float]

_BETWEEN = 190.0
_WIDE, _HIGH = 76.0, 44.0
_MARGIN = 34.0


def drawn(state: LabState) -> str:
    """The topology as SVG; every word in it is escaped."""
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
    cables = "".join(_cable(state, places, cable.one, cable.other) for cable in state.lab.cables)
    devices = "".join(_device(state, name, place) for name, place in places.items())
    label = escape(f"Topology of {state.lab.title}: {', '.join(standing(state, name) for name in places)}", quote=True)
    numbers = " ".join(f"{number:g}" for number in box)
    return f'<svg class="t-topology" viewBox="{numbers}" role="img" aria-label="{label}">{cables}{devices}</svg>'


def standing(state: LabState, name: str) -> str:
    """How a device stands, in words."""
    return f"{name} {_tone(state, name)}"


def short(port: str) -> str:
    """A port's name as routers abbreviate it: `Gi0/1`."""
    return re.sub(r"^([A-Z][a-z])[A-Za-z]+(?=\d)", r"\1", port)


def address_of(lab: Lab, end: str) -> str:
    """The address that a port is to have."""
    device, _, port = end.partition(":")
    ports = next((each.ports for each in lab.devices if each.name == device), ())
    return next((each.address or "" for each in ports if each.name == port), "")


def _tone(state: LabState, name: str) -> str:
    if not state.is_up:
        return "off"
    return "up" if state.answers.get(name, not state.is_ours) else "down"


def _places(lab: Lab) -> dict[str, Point]:
    """Where each device stands: routers on a line or a ring, hosts outwards of what they are cabled to."""
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
    spots = [(x + _BETWEEN * math.cos(way), y + _BETWEEN * math.sin(way)) for way in ways]
    free = (spot for spot in spots if all(math.dist(spot, other) > _WIDE for other in places.values()))
    return next(free, (x, y + _BETWEEN * (1 + len(places) / 2)))


def _mean(places: dict[str, Point], axis: int) -> float:
    return sum(place[axis] for place in places.values()) / len(places)


def _neighbours(lab: Lab, name: str) -> list[str]:
    ends = [(cable.one.partition(":")[0], cable.other.partition(":")[0]) for cable in lab.cables]
    return [other if one == name else one for one, other in ends if name in (one, other)]


def _cable(state: LabState, places: dict[str, Point], one: str, other: str) -> str:
    from_, to = places[one.partition(":")[0]], places[other.partition(":")[0]]
    if from_[0] > to[0]:
        one, other, from_, to = other, one, to, from_
    carries = [state.carries[end] for end in (one, other) if end in state.carries]
    tone = ("up" if all(carries) else "down") if carries else "off"
    line = f'<line class="t-cable t-{tone}" x1="{from_[0]:g}" y1="{from_[1]:g}" x2="{to[0]:g}" y2="{to[1]:g}"/>'
    ends = f"{_end(state.lab, one, from_, to)}{_end(state.lab, other, to, from_)}"
    return (
        f"<g><title>{escape(f'{one} to {other}: {tone}')}</title>{line}{ends}{_network(state.lab, one, from_, to)}</g>"
    )


def _end(lab: Lab, end: str, here: Point, there: Point) -> str:
    """A port's name and the last part of its address, by its end of the cable."""
    last = address_of(lab, end).partition("/")[0].rpartition(".")[2]
    lines = (short(end.partition(":")[2]), f".{last}" if last else "")
    if not _is_level(here, there):
        return _beside_the_line("t-end", here, there, 0.28, " ".join(lines))
    rightwards = there[0] > here[0]
    x, y = here[0] + (_WIDE / 2 + 6) * (1 if rightwards else -1), here[1] + 15
    anchor = "start" if rightwards else "end"
    return "".join(_text("t-end", (x, y + 13 * row), line, anchor) for row, line in enumerate(lines) if line)


def _network(lab: Lab, end: str, from_: Point, to: Point) -> str:
    try:
        network = str(ip_interface(address_of(lab, end)).network)
    except ValueError:
        return ""
    if not _is_level(from_, to):
        return _beside_the_line("t-network", from_, to, 0.5, network)
    return _text("t-network", ((from_[0] + to[0]) / 2, (from_[1] + to[1]) / 2 - 9), network, "middle")


def _is_level(here: Point, there: Point) -> bool:
    return abs(here[1] - there[1]) < _HIGH


def _beside_the_line(kind: str, here: Point, there: Point, share: float, text: str) -> str:
    """A text at some share of a slanting cable, on its outer side."""
    x, y = here[0] + (there[0] - here[0]) * share, here[1] + (there[1] - here[1]) * share
    outwards = -1 if here[0] + there[0] < -1 else 1
    return _text(kind, (x + 10 * outwards, y + 4), text, "start" if outwards > 0 else "end")


def _device(state: LabState, name: str, place: Point) -> str:
    x, y = place
    kind = next(device.kind for device in state.lab.devices if device.name == name)
    corner = 22 if kind == "router" else 6
    shape = f'<rect x="{x - _WIDE / 2:g}" y="{y - _HIGH / 2:g}" width="{_WIDE:g}" height="{_HIGH:g}" rx="{corner}"/>'
    tone = _tone(state, name)
    told = f"<title>{escape(standing(state, name))}</title>"
    lamp = f'<circle cx="{x + _WIDE / 2 - 10:g}" cy="{y - _HIGH / 2 + 3:g}" r="7"/>'
    return f'<g class="t-device t-{tone}">{told}{shape}{lamp}{_text("t-name", (x, y + 6), name, "middle")}</g>'


def _text(kind: str, place: Point, text: str, anchor: str) -> str:
    x, y = place
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
