"""An answer to somebody who wants to understand: what the documents say, as deep as she can follow, and a question."""

import re
from collections.abc import Iterable, Iterator, Sequence

from studium.workflows.tutor.answering.sentences import (
    Sentence,
    best_of,
    continued,
    example_shown,
    heading_of,
    quoted,
    telling_sentences,
)
from studium.workflows.tutor.answering.troubleshooting import next_step
from studium.workflows.tutor.intent.routing import subject_of
from studium.workflows.tutor.skills import TeachGiven

DEPTH = {"novice": 70, "intermediate": 100, "advanced": 120}
"""So many words at once: who is new to a topic gets the core of it, who knows it also what lies beyond."""
CLUES = 2

_DOING = re.compile(r"\b(?:how (?:do|can|would|should|to)|command|syntax|configure|example)\b", re.IGNORECASE)
_NOTHING_FOUND = "The documents I have say nothing about this."
_ASK_WHERE = "What have you done so far, and what would you try next?"
_ASK_OTHERWISE = "Can you say it in other words, or name the command or protocol you mean?"


def teaching_answer(given: TeachGiven) -> str:
    """The answer, from the passages and the lab alone."""
    if not subject_of(given.question):
        return _joined(_way_on(given))
    told = telling_sentences(given.question, given.passages, _depth(given))
    return _joined(_told(given, told) if told else (_NOTHING_FOUND, next_step(given), _ASK_OTHERWISE))


def _joined(parts: Iterable[str]) -> str:
    return "\n\n".join(part for part in parts if part)


def _way_on(given: TeachGiven) -> Iterator[str]:
    """To somebody who asks for nothing in particular: where the lab stands."""
    yield f"The goal of this lab: {given.goal}" if given.goal else ""
    yield next_step(given)
    yield _ASK_WHERE if given.goal or given.open_checks else _ASK_OTHERWISE


def _depth(given: TeachGiven) -> int:
    return DEPTH.get(given.mastery_level, DEPTH["novice"])


def _told(given: TeachGiven, told: Sequence[Sentence]) -> Iterator[str]:
    best = best_of(told)
    source = next(passage for passage in given.passages if passage.number == best.number)
    topic = heading_of(source)
    if given.strategy == "socratic":
        yield quoted([each for each in told if each is not best][:CLUES])
        yield f"What would you say yourself: {_asked(given.question)} Then compare with “{topic}” [{source.number}]."
    elif given.strategy == "hint":
        yield quoted([best])
        yield f"Read on under “{topic}” [{source.number}]. What do you take from it?"
    elif given.strategy == "challenge":
        yield quoted(told)
        yield f"You know this well. With which command would you show “{topic}” at work on a router of this lab?"
    else:
        yield quoted(continued(told, given.passages, _depth(given)))
        yield example_shown(source) if _wants_example(given) else ""
        yield f"How would you put “{topic}” in your own words{', and where does this lab need it' * bool(given.lab)}?"


def _wants_example(given: TeachGiven) -> bool:
    """Those who ask how it is done want one, and those who are new to it."""
    return given.mastery_level == "novice" or bool(_DOING.search(given.question))


def _asked(question: str) -> str:
    return question.strip().rstrip("?!. ") + "?"
