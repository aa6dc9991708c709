"""What tools write into notes for themselves: ids and schedules, which are no part of a card's text."""

import re

_BOOKKEEPING = re.compile(
    r"(?<![ \t])[ \t]*(?:<!--SR:[^\n]*?-->|<!--ID:[ \t]*\d+[ \t]*-->|<!--[ \t]*studium:[ \t]*[\w-]+[ \t]*-->)"
)
_BLOCK_ID = re.compile(r"(?<![ \t])[ \t]*(?<!\S)\^(?:st-[\w-]+|\d{13})[ \t]*$", re.MULTILINE)


def is_marker_line(line: str) -> bool:
    """Whether there is nothing on a line but ids and schedules."""
    return ("<!--" in line or "^" in line) and bool(line.strip()) and not without_markers(line).strip()


def without_markers(text: str) -> str:
    """A text without the ids and schedules that tools have left in it."""
    if "<!--" in text:
        text = _BOOKKEEPING.sub("", text)
    if "^" in text:
        text = _BLOCK_ID.sub("", text)
    return text
