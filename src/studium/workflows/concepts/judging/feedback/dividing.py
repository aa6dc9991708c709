"""Splitting a concept: which titles its parts have, and which of its quotes fall to each."""

import re

from studium.workflows.concepts.changes import Part
from studium.workflows.concepts.judging.feedback.marking import MARK, Marked
from studium.workflows.concepts.judging.feedback.phrases import is_vague
from studium.workflows.concepts.judging.feedback.sheet import Sheet
from studium.workflows.concepts.judging.halves import halves, shares
from studium.workflows.concepts.judging.words import content

_FEWEST_PARTS = 2
_COMMA = re.compile(r"\s*,\s*(?:(?:and|y|e)\s+)?")
_AND = re.compile(r"\s+(?:and|y|e)\s+", re.IGNORECASE)


def into_parts(sheet: Sheet, concept: str, titles: str | None, marked: Marked) -> tuple[Part, ...] | str:
    """The parts of a concept, or why there are none; without titles, those that its own title joins."""
    named = _titles(titles, marked) if titles else tuple(halves(sheet.ideas[concept].title) or ())
    named = tuple(dict.fromkeys(title[:1].upper() + title[1:] for title in named))
    if len(named) < _FEWEST_PARTS:
        return f"it is not clear into which parts {concept} is to be split; put each title in quotation marks"
    texts = {key: sheet.texts[key] for key in sheet.carried[concept]}
    taken = shares(texts, named)
    return tuple(
        Part(
            title=title, concept=_text(title, [texts[key] for key in keys]) or sheet.ideas[concept].concept, quotes=keys
        )
        for title, keys in zip(named, taken, strict=True)
    )


def _titles(text: str, marked: Marked) -> tuple[str, ...]:
    if marks := re.findall(MARK, text):
        return tuple(marked.inside(mark) for mark in marks)
    *first, last = _COMMA.split(text)
    pieces = _AND.split(last)
    # Without commas, `love and work and rest` may be two or three.
    named = (*first, *pieces) if first or len(pieces) == _FEWEST_PARTS else ()
    return () if any(is_vague(title) for title in named) else named


def _text(title: str, quotes: list[str]) -> str:
    """The quote that says most of the title."""
    wanted = content(title).keys()
    return max(quotes, key=lambda quote: len(wanted & content(quote).keys()), default="")
