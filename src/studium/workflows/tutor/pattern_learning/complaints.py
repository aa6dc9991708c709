"""Which lines of an output are complaints of the device."""

import re
from typing import Final

_SAID: Final = re.compile(
    r"%(?! ?[A-Z][A-Z0-9_]*-\d-)\s*\S|(?:Error|Command rejected|Command failed|Failed|Warning|Rejected)\b\s*:?\s*\S",
    re.IGNORECASE,
)
_LOOKING: Final = re.compile(r"(?:do\s+)?(?:sh|more|debug|dir|ping|trace)", re.IGNORECASE)
_EDGE: Final = 3
_LONGEST: Final = 300
_HEAD: Final = 20_000


def complaint_in(command: str, output: str) -> str | None:
    """The line in which the device complains of a command, or None.

    A complaint stands near the beginning; what a `show` prints may hold words such as "Error" without being one.
    """
    lines = [line.strip() for line in output[:_HEAD].splitlines() if line.strip() and line.strip() != "^"]
    is_looking = bool(_LOOKING.match(command.strip()))
    for line in lines[:_EDGE]:
        if len(line) <= _LONGEST and _SAID.match(line) and (line.startswith("%") or not is_looking):
            return line
    return None
