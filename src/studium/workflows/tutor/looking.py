"""What may be asked of a device without asking the student first: only what looks, and never leaves the lab."""

import re

_LOOKS = ("show", "ping", "traceroute")
_LONGEST = 200
_BEYOND = re.compile(r"[;&`$><\r\n\x00-\x1f]|\|\s*(?!include|exclude|begin|section|i\b|e\b|b\b|s\b)")


def refusal(command: str) -> str | None:
    """Why a command may not be run on a device by a model; nothing for one that only looks."""
    words = command.split()
    if not words or len(command) > _LONGEST:
        return "That is no command."
    if _BEYOND.search(command):
        return f"`{command}` holds signs that no command needs."
    first = words[0].lower()
    if not any(len(first) > 1 and known.startswith(first) for known in _LOOKS):
        return f"`{command}` may change something. Only show, ping and traceroute are run for a model."
    return None
