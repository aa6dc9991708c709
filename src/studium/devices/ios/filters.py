"""What may stand after the pipe of a show command."""

import re

REPEATED_GROUP = re.compile(r"\)[*+{]")
FILTERS = ("begin", "exclude", "include", "section", "count")


def filter_name(written: str) -> str | None:
    """The filter that a word means, in full or abbreviated."""
    return next((name for name in FILTERS if written and name.startswith(written.lower())), None)


def apply_filter(name: str, pattern: str, text: str) -> str:
    """The lines of a text that a filter leaves."""
    wanted = _compiled(pattern)
    lines = text.splitlines()
    hits = [bool(wanted.search(line)) for line in lines]
    if name == "begin":
        return "\n".join(lines[hits.index(True) :] if True in hits else [])
    if name == "section":
        return "\n".join(_sections(lines, hits))
    if name == "count":
        return f"Number of lines which match regexp = {sum(hits)}"
    return "\n".join(line for line, hit in zip(lines, hits, strict=True) if hit == (name == "include"))


def _compiled(pattern: str) -> re.Pattern[str]:
    """A pattern, or its very letters if it is none or might search without end."""
    try:
        return re.compile(re.escape(pattern) if REPEATED_GROUP.search(pattern) else pattern)
    except re.error:
        return re.compile(re.escape(pattern))


def _sections(lines: list[str], hits: list[bool]) -> list[str]:
    kept, inside = [], False
    for line, hit in zip(lines, hits, strict=True):
        inside = hit or (inside and line.startswith(" "))
        kept += [line] if inside else []
    return kept
