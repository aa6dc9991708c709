"""Cutting a recorded console into commands and their outputs."""

import re
from collections.abc import Iterable, Iterator

from studium.domain.lab import Typed
from studium.readers.transcripts.prompts import PromptLine, Prompts, log_in

_ANSWER = re.compile(r"\s|%|$|[*.]?[A-Z][a-z]{2} +\d|Command rejected|Bad mask|Building|\[OK\]")


def cut(lines: Iterable[str], columns: int) -> Iterator[Typed]:
    """The commands of a recording in their order; what a device said unasked stands with an empty command."""
    prompts = Prompts()
    now: _Exchange | None = None
    for line in lines:
        found = prompts.read(line)
        if found:
            if now:
                yield from now.typed()
            now = _Exchange(found, columns, len(line.rstrip()))
        elif now:
            now.hear(line)
    if now:
        yield from now.typed()


class _Exchange:
    """A command that is being answered."""

    def __init__(self, found: PromptLine, columns: int, width: int) -> None:
        self._found = found
        self._command = found.command
        self._heard: list[str] = []
        # The rest of the command stands below if the screen was too narrow, or if a log message fell into it.
        self._is_half = width > 0 and width % columns == 0
        at = log_in(found.command)
        if at is not None:
            self._command = found.command[:at].rstrip()
            self._heard.append(found.command[at:])
            self._is_half = bool(self._command)

    def hear(self, line: str) -> None:
        if self._is_half and log_in(line) != 0:
            self._is_half = False
            if not _ANSWER.match(line):
                self._command = (self._command + line).rstrip()
                return
        self._heard.append(line)

    def typed(self) -> Iterator[Typed]:
        output = "\n".join(self._heard).strip("\n")
        if self._command or output.strip():
            yield Typed(command=self._command, output=output, prompt=self._found.prompt, device=self._found.device)
