"""The error detector of a server: what was typed and what a device answered is examined in a reader process."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from studium.core.reader_process import outside_server
from studium.tutor.domain import Diagnosis, TypedCommand
from studium.tutor.error_detection.detector import ErrorDetector
from studium.tutor.error_detection.registry import PatternRegistry


def load_detector(folders: Sequence[Path]) -> ErrorDetector:
    """The detector with the shipped patterns and those in these folders."""
    registry = PatternRegistry()
    registry.load_shipped()
    for folder in folders:
        registry.load(folder)
    return ErrorDetector(registry)


class BoundedDetector(ErrorDetector):
    """Has the patterns of these folders matched within limits."""

    def __init__(self, folders: tuple[Path, ...]) -> None:
        super().__init__(PatternRegistry())
        self._folders = folders

    def detect(
        self, command: str, output: str, prompt: str | None = None, *, before: Sequence[str] = ()
    ) -> Diagnosis | None:
        """The diagnosis of a command, or None where nothing is wrong; `before` are the commands typed earlier."""
        return _detect(self._folders, command, output, prompt, tuple(before))

    def detect_all(self, history: Sequence[TypedCommand]) -> list[Diagnosis | None]:
        """The diagnosis of each command of a history, in the context of those before it."""
        return _detect_all(self._folders, tuple(history))


@outside_server(lambda _folders, command, *_: f"The output of `{command[:80]}`")
def _detect(
    folders: tuple[Path, ...], command: str, output: str, prompt: str | None, before: tuple[str, ...]
) -> Diagnosis | None:
    return _detector(folders, _stamp(folders)).detect(command, output, prompt, before=before)


@outside_server(lambda _folders, _history: "The history")
def _detect_all(folders: tuple[Path, ...], history: tuple[TypedCommand, ...]) -> list[Diagnosis | None]:
    return _detector(folders, _stamp(folders)).detect_all(history)


@lru_cache(maxsize=1)
def _detector(folders: tuple[Path, ...], _stamp: tuple[tuple[str, int], ...]) -> ErrorDetector:
    return load_detector(folders)


def _stamp(folders: tuple[Path, ...]) -> tuple[tuple[str, int], ...]:
    """Changes whenever a pattern file does."""
    files = sorted(path for folder in folders for path in folder.rglob("*.json"))
    return tuple((str(path), path.stat().st_mtime_ns) for path in files)
