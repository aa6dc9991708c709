"""The feedback rule: plain instructions in English and Spanish put into changes; nothing is guessed."""

from collections.abc import Sequence
from typing import NamedTuple

from studium.core.domain.skill import Tool
from studium.workflows.concepts.changes import Change
from studium.workflows.concepts.judging.feedback.following import FOLLOW, Asked
from studium.workflows.concepts.judging.feedback.marking import Marked, instructions, plain_instruction
from studium.workflows.concepts.judging.feedback.phrases import orders
from studium.workflows.concepts.judging.feedback.sheet import Sheet
from studium.workflows.concepts.skills import Changes, FeedbackGiven

UNDERSTOOD = (
    "The rules understand: merge c1 and c2; reject, approve or restore c3; rename c3 to “…”; c3 should say “…”;"
    " split c3 into “…” and “…”; move q5 to c2; add q5 to c2; remove q5 from c2; c1 opposes c2 (or another relation);"
    " remove the relation between c1 and c2"
)


class Understood(NamedTuple):
    """One instruction, word for word, the changes it comes to, and why it comes to none."""

    words: str
    changes: tuple[Change, ...] = ()
    why_not: str = ""


def feedback(given: FeedbackGiven, _tools: Sequence[Tool]) -> Changes:
    """Follow the instructions that are understood; `not_done` says the others word for word."""
    sheet = Sheet(given.concepts, given.quotes, given.relations)
    read = understand(given.feedback, sheet)
    changes = tuple(dict.fromkeys(change for each in read for change in each.changes))
    not_done = "; ".join(
        f"“{each.words}” ({each.why_not})" if each.why_not else f"“{each.words}”" for each in read if not each.changes
    )
    return Changes(changes=changes, not_done=f"{UNDERSTOOD}. Not understood: {not_done}" if not_done else "")


def understand(text: str, sheet: Sheet) -> tuple[Understood, ...]:
    """The instructions of a text, each with what it comes to; words of politeness alone are none."""
    marked = Marked(text)
    read = ((each, plain_instruction(each)) for each in instructions(marked.text))
    return tuple(_follow(marked.whole(each), plain, Asked({}, marked, sheet)) for each, plain in read if plain)


def _follow(words: str, plain: str, asked: Asked) -> Understood:
    why_not = ""
    for order in orders():
        match = order.pattern.fullmatch(plain)
        if match is None:
            continue
        fault = asked.sheet.why_not(match, asked.marked)
        followed = fault or FOLLOW[order.name](asked._replace(slots=match.groupdict()))
        if not isinstance(followed, str):
            return Understood(words, followed)
        why_not = why_not or followed
    return Understood(words, (), why_not)
