"""What a running configuration lacks of what it should hold."""

import re
from typing import TYPE_CHECKING

from studium.core.domain.errors import MissingExtra

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
