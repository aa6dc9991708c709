"""Answers rest on passages: each is shown with a number, and only numbers that were shown may be cited."""

import re
from collections.abc import Sequence

from studium.workflows.tutor.skills import PassageShown
from studium.workflows.tutor.state import Citation

_CITED = re.compile(r"\s?\[(\d{1,2})\]")


def passages_shown(citations: Sequence[Citation], texts: Sequence[str]) -> tuple[PassageShown, ...]:
    """The passages as a mind sees them."""
    return tuple(
        PassageShown(number=each.number, source=": ".join(filter(None, (each.source, each.heading))), text=text)
        for each, text in zip(citations, texts, strict=True)
    )


def cited(text: str, citations: Sequence[Citation]) -> tuple[str, list[Citation]]:
    """The text without citations of what was never shown, and the passages that it cites."""
    known = {each.number: each for each in citations}
    text = _CITED.sub(lambda found: found[0] if int(found[1]) in known else "", text)
    named = dict.fromkeys(int(number) for number in _CITED.findall(text))
    return text, [known[number] for number in named]
