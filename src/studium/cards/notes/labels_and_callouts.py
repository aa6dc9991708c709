"""Cards with labels (`Q:` and `A:`), and question callouts (`> [!question]`).

    Q: What does OSPF flood?          **Вопрос:** Что рассылает OSPF?
    A: Link-state advertisements.     **Ответ:** Состояния каналов.

An answer may have blank lines, so that it can contain lists and code; a heading, a rule, an id or another card ends it.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from textwrap import dedent
from typing import NamedTuple

from studium.cards.notes.line_syntaxes import has_separator
from studium.cards.notes.page import TAKEN_MARK, FoundCard, NotePage, is_marker_line
from studium.core.domain.finding import Finding, Severity

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


def find_labelled_cards(page: NotePage) -> Iterator[FoundCard | Finding]:
    """Every question with the answer after it, and a finding where one of them is missing."""
    question: _Label | None = None
    for label in _labels(page):
        if question and (label.asks or _split_labels(page, question.at, label.at)):
            yield _unanswered(page, question)
            question = None
        if label.asks:
            question = label
        elif question:
            yield from _labelled_card(page, question, label)
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


def _split_labels(page: NotePage, start: int, end: int) -> bool:
    return any(page.heading_at(index) or page.shown[index][:1] == TAKEN_MARK for index in range(start, end))


def _labelled_card(page: NotePage, question: _Label, answer: _Label) -> Iterator[FoundCard | Finding]:
    end = _answer_end(page, question, answer)
    front, back = _label_text(page, question, answer.at), _label_text(page, answer, end)
    if front and back:
        asked = question.at if page.lines[question.at][question.text_at :].strip() else question.at + 1
        asked = page.first_text(asked, answer.at)
        last = page.last_text(answer.at, end)
        yield FoundCard("basic", "labelled", front, back, question.at, last, asked=asked)
    elif back:
        message = "This answer has an empty question. Write the question after `Q:`."
        yield page.finding("answer_without_question", question.at, message)
    else:
        yield _unanswered(page, question)


def _answer_end(page: NotePage, question: _Label, answer: _Label) -> int:
    """The line where the answer ends."""
    quoted = answer.lead.lstrip().startswith(">")
    in_list = question.lead.strip() not in ("", ">")
    for index in range(answer.at + 1, len(page.shown)):
        line = page.shown[index]
        if quoted and not line.lstrip().startswith(">"):
            return index
        if line[:1] == TAKEN_MARK or (":" in line and _LABEL.match(line)):
            return index
        if is_marker_line(page.lines[index]) or page.heading_at(index) or page.rule(index):
            return index
        if in_list and _leaves_item(line, question.lead, after_blank=page.blank(index - 1)):
            return index
        if page.blank(index - 1) and (_OPENS_CARD.match(line) or has_separator(line)):
            return index
    return len(page.shown)


def _leaves_item(line: str, lead: str, *, after_blank: bool) -> bool:
    """Whether a line ends the list item: it is the next item, or is not indented."""
    indented = len(line) - len(line.lstrip())
    if not line.strip() or indented > len(lead) - len(lead.lstrip()):
        return False
    return after_blank or _ITEM.match(line) is not None


def _label_text(page: NotePage, label: _Label, end: int) -> str:
    """The text after a label and on the lines below it, without quote marks."""
    first, rest = page.lines[label.at][label.text_at :], page.lines[label.at + 1 : end]
    if label.lead.lstrip().startswith(">"):
        rest = [re.sub(r"^[ \t]*> ?", "", line) for line in rest]
    below = dedent("\n".join(rest))
    return f"{first.strip()}\n{below}".strip()


def _unanswered(page: NotePage, question: _Label) -> Finding:
    message = "This question has no answer. Write `A:` and the answer on a line below it."
    return page.finding("question_without_answer", question.at, message)


_OPENING = re.compile(r" {0,3}>[ \t]?\[!([\w-]+)(?:\|[^\]]*)?\][+-]?[ \t]*", re.IGNORECASE)
_ASKING = frozenset({"question", "faq", "help", "flashcard", "card"})
_ANSWERING = frozenset({"answer", "success", "check", "done"})


class _Callout(NamedTuple):
    title: str
    body: list[str]
    end: int


def find_callout_cards(page: NotePage) -> Iterator[FoundCard | Finding]:
    """Every question callout; one without an answer becomes a finding."""
    index = page.header.body
    while index < len(page.shown):
        opened = _opened(page.lines, page.shown, index, _ASKING) if "[!" in page.shown[index] else None
        if opened:
            card = _callout_card(page, index, opened)
            yield card
            index = card.end if isinstance(card, FoundCard) else opened.end
        else:
            index += 1


def _opened(
    lines: Sequence[str], shown: Sequence[str], index: int, kinds: Collection[str] | None = None
) -> _Callout | None:
    """The callout that opens on this line, if it is of these kinds (of any, if none are given)."""
    match = _OPENING.match(shown[index])
    if not match or (kinds is not None and match[1].lower() not in kinds):
        return None
    end = index + 1
    while end < len(lines) and lines[end].lstrip().startswith(">"):
        end += 1
    body = [line.lstrip().removeprefix(">").removeprefix(" ") for line in lines[index + 1 : end]]
    return _Callout(lines[index][match.end() :].strip(), body, end)


def _callout_card(page: NotePage, index: int, asked: _Callout) -> FoundCard | Finding:
    question, answer = _callout_parts(asked)
    end = asked.end
    if not answer and (reply := _reply(page, end)):
        question, answer, end = _joined(asked.title, *asked.body), _joined(reply.title, *reply.body), reply.end
    if question and answer:
        first = index if asked.title else page.first_text(index + 1, asked.end)
        return FoundCard("basic", "callouts", question, answer, first, end)
    message = "This question callout has no answer, so it makes no card. Write the answer into it to make one."
    return page.finding("question_without_answer", index, message, Severity.INFO)


def _callout_parts(asked: _Callout) -> tuple[str, str]:
    """Question and answer, separated by an inner callout, by the title, or by the first empty line."""
    for at, line in enumerate(asked.body):
        inner = _opened(asked.body, asked.body, at) if "[!" in line else None
        if inner:
            return _joined(asked.title, *asked.body[:at]), _joined(inner.title, *inner.body, *asked.body[inner.end :])
    if asked.title:
        return asked.title, _joined(*asked.body)
    gap = next((at for at, line in enumerate(asked.body) if not line.strip()), len(asked.body))
    return _joined(*asked.body[:gap]), _joined(*asked.body[gap:])


def _reply(page: NotePage, index: int) -> _Callout | None:
    """The answer callout right below the question callout."""
    at = page.first_text(index, len(page.shown))
    return _opened(page.lines, page.shown, at, _ANSWERING) if at < len(page.shown) else None


def _joined(*lines: str) -> str:
    return "\n".join(lines).strip()
