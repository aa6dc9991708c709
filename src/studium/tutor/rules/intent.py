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

from studium.core.text.stop_words import stop_words
from studium.tutor.domain import Diagnosis, Intent, TypedCommand
from studium.tutor.rules.question import LONGEST, Question, is_device, plain_question, read_question

VISIBLE = 5
"""How many of the last commands a student still sees."""

_COMPLAINT = re.compile(r"^[^\S\n]*%\s?[A-Z][a-z]", re.MULTILINE)
_WORD = re.compile(r"[^\W\d_][\w'-]*|\d[\w./]*")


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
    clauses = read_question(question)
    has_error = has_visible_error(cli_history, diagnoses)
    if _is_trouble(question, clauses, has_error=has_error or unfinished):
        return "troubleshooting"
    if _is_lesson(clauses) and not (has_error and _is_about_this(clauses)):
        return "teaching"
    return "troubleshooting" if has_error else "ambiguous"


def has_visible_error(cli_history: Sequence[TypedCommand], diagnoses: Sequence[Diagnosis]) -> bool:
    """Whether an error is on the screen; notices do not count."""
    if any(found.metadata.get("severity") != "notice" for found in diagnoses):
        return True
    return any(_COMPLAINT.search(typed.output[:LONGEST]) for typed in cli_history[-VISIBLE:])


def subject_of(question: str) -> frozenset[str]:
    """The subject of a question; empty for `help`, `what next?`, `is this right?`."""
    clauses = read_question(question)
    return frozenset().union(*map(_subject, clauses)) if clauses else _telling(_words(question))


def is_about_progress(question: str) -> bool:
    """Whether a student asks about the own work: `is my setup right?`, `did i do that well?`."""
    return any(
        clause.kind == "yes_no" and clause.is_own and clause.lemmas & _lemmas("progress") - {"do"}
        for clause in read_question(question)
    )


def telling_words(text: str) -> frozenset[str]:
    """The words of a text that are neither vague nor names of devices."""
    return _telling(_words(text) - stop_words("en"))


def _is_trouble(question: str, clauses: Sequence[Question], *, has_error: bool) -> bool:
    """Whether a message is quoted, a fix requested, or a symptom of the student's own lab described."""
    if _messages().search(plain_question(question).lower()) or any(map(_is_call_for_help, clauses)):
        return True
    if not clauses:  # no English: the words that every language of networks has
        return bool(_words(question) & _lemmas("symptoms"))
    if not subject_of(question):
        return False
    if not any(map(_has_symptom, clauses)):
        return any(map(_is_observation, clauses)) and not _is_lesson(clauses)
    return has_error or any(clause.is_own for clause in clauses) or not _is_lesson(clauses)


def _is_call_for_help(clause: Question) -> bool:
    """Whether a clause says that it does not work, or asks to mend or inspect something."""
    if clause.is_denied and clause.verb == "work":
        return True
    if clause.lemmas & _lemmas("mending") and clause.kind in ("procedure", "request"):
        return True
    return (
        clause.is_own and clause.verb in _lemmas("inspecting") and clause.kind == "request" and bool(_subject(clause))
    )


def _has_symptom(clause: Question) -> bool:
    is_told = clause.kind == "report" and clause.verb in _lemmas("telling")
    return is_told or clause.is_denied or bool(clause.lemmas & _lemmas("symptoms"))


def _is_observation(clause: Question) -> bool:
    """Whether an observation is reported (`my pings show dots`), not progress or a wish."""
    return clause.kind == "report" and clause.is_own and not clause.lemmas & _lemmas("progress")


def _is_lesson(clauses: Sequence[Question]) -> bool:
    """Whether a clause asks for an explanation of something, and not only for a hint on it."""
    return any(clause.kind != "report" and "hint" not in clause.lemmas and _subject(clause) for clause in clauses)


def _is_about_this(clauses: Sequence[Question]) -> bool:
    """Whether a question is about what was just typed rather than about networks at large."""
    return any(clause.is_own or clause.kind == "procedure" for clause in clauses)


def _subject(clause: Question) -> frozenset[str]:
    return _telling(clause.content | clause.lemmas & _lemmas("symptoms"))


def _telling(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words - _lemmas("vague") if not is_device(word))


def _words(question: str) -> frozenset[str]:
    return frozenset(_WORD.findall(plain_question(question).lower()))


@cache
def _table() -> dict[str, list[str]]:
    table: dict[str, list[str]] = json.loads(files(__package__).joinpath("phrases.json").read_text("utf-8"))
    return table


@cache
def _messages() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(_table()['messages'])})(?!\w)")


@cache
def _lemmas(kind: str) -> frozenset[str]:
    return frozenset(_table()[kind])
