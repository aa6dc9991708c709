"""Which commands may reach a router; others are refused before they are sent.

The rules are in policy.json. Any abbreviation of a word matches; `deb(ug)` needs at least `deb`, because fewer
letters mean something harmless, and `*` is any word.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class RefusalRule:
    """Commands that are refused, by their first words, and why."""

    refused: re.Pattern[str]
    unless: re.Pattern[str] | None
    why: str

    def refuses(self, command: str) -> bool:
        """Whether a command, shortened or not, is one of these."""
        return bool(self.refused.match(command)) and not (self.unless and self.unless.match(command))


@dataclass(frozen=True)
class CommandPolicy:
    """The rules, the filters that may follow a `|`, and how long a line may be."""

    longest: int
    pipes: tuple[str, ...]
    rules: tuple[RefusalRule, ...]

    def refusal(self, command: str) -> str | None:
        """Why a line is refused, or None."""
        why = self._form(command) or self._content(command)
        return f"% Not allowed here: {why}." if why else None

    def permitted(self, configuration: str) -> str:
        """A configuration without the refused lines."""
        return "\n".join(line for line in configuration.splitlines() if not self._content(line)) + "\n"

    def _form(self, command: str) -> str | None:
        if len(command) > self.longest:
            return f"a line has at most {self.longest} characters"
        if not command.isprintable():
            return "one line at a time, without control characters"
        if ";" in command:
            return "`;` joins the commands of a shell, and this is a router; type one command at a time"
        if re.match(r"\s*![^\s!]", command):
            return "`!` begins a comment here, it starts no program"
        _, pipe, filters = command.partition("|")
        if pipe and (filters.split() or [""])[0] not in self.pipes:
            return f"after `|` only `{'`, `'.join(self.pipes)}` may follow"
        return None

    def _content(self, command: str) -> str | None:
        typed = re.sub(r"^(?:do\s+)+", "", " ".join(command.lower().split()))
        return next((rule.why for rule in self.rules if rule.refuses(typed)), None)


@cache
def load_policy() -> CommandPolicy:
    """Load the shipped policy."""
    written = json.loads(Path(__file__).with_name("policy.json").read_text())
    rules = tuple(_rule(rule) for rule in written["refused"])
    return CommandPolicy(written["longest"], tuple(written["pipes"]), rules)


def _rule(written: dict[str, Sequence[str]]) -> RefusalRule:
    unless = written.get("unless")
    return RefusalRule(_any_of(written["commands"]), _any_of(unless) if unless else None, str(written["why"]))


def _any_of(commands: Iterable[str]) -> re.Pattern[str]:
    """A pattern for commands typed in full or shortened."""
    return re.compile("|".join(" ".join(_shortened(word) for word in command.split()) for command in commands))


def _shortened(word: str) -> str:
    if word == "*":
        return r"\S+"
    must, _, may = word.rstrip(")").partition("(")
    if not may:
        must, may = word[0], word[1:]
    ending = ""
    for letter in reversed(may):
        ending = f"(?:{re.escape(letter)}{ending})?"
    return rf"{re.escape(must)}{ending}(?!\S)"
