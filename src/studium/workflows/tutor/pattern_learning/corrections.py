"""What the student typed after a refusal until the device took it."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

from studium.domain.lab import Typed
from studium.workflows.tutor.pattern_learning.complaints import complaint_in

_AHEAD: Final = 12
_NEAR: Final = 0.6
_STEPS: Final = 3
_MOVING: Final = re.compile(r"(?:do\s+)?(?:sh|exit|end|ping|trace|wr|copy|conf|debug|\?)", re.IGNORECASE)


def correction_after(typed: Sequence[Typed], refused_at: int) -> tuple[str, ...]:
    """The commands that led to what was wanted, or none.

    Either a command near the refused one was taken in the same mode, or the refused one itself, after others.
    """
    refused = typed[refused_at]
    later = [each for each in typed[refused_at + 1 :] if each.device == refused.device][:_AHEAD]
    steps: list[str] = []
    for each in later:
        if not each.command.strip() or complaint_in(each.command, each.output) or "Invalid input" in each.output:
            continue
        if each.prompt == refused.prompt and _is_same(each.command, refused.command):
            return (*steps[-_STEPS:], each.command.strip()) if steps else ()
        if each.prompt == refused.prompt and _is_near(each.command, refused.command):
            if not _shares_beginning(each.command, refused.command):
                return (each.command.strip(),)
            steps.append(each.command.strip())
            if not _comes_again(later, refused):
                return (each.command.strip(),)
        elif not _MOVING.match(each.command.strip()):
            steps.append(each.command.strip())
    return ()


def _is_same(one: str, other: str) -> bool:
    return one.lower().split() == other.lower().split()


def _is_near(one: str, other: str) -> bool:
    return SequenceMatcher(None, one.lower(), other.lower(), autojunk=False).ratio() >= _NEAR


def _shares_beginning(one: str, other: str) -> bool:
    return one.split(maxsplit=1)[0].lower() == other.split(maxsplit=1)[0].lower()


def _comes_again(later: Sequence[Typed], refused: Typed) -> bool:
    return any(
        _is_same(each.command, refused.command) and not complaint_in(each.command, each.output) for each in later
    )
