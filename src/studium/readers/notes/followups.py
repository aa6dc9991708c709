"""Follow-up questions: those with an answer are cards, the others food for thought.

## Follow-ups
- How does a stub area differ?
  It takes no external routes.
- **What is an ABR?** A router between areas.
### What is an ASBR?
A router to other protocols.
"""

import re
from collections.abc import Iterator

from studium.readers.notes.inline import has_separator
from studium.readers.notes.page import Draft, Heading, NotePage, dedented, spans

_ITEM = re.compile(r"(?P<indent>[ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+")
_BOLD = re.compile(r"(\*\*|__)(?P<question>.+?)\1[ \t]*[:–—-]?[ \t]*(?P<answer>.*)")
_ASKS = ("?", "？", "?**", "?__")


def follow_up_cards(page: NotePage, heading: Heading, end: int, language: str | None) -> Iterator[Draft]:
    """The cards of a section of follow-up questions."""
    below = [at for at in page.headings if heading.at < at < end]
    for at, following in spans(below, end):
        if answer := page.text(at + 1, following):
            last = page.last_text(at, following)
            yield Draft("basic", "follow_ups", page.headings[at].title, answer, at, last, language=language)
    yield from _items(page, heading.at + 1, below[0] if below else end, language)


def _items(page: NotePage, start: int, end: int, language: str | None) -> Iterator[Draft]:
    outer = [index for index in range(start, end) if (match := _ITEM.match(page.shown[index])) and not match["indent"]]
    for index, following in spans(outer, end):
        last = page.last_text(index, following)
        question, answer = _parted(page, index, last)
        if question and answer and not has_separator(page.shown[index]):
            yield Draft("basic", "follow_ups", question, answer, index, last, language=language)


def _parted(page: NotePage, index: int, end: int) -> tuple[str, str]:
    """The question of an item, and what is indented below it or stands behind it in the same line."""
    first = _ITEM.sub("", page.lines[index], count=1).strip()
    below = dedented(page.lines[index + 1 : end])
    if match := _BOLD.fullmatch(first):
        return match["question"].strip(), f"{match['answer']}\n{below}".strip()
    return (first, below) if first.endswith(_ASKS) else ("", "")
