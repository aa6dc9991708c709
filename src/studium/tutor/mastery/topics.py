"""Topics: what a mistake or a question is about."""

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

GENERAL = "cli"
"""The topic of everything that has no other: whoever types has to do with the command line."""


@cache
def topics() -> tuple[str, ...]:
    """Every topic that is followed."""
    return tuple(_table())


def topic_of_error(error_type: str) -> str:
    """The topic that a mistake belongs to: as the table says, or as its name does (`OSPF_AREA_MISMATCH`)."""
    listed = _by_error().get(error_type)
    named = error_type.lower().split("_")
    return listed or next((topic for topic in topics() if topic in named), GENERAL)


def topic_of_question(question: str, lab_topics: Sequence[str] = ()) -> str:
    """The topic that a question speaks of most; if of none, the lab's first."""
    asked = question.lower()
    spoken = {topic: _weight(words, asked) for topic, words in _words().items()}
    best = max(spoken, key=lambda topic: (spoken[topic], topic in lab_topics))
    if spoken[best]:
        return best
    return lab_topics[0] if lab_topics else GENERAL


def _weight(words: re.Pattern[str], asked: str) -> int:
    """Longer words tell more: `default route` outweighs `route`, `subnet mask` outweighs `address`."""
    return sum(len(found[0]) for found in words.finditer(asked))


@cache
def _table() -> dict[str, dict[str, list[str]]]:
    table: dict[str, dict[str, list[str]]] = json.loads(files(__package__).joinpath("topics.json").read_text("utf-8"))
    return table


@cache
def _by_error() -> dict[str, str]:
    return {error: topic for topic, entry in _table().items() for error in entry["errors"]}


@cache
def _words() -> dict[str, re.Pattern[str]]:
    return {topic: _any_of(entry["words"]) for topic, entry in _table().items()}


def _any_of(words: Sequence[str]) -> re.Pattern[str]:
    """Any of the words, the longest first; in the plural too, but not as the beginning of another word."""
    longest_first = sorted(map(re.escape, words), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(longest_first)})(?:e?s)?(?![a-z])")
