"""A command and its output without control codes, with prompt, caret and parser message extracted."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple

from studium.tutor.domain import Mode
from studium.tutor.ios.modes import Prompt, guess_mode, read_prompt
from studium.tutor.ios.vocabulary import Dialect

_HEAD = _TAIL = 32_000
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_CODES: Final = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|\x1b[@-Z\\^_=>]")
_PRINTED_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_CARET: Final = re.compile(r"^([ \t]*)\^[ \t]*$", re.MULTILINE)
_WORD: Final = re.compile(r"\S+")
_COMPLAINT: Final = re.compile(
    r"""^[ \t]*%?[ ]{0,2}(?:
      (?P<dns>.{0,60}Unknown\ command\ or\ computer\ name|Translating\ "[^"\n]{1,200}"\.\.\.\ ?domain\ server)
    | (?P<invalid>Invalid\ (?:input|command|parameter|number|value)[\w ]{0,20}\ at|Invalid\ inp|Unrecognized\ command)
    | (?P<unknown>Unknown\ command|There\ is\ no\ matched\ command)
    | (?P<incomplete>Incomplete\ command|Command\ incomplete|Type\ ".{1,200}\ \?"\ for\ a\ list\ of\ subcommands)
    | (?P<ambiguous>Ambiguous\ command)
    )""",
    re.MULTILINE | re.IGNORECASE | re.VERBOSE,
)
_MARKS: Final = ("ommand", "nvalid inp", "ranslating", "nvalid ")
_NEAR_THE_EDGE: Final = 8
_LAST_LINES: Final = 2


class ParserComplaint(NamedTuple):
    """A device's parser message about a line, and whether the device runs FRR."""

    kind: str
    dialect: Dialect


class CommandExchange:
    """A command and its output, prepared for matching."""

    def __init__(self, command: str, output: str, prompt: str | None = None, before: Sequence[str] = ()) -> None:
        """Clean the command and output; `before` are the commands typed earlier."""
        self.output = clean_output(output)
        self.lowered = self.output.lower()
        self.before = before
        self._typed = command if not _CONTROL.search(command) else clean_output(command).strip("\n")
        self._prompt = prompt or ""

    @cached_property
    def prompt(self) -> Prompt | None:
        """The prompt as given, or as found in the echo or after the output."""
        given = read_prompt(self._prompt) if self._prompt else None
        if given:
            return given._replace(width=len(self._prompt))
        echoed = read_prompt(self._typed)
        if echoed and self._typed[echoed.width :].strip():
            return echoed
        return self._seen_in_output()

    @cached_property
    def command(self) -> str:
        """The command without a prompt before it."""
        echoed = read_prompt(self._typed)
        return self._typed[echoed.width :] if echoed and self._typed[echoed.width :].strip() else self._typed

    @cached_property
    def mode(self) -> Mode:
        """The mode it was typed in, if known."""
        return self.prompt.mode if self.prompt else guess_mode(self.before)

    @cached_property
    def words(self) -> list[str]:
        """The words of the command."""
        return _WORD.findall(self.command)

    @cached_property
    def caret(self) -> int | None:
        """The index of the word the caret points at."""
        mark = _CARET.search(self.output)
        if not mark or not self.prompt:
            return None
        column = len(mark[1]) - self.prompt.width
        if column < -1:
            return None
        ends = [word.end() for word in _WORD.finditer(self.command)]
        return next((at for at, end in enumerate(ends) if column < end), None)

    @cached_property
    def complaint(self) -> ParserComplaint | None:
        """The parser message at the start or end of the output, if any."""
        if not any(mark in self.output for mark in _MARKS):
            return None
        found = _COMPLAINT.search(self.output)
        if not found or not self._stands_alone(found):
            return None
        kind = found.lastgroup or "invalid"
        frr = kind == "unknown" or "command incomplete" in self.lowered or _is_unquoted(self.output, found)
        return ParserComplaint("invalid" if kind == "unknown" else kind, "frr" if frr else "ios")

    def _stands_alone(self, found: re.Match[str]) -> bool:
        before = self.output.count("\n", 0, found.start())
        after = self.output.count("\n", found.end())
        return before <= _NEAR_THE_EDGE or after <= _LAST_LINES

    def _seen_in_output(self) -> Prompt | None:
        first = self.output.lstrip("\n").partition("\n")[0]
        echoed = read_prompt(first)
        if echoed and first[echoed.width :].strip() == self.command.strip():
            return echoed
        last = self.output.rstrip().rpartition("\n")[2]
        after = read_prompt(last)
        return after if after and after.width == len(last) else None


def clean_output(text: str) -> str:
    """The text as a terminal would show it; only the start and end of a very long one."""
    if len(text) > _HEAD + _TAIL:
        text = text[:_HEAD] + "\n" + text[-_TAIL:]
    return strip_control_codes(text)


def strip_control_codes(text: str) -> str:
    """The text as a terminal would show it, without control codes and what was rubbed out."""
    if not _CONTROL.search(text):
        return text
    text = _CODES.sub("", re.sub("(?<!\r)\r+\n", "\n", text))
    if "\b" in text:
        text = _rubbed_out(text)
    return _PRINTED_CONTROL.sub("", text.replace("\r", "\n"))


def _rubbed_out(text: str) -> str:
    shown: list[str] = []
    for letter in text:
        if letter != "\b":
            shown.append(letter)
        elif shown and shown[-1] != "\n":
            shown.pop()
    return "".join(shown)


def _is_unquoted(output: str, found: re.Match[str]) -> bool:
    return found.lastgroup == "ambiguous" and output[found.end() : found.end() + 4].lstrip(": ")[:1] not in {'"', ""}
