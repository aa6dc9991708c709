"""A lab's topology as a drawing: routers in the middle, hosts around them, and how everything stands now.

Whatever a colour says is also said by a mark, a dash or a word.
"""

import math
import re
from collections.abc import Iterable
from html import escape
from ipaddress import ip_interface

from studium.domain.lab import Cable, Lab
from studium.faculties.labs import LabState
from studium.web.tutor.standing import (
    Link,
    device_text,
    device_tone,
    link,
    planned_address,
    port_text,
    port_tone,
    present_address,
    present_cost,
    standing,
)

Point = tuple[float, float]

_BETWEEN = 216.0
_WIDE, _HIGH = 76.0, 44.0
_MARGIN = 34.0
_FLATTENED = 0.6
_SMALLEST, _LARGEST = 0.72, 1.1
_MARKS = {"up": "●", "down": "○", "shut": "✕", "off": ""}
LEGEND = "● up  ○ no signal  ✕ shut down"


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
    cables = "".join(_cable(state, places, cable) for cable in state.lab.cables)
    devices = "".join(_device(state, name, place) for name, place in places.items())
    label = escape(f"Topology of {state.lab.title}: {_said(state, places)}", quote=True)
    numbers = " ".join(f"{number:g}" for number in box)
    # Letters are never too small to read: a wide network is scrolled instead.
    size = f"min-width: {box[2] * _SMALLEST:g}px; max-height: {box[3] * _LARGEST:g}px"
    head = f'<svg class="t-topology" viewBox="{numbers}" style="{size}" role="img" aria-label="{label}">'
    return f"{head}{cables}{devices}</svg>"


def _said(state: LabState, names: Iterable[str]) -> str:
    """The whole drawing in words."""
    devices = ", ".join(standing(state, name) for name in names)
    cables = [f"{_from_to(cable)} {_link_text(link(state, cable))}" for cable in state.lab.cables if state.is_up]
    return "; ".join((devices, *cables))


def _from_to(cable: Cable) -> str:
    return f"{cable.one.partition(':')[0]} to {cable.other.partition(':')[0]}"


def _link_text(stands: Link) -> str:
    return ", ".join((stands.text, *(each.text for each in stands.protocols)))


def short(port: str) -> str:
    """A port's name as routers abbreviate it: `Gi0/1`."""
    return re.sub(r"^([A-Z][a-z])[A-Za-z]+(?=\d)", r"\1", port)


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
    stands = link(state, cable)
    line = f'<line class="t-cable t-{stands.tone}" x1="{from_[0]:g}" y1="{from_[1]:g}" x2="{to[0]:g}" y2="{to[1]:g}"/>'
    told = escape(f"{ends[0]} to {ends[1]}: {_link_text(stands)}")
    drawn_ends = f"{_end(state, ends[0], from_, to)}{_end(state, ends[1], to, from_)}"
    return f"<g><title>{told}</title>{line}{drawn_ends}{_middle(state, ends[0], stands, (from_, to))}</g>"


def _end(state: LabState, end: str, here: Point, there: Point) -> str:
    """A port by its end of the cable: its mark, its name, its address, and its cost where that is unusual."""
    other, cost = present_address(state, end), present_cost(state, end)
    last = planned_address(state.lab, end).partition("/")[0].rpartition(".")[2]
    address = other or (f".{last}" if last else "")
    told = (short(end.partition(":")[2]), address, f"cost {cost}" if cost is not None else "")
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
    """The sign of how a port stands, where the cable leaves its device."""
    tone = port_tone(state, end)
    away = (there[0] - here[0], there[1] - here[1])
    length = math.hypot(*away) or 1.0
    edge = min(_WIDE / 2 / (abs(away[0]) or 1e-9), _HIGH / 2 / (abs(away[1]) or 1e-9)) + 9 / length
    place = (here[0] + away[0] * edge, here[1] + away[1] * edge + 5)
    told = f"<title>{escape(f'{end}: {port_text(state, end)}')}</title>"
    return f"<g>{told}{_text(f't-mark t-{tone}', place, _MARKS[tone], 'middle')}</g>" if tone != "off" else ""


def _middle(state: LabState, end: str, stands: Link, between: tuple[Point, Point]) -> str:
    """Half way: the network, what is wrong with the link, and what the protocols say."""
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
    """A text at some share of a slanting cable, on its outer side."""
    across, down = there[0] - here[0], there[1] - here[1]
    x, y = here[0] + across * share, here[1] + down * share
    outwards = -1 if here[0] + there[0] < -1 else 1
    # A further line keeps clear of the cable, which goes on slanting beside it.
    clear = min(max(lower * across / down * outwards, 0.0), 2 * lower)
    return _text(kind, (x + (12 + clear) * outwards, y + 4 + lower), text, "start" if outwards > 0 else "end")


def _device(state: LabState, name: str, place: Point) -> str:
    x, y = place
    kind = next(device.kind for device in state.lab.devices if device.name == name)
    corner = 22 if kind == "router" else 6
    shape = f'<rect x="{x - _WIDE / 2:g}" y="{y - _HIGH / 2:g}" width="{_WIDE:g}" height="{_HIGH:g}" rx="{corner}"/>'
    tone = device_tone(state, name)
    told = f"<title>{escape(standing(state, name))}</title>"
    silent = _text("t-bad", (x, y + _HIGH / 2 + 14), "does not answer", "middle") if tone == "down" else ""
    doubted = device_text(state, name) == "not known"
    doubt = _text("t-doubt", (x, y + 15), "not known", "middle") if doubted else ""
    words = _text("t-name", (x, y if doubted else y + 6), name, "middle") + doubt + silent
    return f'<g class="t-device t-{tone}">{told}{shape}{words}</g>'


def _text(kind: str, place: Point, text: str, anchor: str) -> str:
    x, y = place
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
