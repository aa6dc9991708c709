"""inka's sections between two rules.

---
Deck: Life
Tags: learning

<!--ID:1625000000000-->
1. What is the answer?

> 42
---
"""

import re
from collections.abc import Iterator

from studium.core.domain.finding import Finding
from studium.readers.notes.bookkeeping import is_marker_line
from studium.readers.notes.cloze import as_anki_clozes
from studium.readers.notes.header import anki_tag
from studium.readers.notes.page import Draft, NotePage, spans, unquoted

_SIGN = re.compile(r"Deck:|Tags:|[ \t]*<!--ID:\d+-->")
_NUMBER = re.compile(r" {0,3}\d{1,9}\.[ \t]+")


def find_cards(page: NotePage) -> Iterator[Draft | Finding]:
    """The numbered questions of every section that has a deck, tags or ids; other rules are the note's own."""
    if not any(line.startswith(("Deck:", "Tags:", "<!--ID:")) for line in page.lines):
        return
    rules = [index for index in range(page.header.body, len(page.shown)) if page.rule(index)]
    opening: int | None = None
    for rule in rules:
        if opening is not None and _is_section(page, opening, rule):
            yield from _cards(page, opening + 1, rule)
            opening = None
        else:
            opening = rule


def _is_section(page: NotePage, start: int, end: int) -> bool:
    return any(_SIGN.match(line) for line in page.lines[start:end]) and any(
        _NUMBER.match(line) for line in page.shown[start:end]
    )


def _cards(page: NotePage, start: int, end: int) -> Iterator[Draft | Finding]:
    deck = _value(page, "Deck:", start, end) or None
    tags = tuple(anki_tag(tag) for tag in _value(page, "Tags:", start, end).split())
    numbers = [index for index in range(start, end) if _NUMBER.match(page.shown[index])]
    for number, following in spans(numbers, end):
        last = following
        while page.blank(last - 1) or is_marker_line(page.lines[last - 1]):
            last -= 1
        yield _card(page, number, last, deck, tags)


def _card(page: NotePage, start: int, end: int, deck: str | None, tags: tuple[str, ...]) -> Draft | Finding:
    answer = next((index for index in range(start, end) if page.shown[index].startswith(">")), end)
    lines, shown = list(page.lines[start:answer]), list(page.shown[start:answer])
    if answer < end:
        front = _NUMBER.sub("", "\n".join(lines), count=1).strip()
        return Draft("basic", "inka", front, unquoted(page.text(answer, end)), start, end, tags=tags, deck=deck)
    text = _NUMBER.sub("", as_anki_clozes(lines, shown, bare=True), count=1).strip()
    if "{{c" in text:
        return Draft("cloze", "inka", text, "", start, end, tags=tags, deck=deck)
    message = "This question has no answer. Write it below as a quote: `> answer`."
    return page.finding("question_without_answer", start, message)


def _value(page: NotePage, key: str, start: int, end: int) -> str:
    return next((line[len(key) :].strip() for line in page.lines[start:end] if line.startswith(key)), "")
