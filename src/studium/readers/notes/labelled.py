"""Questions and answers behind labels.

    Q: What does OSPF flood?          **Вопрос:** Что рассылает OSPF?
    A: Link-state advertisements.     **Ответ:** Состояния каналов.

The answer goes on over blank lines, so that it may hold lists and code. A heading, a rule, an id or
another card ends it.
"""

import re
from collections.abc import Iterator
from textwrap import dedent
from typing import NamedTuple

from studium.core.domain.finding import Finding
from studium.readers.notes.bookkeeping import is_marker_line
from studium.readers.notes.inline import has_separator
from studium.readers.notes.page import TAKEN, Draft, NotePage

_LABEL = re.compile(
    r"(?P<lead> {0,3}>[ \t]?|[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+|[ \t]*)"
    r"(?P<bold>\*\*|__)?(?:(?P<q>Q|Question|Вопрос)|(?P<a>A|Answer|Ответ))"
    r"(?:(?(bold)(?P=bold)):|:(?(bold)(?P=bold)))(?=[ \t]|$)[ \t]*"
)
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_OPENS_CARD = re.compile(
    r"START(?:I\b|$)|> ?\[!(?:question|faq|help|flashcard|card)\]|.*(?<!\S)#(?:flash)?card\b", re.IGNORECASE
)


class _Label(NamedTuple):
    at: int
    asks: bool
    lead: str
    text_at: int


def find_cards(page: NotePage) -> Iterator[Draft | Finding]:
    """Every question with the answer that follows it; what has only one of the two is said."""
    question: _Label | None = None
    for label in _labels(page):
        if question and (label.asks or _parted(page, question.at, label.at)):
            yield _unanswered(page, question)
            question = None
        if label.asks:
            question = label
        elif question:
            yield from _card(page, question, label)
            question = None
        else:
            message = "This answer has no question. Write `Q:` and the question on a line above it."
            yield page.finding("answer_without_question", label.at, message)
    if question:
        yield _unanswered(page, question)


def _labels(page: NotePage) -> Iterator[_Label]:
    for index, line in enumerate(page.shown):
        if ":" in line and (match := _LABEL.match(line)):
            yield _Label(index, match["q"] is not None, match["lead"], match.end())


def _parted(page: NotePage, start: int, end: int) -> bool:
    return any(page.heading_at(index) or page.shown[index][:1] == TAKEN for index in range(start, end))


def _card(page: NotePage, question: _Label, answer: _Label) -> Iterator[Draft | Finding]:
    end = _answer_end(page, question, answer)
    front, back = _said(page, question, answer.at), _said(page, answer, end)
    if front and back:
        asked = question.at if page.lines[question.at][question.text_at :].strip() else question.at + 1
        asked = page.first_text(asked, answer.at)
        last = page.last_text(answer.at, end)
        yield Draft("basic", "labelled", front, back, question.at, last, asked=asked)
    elif back:
        message = "This answer has an empty question. Write the question behind `Q:`."
        yield page.finding("answer_without_question", question.at, message)
    else:
        yield _unanswered(page, question)


def _answer_end(page: NotePage, question: _Label, answer: _Label) -> int:
    """The line on which the answer is over."""
    quoted = answer.lead.lstrip().startswith(">")
    in_list = question.lead.strip() not in ("", ">")
    for index in range(answer.at + 1, len(page.shown)):
        line = page.shown[index]
        if quoted and not line.lstrip().startswith(">"):
            return index
        if line[:1] == TAKEN or (":" in line and _LABEL.match(line)):
            return index
        if is_marker_line(page.lines[index]) or page.heading_at(index) or page.rule(index):
            return index
        if in_list and _leaves_item(line, question.lead, after_blank=page.blank(index - 1)):
            return index
        if page.blank(index - 1) and (_OPENS_CARD.match(line) or has_separator(line)):
            return index
    return len(page.shown)


def _leaves_item(line: str, lead: str, *, after_blank: bool) -> bool:
    """An answer in a list ends with its item: at the next one, or where the indentation ends."""
    indented = len(line) - len(line.lstrip())
    if not line.strip() or indented > len(lead) - len(lead.lstrip()):
        return False
    return after_blank or _ITEM.match(line) is not None


def _said(page: NotePage, label: _Label, end: int) -> str:
    """The text behind a label and on the lines below it, without the marks of the quote that holds it."""
    first, rest = page.lines[label.at][label.text_at :], page.lines[label.at + 1 : end]
    if label.lead.lstrip().startswith(">"):
        rest = [re.sub(r"^[ \t]*> ?", "", line) for line in rest]
    below = dedent("\n".join(rest))
    return f"{first.strip()}\n{below}".strip()


def _unanswered(page: NotePage, question: _Label) -> Finding:
    message = "This question has no answer. Write `A:` and the answer on a line below it."
    return page.finding("question_without_answer", question.at, message)
