"""Obsidian's question callouts: the title asks, the text below answers.

> [!question] What does OSPF flood?     > [!faq]- What does OSPF flood?
> Link-state advertisements.            > > [!answer]
                                        > > Link-state advertisements.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from studium.core.domain.finding import Finding, Severity
from studium.readers.notes.page import Draft, NotePage

_OPENING = re.compile(r" {0,3}>[ \t]?\[!([\w-]+)(?:\|[^\]]*)?\][+-]?[ \t]*", re.IGNORECASE)
_QUOTE = re.compile(r"[ \t]*> ?")
_ASKING = frozenset({"question", "faq", "help", "flashcard", "card"})
_ANSWERING = frozenset({"answer", "success", "check", "done"})


class _Callout(NamedTuple):
    kind: str
    title: str
    body: list[str]
    end: int


def find_cards(page: NotePage) -> Iterator[Draft | Finding]:
    """Every question callout; one without an answer is an open question, and said as such."""
    index = page.header.body
    while index < len(page.shown):
        opened = _opened(page.lines, page.shown, index) if "[!" in page.shown[index] else None
        if opened and opened.kind in _ASKING:
            card = _card(page, index, opened)
            yield card
            index = card.end if isinstance(card, Draft) else opened.end
        else:
            index += 1


def _opened(lines: Sequence[str], shown: Sequence[str], index: int) -> _Callout | None:
    match = _OPENING.match(shown[index])
    if not match:
        return None
    end = index + 1
    while end < len(lines) and lines[end].lstrip().startswith(">"):
        end += 1
    body = [_QUOTE.sub("", line, count=1) for line in lines[index + 1 : end]]
    return _Callout(match[1].lower(), lines[index][match.end() :].strip(), body, end)


def _card(page: NotePage, index: int, asked: _Callout) -> Draft | Finding:
    question, answer = _parts(asked)
    end = asked.end
    if not answer and (reply := _reply(page, end)):
        question, answer, end = _joined(asked.title, *asked.body), _joined(reply.title, *reply.body), reply.end
    if question and answer:
        first = index if asked.title else page.first_text(index + 1, asked.end)
        return Draft("basic", "callouts", question, answer, first, end)
    message = "This question callout has no answer, so it makes no card. Write the answer into it to make one."
    return page.finding("question_without_answer", index, message, Severity.INFO)


def _parts(asked: _Callout) -> tuple[str, str]:
    """Question and answer: parted by a callout inside, by the title, or by the first empty line."""
    for at, line in enumerate(asked.body):
        inner = _opened(asked.body, asked.body, at) if "[!" in line else None
        if inner:
            return _joined(asked.title, *asked.body[:at]), _joined(inner.title, *inner.body, *asked.body[inner.end :])
    if asked.title:
        return asked.title, _joined(*asked.body)
    parting = next((at for at, line in enumerate(asked.body) if not line.strip()), len(asked.body))
    return _joined(*asked.body[:parting]), _joined(*asked.body[parting:])


def _reply(page: NotePage, index: int) -> _Callout | None:
    """An answer callout right below the question's."""
    at = page.first_text(index, len(page.shown))
    found = _opened(page.lines, page.shown, at) if at < len(page.shown) else None
    return found if found and found.kind in _ANSWERING else None


def _joined(*lines: str) -> str:
    return "\n".join(lines).strip()
