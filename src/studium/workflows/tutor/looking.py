"""What a model may have run on a device: what only looks, and what else only if the student says yes."""

import re
from collections.abc import Callable

Permission = Callable[[str, str], bool]
"""Whether the student lets this device be typed this command, which may change something."""

_LOOKS = ("show", "ping", "traceroute")
_LONGEST = 200
_BEYOND = re.compile(r"[;&`$><\r\n\x00-\x1f]|\|\s*(?!include|exclude|begin|section|i\b|e\b|b\b|s\b)")


def never(_device: str, _command: str) -> bool:
    """Nobody is there to be asked."""
    return False


def refusal(device: str, command: str, allowed: Permission = never) -> str | None:
    """Why a command is not run for a model; nothing for one that only looks, or that the student allows."""
    words = command.split()
    if not words or len(command) > _LONGEST:
        return "That is no command."
    if _BEYOND.search(command):
        return f"`{command}` holds signs that no command needs."
    first = words[0].lower()
    if any(len(first) > 1 and known.startswith(first) for known in _LOOKS) or allowed(device, command):
        return None
    return f"`{command}` may change something, and the student has not allowed it. show, ping and traceroute only look."
