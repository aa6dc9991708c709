"""Units of measure in five languages, each with what it measures and how much of it."""

import re
from dataclasses import dataclass
from decimal import Decimal

from studium.workflows.questions.comparing.lexicon import lexicon


@dataclass(frozen=True)
class Unit:
    """A unit: what it measures (`time`, `length`, …) and its size in that measure's first unit."""

    measures: str
    size: Decimal


UNITS: dict[str, Unit] = {
    name.replace("_", " "): Unit(measures, Decimal(size))
    for measures, sizes in lexicon("comparing").concepts["units"].items()
    for size, names in sizes.items()
    for name in names.split()
}
CURRENCY_SIGNS = "€$£¥"
_NAMES = "|".join(re.escape(name).replace(r"\ ", r"\s") for name in sorted(UNITS, key=len, reverse=True))
_UNIT = re.compile(rf"[\s\u00a0-]?(?P<unit>{_NAMES})(?![^\W\d_\u3040-\u30ff\u3400-\u9fff]|['’]s\b)", re.IGNORECASE)
# A single letter, or a short word that is also a preposition, is a unit only in the case it is written in.
_AS_WRITTEN = {"a": "A", "v": "V", "w": "W", "k": "K", "mw": "MW", "ma": "mA", "mv": "mV", "pa": "Pa"}


def unit_at(text: str, place: int) -> tuple[Unit, int] | None:
    """The unit that stands at this place, after a space or hyphen at most, and where it ends."""
    match = _UNIT.match(text, place)
    if not match:
        return None
    said = re.sub(r"\s", " ", match["unit"])
    folded = said.casefold()
    if folded in _AS_WRITTEN and said != _AS_WRITTEN[folded]:
        return None
    return UNITS[folded], match.end()
