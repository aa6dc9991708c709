"""Classify a question as teaching, troubleshooting or ambiguous.

What is a wildcard mask?             teaching
Why can't I ping 10.0.0.2?           troubleshooting
help                                 ambiguous, and troubleshooting as soon as an error is on the screen
"""

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from studium.tutor.domain import Diagnosis, Intent, TypedCommand

VISIBLE = 5
"""How many of the last commands a student still sees."""
LONGEST = 2000
"""How many characters of a question are read: longer ones are pasted logs."""

_COMPLAINT = re.compile(r"^[^\S\n]*%\s?[A-Z][a-z]", re.MULTILINE)
_APOSTROPHES = str.maketrans("’‘`", "'''")
_CLIPPED = re.compile(r"\b(don|doesn|didn|isn|aren|won|can|couldn|wasn|hasn|haven)t\b")
_WORD = re.compile(r"[a-z][\w'-]*|\d[\w./]*")
_CLAUSE_END = re.compile(r"[,;:.!?]\s+")
_DEVICE = re.compile(r"(?:r|s|sw|h|pc|host|router)\d*")


def classify_intent(
    question: str,
    cli_history: Sequence[TypedCommand] = (),
    diagnoses: Sequence[Diagnosis] = (),
    *,
    unfinished: bool = False,
) -> Intent:
    """Classify the intent of a question.

    In a lab that runs and is `unfinished`, a symptom is one of its routers.
    """
    asked = _plain(question)
    has_error = has_visible_error(cli_history, diagnoses)
    if _is_trouble(asked, has_error=has_error or unfinished):
        return "troubleshooting"
    if _is_lesson(asked) and not (has_error and _is_about_this(asked)):
        return "teaching"
    return "troubleshooting" if has_error else "ambiguous"


def has_visible_error(cli_history: Sequence[TypedCommand], diagnoses: Sequence[Diagnosis]) -> bool:
    """Whether an error is on the screen; notices do not count."""
    if any(found.metadata.get("severity") != "notice" for found in diagnoses):
        return True
    return any(_COMPLAINT.search(typed.output[:LONGEST]) for typed in cli_history[-VISIBLE:])


def subject_of(question: str) -> frozenset[str]:
    """The subject of a question; empty for `help`, `what next?`, `is this right?`."""
    return _subject(_plain(question))


def _plain(question: str) -> str:
    asked = question[:LONGEST].strip().lower().translate(_APOSTROPHES)
    asked = _CLIPPED.sub(r"\1't", asked)
    asked = asked.replace("whats ", "what's ").replace("wheres ", "where's ")
    while courtesy := _phrases("courtesies").match(asked):
        asked = asked[courtesy.end() :]
    return asked


def _is_trouble(asked: str, *, has_error: bool) -> bool:
    """Whether a message is quoted, a fix requested, or a symptom of the student's own lab described."""
    if _phrases("announced").search(asked):
        return True
    if not _subject(asked):
        return False
    if not _phrases("symptoms").search(asked):
        return _is_observation(asked)
    return has_error or bool(_phrases("own").search(asked)) or not _is_lesson(asked)


def _is_observation(asked: str) -> bool:
    """Whether an observation is reported (`my pings show dots`), not progress or a wish."""
    return (
        asked.startswith(("my ", "i see ", "i get "))
        and not _phrases("reports").search(asked)
        and not _is_lesson(asked)
    )


def _is_lesson(asked: str) -> bool:
    """Whether a clause asks for an explanation of something."""
    is_question = any(map(_phrases("openers").match, _CLAUSE_END.split(asked)))
    return bool((is_question or _phrases("lessons").search(asked)) and _subject(asked))


def _is_about_this(asked: str) -> bool:
    """Whether a question is about what was just typed rather than about networks at large."""
    return bool(_phrases("own").search(asked) or _phrases("procedures").match(asked))


def _subject(asked: str) -> frozenset[str]:
    words = frozenset(_WORD.findall(asked)) - _vague()
    return frozenset(word for word in words if not _DEVICE.fullmatch(word))


@cache
def _table() -> dict[str, list[str]]:
    table: dict[str, list[str]] = json.loads(files(__package__).joinpath("phrases.json").read_text("utf-8"))
    return table


@cache
def _phrases(kind: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(_table()[kind])})(?!\w)" if kind != "courtesies" else _courtesies())


def _courtesies() -> str:
    return "|".join(_table()["courtesies"])


@cache
def _vague() -> frozenset[str]:
    return frozenset(_table()["vague"])
