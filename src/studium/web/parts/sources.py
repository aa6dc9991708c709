"""The lines of a source around a place in it, read only where that is allowed."""

from dataclasses import dataclass
from pathlib import Path

from studium.app.service import Service
from studium.core.domain.errors import StudiumError

_READABLE = {".md", ".markdown", ".txt", ".text", ".lrc", ".log", ".html", ".xml", ".json", ".jsonl"}
_LONGEST = 2_000_000
"""A longer source is quoted, not opened."""
_AROUND = 6


@dataclass(frozen=True)
class Lines:
    """Some lines of a source; the first of them has this number."""

    first: int
    lines: tuple[str, ...]


def source_text(service: Service, path: str, folder: str = "") -> str:
    """What a source says; nothing if it may not be read, is gone, is very long, or is no text.

    It may lie in the folder that its run was given, or wherever the settings allow.
    """
    try:
        file = _file(service, path, folder)
        if file.suffix.lower() not in _READABLE or file.stat().st_size > _LONGEST:
            return ""
        return file.read_text("utf-8", errors="replace")
    except (StudiumError, OSError, ValueError):
        return ""


def lines_around(text: str, first: int, last: int) -> Lines:
    """These lines, and a few before and after them."""
    begin = max(1, first - _AROUND)
    return Lines(begin, tuple(text.splitlines()[begin - 1 : last + _AROUND]))


def _file(service: Service, path: str, folder: str) -> Path:
    if folder:
        root = Path(folder).resolve()
        file = (root / path).resolve()
        if file.is_relative_to(root) and file.is_file():
            return file
    return service.find(path)
