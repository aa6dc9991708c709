"""Devices that replay recorded answers, for use without a router."""

import re
from collections.abc import Sequence
from typing import Final

from studium.tutor.domain import TypedCommand

_PLACE: Final = re.compile(r"\((?P<place>[\w.+-]+)\)[>#]|(?P<end>[>#])")
_DO: Final = re.compile(r"do\s+", re.IGNORECASE)
_WORD: Final = re.compile(r"(?P<letters>[a-z-]*)(?P<rest>.*)")
_MOVES: Final = (
    (re.compile(r"en(a(b(l(e)?)?)?)?"), ">", "#"),
    (re.compile(r"disa\w*"), "#", ">"),
    (re.compile(r"conf\w* t\w*|conf\w*"), "#", "config"),
)
_SECTIONS: Final = (
    (re.compile(r"int\w* ?\S* ?\S*\d\.\d+"), "config-subif"),
    (re.compile(r"int\w* \S"), "config-if"),
    (re.compile(r"router \S"), "config-router"),
    (re.compile(r"line? \S"), "config-line"),
    (re.compile(r"vlan \d"), "config-vlan"),
    (re.compile(r"ip dhcp po\w* \S"), "dhcp-config"),
    (re.compile(r"ip access-l\w* s\S* \S"), "config-std-nacl"),
    (re.compile(r"ip access-l\w* e\S* \S"), "config-ext-nacl"),
)
_REFUSED: Final = re.compile(r"^\s*%|Command rejected", re.MULTILINE)


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

    def run(self, command: str, *, timeout: float = 10.0) -> str:  # noqa: ARG002 - a recording never lets one wait
        """The recorded output of a command, or a message that it was not recorded."""
        asked, place = _asked(command, self._place)
        if not asked:
            return ""
        answer = self._answer(asked, place)
        entered = _entered(asked, self._place) if place == self._place else None
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


def _entered(command: str, place: str) -> str | None:
    """The mode that a command enters, or None."""
    if place in {">", "#"}:
        return next((there for pattern, here, there in _MOVES if here == place and pattern.fullmatch(command)), None)
    if command in {"end", "^z"}:
        return "#"
    if command in {"exit", "ex", "exi", "quit"}:
        return "#" if place == "config" else "config"
    return next((section for pattern, section in _SECTIONS if pattern.match(command)), None)
