"""Prompts of IOS, IOS-XE and FRR at the beginning of a line, told from output that looks like one."""

import re
from typing import NamedTuple

_PROMPT = re.compile(
    r"(?P<prompt>(?P<name>[A-Za-z](?:[\w.@:/+-]{0,61}\w)?)(?P<place>\((?:config|vlan|dhcp)[\w.+-]{0,40}\))?(?P<end>[>#]))"
    r"(?P<command>.*)"
)
_TYPED = re.compile(r" ?(?:[A-Za-z?!;^]\S*(?: .*)?)?\s*")
_HOSTNAME = re.compile(r"\s*host\w*\s+(?P<name>\S+)\s*", re.IGNORECASE)
_LOG = re.compile(
    r"[*.]?(?:[A-Z][a-z]{2} {1,2}\d{1,2} (?:\d{4} )?\d\d:\d\d:\d\d|\d\d:\d\d:\d\d|\d{4}/\d\d/\d\d \d\d:\d\d:\d\d)"
    r"[^:]{0,20}: |%[A-Z][A-Z0-9_]+-\d-[A-Z0-9_]+:"
)


class PromptLine(NamedTuple):
    """A line of a recording that begins with a prompt."""

    prompt: str
    device: str
    command: str


class Prompts:
    """Knows the devices that have spoken so far, and so which lines are theirs."""

    def __init__(self) -> None:
        """Begin with no device known."""
        self._known: set[str] = set()

    def read(self, line: str) -> PromptLine | None:
        """The prompt and the command of a line, or None if it is output."""
        found = _PROMPT.match(line)
        if not found or not (found["name"] in self._known or _is_believable(found)):
            return None
        self._known.add(found["name"])
        renamed = _HOSTNAME.fullmatch(found["command"])
        if renamed:
            self._known.add(renamed["name"])
        return PromptLine(found["prompt"], found["name"], found["command"].strip())


def log_in(text: str) -> int | None:
    """Where a log message begins that a device printed into a line, or None."""
    found = _LOG.search(text)
    return found.start() if found else None


def _is_believable(found: re.Match[str]) -> bool:
    """A routing table has lines such as `S>* 10.0.0.0/8` and `r>i10.1.0.0`: a new name must look like one."""
    if found["place"]:
        return True
    if len(found["name"]) == 1 and found["end"] == ">":
        return False
    return bool(_TYPED.fullmatch(found["command"]) or _LOG.match(found["command"]))
