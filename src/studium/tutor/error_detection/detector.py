"""The error detector diagnoses a command from its output and prompt; in a server, a reader process does so."""

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from studium.core.reader_process import outside_server
from studium.tutor.domain import Diagnosis, TypedCommand
from studium.tutor.error_detection.base import FuzzyErrorPattern, MessagePattern
from studium.tutor.error_detection.exchange import CommandExchange
from studium.tutor.error_detection.registry import PatternRegistry
from studium.tutor.error_detection.verdict import explain_refusal


class ErrorDetector:
    """Diagnoses commands from their output."""

    def __init__(self, registry: PatternRegistry) -> None:
        """Take the patterns to try."""
        patterns = list(registry)
        self._messages = [pattern for pattern in patterns if isinstance(pattern, MessagePattern)]
        self._refusals = [pattern for pattern in patterns if isinstance(pattern, FuzzyErrorPattern)]

    def detect(
        self, command: str, output: str, prompt: str | None = None, *, before: Sequence[str] = ()
    ) -> Diagnosis | None:
        """The diagnosis of a command, or None where nothing is wrong; `before` are the commands typed earlier."""
        if not output or output.isspace():
            return None
        exchange = CommandExchange(command, output, prompt, before)
        return self._refused(exchange) or self._reported(exchange)

    def detect_all(self, history: Sequence[TypedCommand]) -> list[Diagnosis | None]:
        """The diagnosis of each command of a history, in the context of those before it."""
        typed: dict[str, list[str]] = {}
        found = []
        for each in history:
            before = typed.setdefault(each.device, [])
            found.append(self.detect(each.command, each.output, each.prompt or None, before=before))
            before.append(each.command)
        return found

    def _refused(self, exchange: CommandExchange) -> Diagnosis | None:
        verdict = explain_refusal(exchange)
        if verdict is None:
            return None
        found = (pattern.match_verdict(exchange, verdict) for pattern in self._refusals)
        return next((diagnosis for diagnosis in found if diagnosis), None)

    def _reported(self, exchange: CommandExchange) -> Diagnosis | None:
        text = exchange.lowered
        for pattern in self._messages:
            for marker in pattern.markers:
                if marker in text and (found := pattern.match(exchange)):
                    return found
        return None


@cache
def get_default_detector() -> ErrorDetector:
    """The detector with the patterns that come with Studium."""
    registry = PatternRegistry()
    registry.load_shipped()
    return ErrorDetector(registry)


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
