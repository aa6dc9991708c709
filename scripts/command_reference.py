#!/usr/bin/env python3
"""Asks a real FRR for its commands and writes the command reference that the tutor searches.

Run as root, with FRR installed: `scripts/command_reference.py src/studium/tutor/data/commands.jsonl`. The families of
commands that a student meets are in `command_families.tsv`: mode, the commands that lead there, the family.
"""

import csv
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

NAME = "studium-reference"
DAEMONS = ("zebra", "staticd", "ospfd", "ripd", "bgpd")
STATE, SETTINGS = Path("/var/run/frr", NAME), Path("/etc/frr", NAME)
MOST_FORMS, MOST_WORDS = 24, 40
ANYTHING = "\0 " * 40  # stands for the words that are still to come

# What stands in FRR's grammar but in no first book on networking.
_ODD = re.compile(
    r"vrf|view|json|instance|VRF|VIEW|multicast|vpn|flowspec|labeled|mpls|nexthop-group|babel|isis|nhrp|openfabric|vnc"
    r"|sharp|pbr|table-map|segment-routing|srte|bfd"
)
_LABEL = re.compile(r"\$\w+")
_TOKEN = re.compile(r"[\[\]<>{}|]|[^\s\[\]<>{}|]+")
_HELP = re.compile(r"  (\S+)  +(\S.*?)\s*")


class Family(NamedTuple):
    """Commands that begin alike, the mode they are typed in, and what to type to get there."""

    mode: str
    way: tuple[str, ...]
    name: str


@contextmanager
def running() -> Iterator[None]:
    """A router with nothing on it, in a namespace of its own, for as long as it is asked."""
    _run("ip", "netns", "add", NAME)
    try:
        for folder in (STATE, SETTINGS):
            folder.mkdir(parents=True, exist_ok=True)
            shutil.chown(folder, "frr", "frr")
        for daemon in DAEMONS:
            _run("ip", "netns", "exec", NAME, f"/usr/lib/frr/{daemon}", "-d", "-N", NAME, "-A", "127.0.0.1")
        yield
    finally:
        for pid in STATE.glob("*.pid"):
            _run("kill", pid.read_text().strip())
        time.sleep(0.5)
        _run("ip", "netns", "delete", NAME)
        for folder in (STATE, SETTINGS):
            shutil.rmtree(folder, ignore_errors=True)


def families() -> list[Family]:
    """The families that the reference is to hold."""
    lines = Path(__file__).with_name("command_families.tsv").read_text("utf-8").splitlines()
    return [
        Family(mode, tuple(step for step in way.split("; ") if step), name)
        for mode, way, name in csv.reader(lines, delimiter="\t")
    ]


def described(family: Family) -> dict[str, object]:
    """One line of the reference: the family's forms, what its words mean, and what may follow."""
    words = family.name.split()
    about = [_help(family, words[:at]).get(word, "") for at, word in enumerate(words)]
    forms = [plain(form) for form in _listed(family.mode, family.way) if begins(form, words)]
    following = {word: said for word, said in _help(family, words).items() if not _ODD.search(word) and word != "<cr>"}
    return {
        "command": family.name,
        "mode": family.mode,
        "way": list(family.way),
        "about": [said for said in about if said],
        "forms": sorted(set(forms), key=lambda form: (len(form), form))[:MOST_FORMS],
        "words": dict(list(following.items())[:MOST_WORDS]),
    }


def begins(form: str, words: list[str]) -> bool:
    """Whether a form of FRR's grammar, or its `no`, can begin with these words."""
    pattern = "".join(_as_pattern(token) for token in _TOKEN.findall(_LABEL.sub("", form)))
    wanted = " ".join(words) + " "
    return any(
        (match := re.match(pattern, negation + wanted + ANYTHING)) and match.end() >= len(negation + wanted)
        for negation in ("", "no ")
    )


def plain(form: str) -> str:
    """A form without FRR's names for its arguments and without the options that no student meets."""
    said = _LABEL.sub("", form)
    for group in re.findall(r"\s*\[(?:[^\[\]]|\[[^\[\]]*\])*\]", said):
        if _ODD.search(group):
            said = said.replace(group, "", 1)
    return " ".join(said.split())


def _as_pattern(token: str) -> str:
    special = {"[": "(?:", "]": ")?", "<": "(?:", ">": ")", "{": "(?:", "}": ")+", "|": "|"}
    return special.get(token) or rf"(?:{re.escape(token)} |\0 )"


@cache
def _listed(mode: str, way: tuple[str, ...]) -> list[str]:
    return [line.strip() for line in _ask(mode, way, "list") if line.startswith("  ")]


def _help(family: Family, words: list[str]) -> dict[str, str]:
    lines = _ask(family.mode, family.way, " ".join([*words, "?"]))
    return {match[1]: match[2] for line in lines if (match := _HELP.fullmatch(line))}


@cache
def _ask(mode: str, way: tuple[str, ...], question: str) -> list[str]:
    steps = (*(("configure terminal",) if mode != "privileged_exec" else ()), *way, question)
    typed = [part for step in steps for part in ("-c", step)]
    return _run("ip", "netns", "exec", NAME, "vtysh", "-N", NAME, *typed).splitlines()


def _run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60).stdout  # noqa: S603


def main() -> None:
    """Write the reference to the file that is named."""
    with running():
        reference = [described(family) for family in families()]
    if unknown := [family["command"] for family in reference if not family["forms"]]:
        sys.exit(f"FRR knows nothing of {unknown}; nothing was written. Is it installed, and are you root?")
    lines = [json.dumps(family, ensure_ascii=False) for family in reference]
    Path(sys.argv[1]).write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
