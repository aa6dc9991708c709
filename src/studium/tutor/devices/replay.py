"""Devices that replay recorded answers, for use without a router."""

import re
from collections.abc import Sequence
from typing import Final

from studium.tutor.domain import Mode, TypedCommand
from studium.tutor.ios.modes import entered_mode, entered_place, read_prompt

_PLACE: Final = re.compile(r"\((?P<place>[\w.+-]+)\)[>#]|(?P<end>[>#])")
_DO: Final = re.compile(r"do\s+", re.IGNORECASE)
_WORD: Final = re.compile(r"(?P<letters>[a-z-]*+)(?P<rest>.*)")
_REFUSED: Final = re.compile(r"^[^\S\n]*%|Command rejected", re.MULTILINE)


class ReplayDevice:
    """A recorded device: returns the latest output of a command in the same mode."""

    def __init__(self, name: str, typed: Sequence[TypedCommand]) -> None:
        """Index the recording by mode and command."""
        self.name = name
        self._answers: dict[tuple[str, str], str] = {}
        for each in typed:
            command, place = _asked(each.command, _place(each.prompt))
            for where in (place, ""):
                self._answers.pop((where, command), None)
                self._answers[where, command] = each.output
        shown = [each.prompt.strip() for each in typed if each.prompt.strip()]
        self._hostname = _PLACE.split(shown[-1])[0] if shown else name
        self._place = "#"

    @property
    def prompt(self) -> str:
        """The current prompt, such as `R1(config-if)#`."""
        return self._hostname + (self._place if self._place in {">", "#"} else f"({self._place})#")

    def run(self, command: str, *, timeout: float = 10.0) -> str:  # noqa: ARG002 - a recording answers at once
        """The recorded output of a command, or a message that it was not recorded."""
        asked, place = _asked(command, self._place)
        if not asked:
            return ""
        answer = self._answer(asked, place)
        entered = _entered(asked, self.prompt) if place == self._place else None
        if entered and not (answer and _REFUSED.search(answer)):
            self._place = entered
            return answer or ""
        if answer is None:
            return f"(`{command.strip()}` was not recorded on {self.name}. {self._recorded()})"
        return answer

    def close(self) -> None:
        """Nothing to close."""

    def _answer(self, asked: str, place: str) -> str | None:
        """The latest output in this mode for this command or an abbreviation of it; else in any mode."""
        for where in (place, ""):
            if (where, asked) in self._answers:
                return self._answers[where, asked]
            near = (one for one in reversed(self._answers) if one[0] == where and _abbreviates(one[1], asked))
            if found := next(near, None):
                return self._answers[found]
        return None

    def _recorded(self) -> str:
        shows = sorted(command for place, command in self._answers if not place and command.startswith("show "))
        return f"Recorded are: {', '.join(shows[:12])}." if shows else "No show command was recorded."


def _place(prompt: str) -> str:
    found = _PLACE.search(prompt)
    return (found["place"] or found["end"]) if found else ""


def _asked(command: str, place: str) -> tuple[str, str]:
    """The normalized command and its mode: `do show …` runs in privileged mode."""
    words = _DO.sub("", command.strip(), count=1).lower().split()
    place = "#" if _DO.match(command.strip()) else place
    return " ".join(words), place


def _abbreviates(one: str, other: str) -> bool:
    """Whether two commands are the same up to abbreviation: `sh run`, `show running`."""
    words, others = one.split(), other.split()
    return len(words) == len(others) and all(map(_same_word, words, others))


def _same_word(one: str, other: str) -> bool:
    if one == other:
        return True
    mine, theirs = _WORD.fullmatch(one), _WORD.fullmatch(other)
    if not mine or not theirs or mine["rest"] != theirs["rest"]:
        return False
    shorter, longer = sorted((mine["letters"], theirs["letters"]), key=len)
    return bool(shorter) and longer.startswith(shorter)


def _entered(command: str, prompt: str) -> str | None:
    """How the prompt shows the mode that a command enters, or None."""
    shown = read_prompt(prompt)
    mode = shown.mode if shown else Mode.UNKNOWN
    # An unknown section is left like any other
    entered = entered_mode(command, Mode.INTERFACE_CONFIG if mode is Mode.UNKNOWN else mode)
    return entered_place(command, entered) if entered else None
