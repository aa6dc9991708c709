"""Notes that are one card: a rule separates front and back, or the heading, title or file name is the question.

    ---
    noteId: 1700000000000
    ---
    What does OSPF flood?

    ---

    Link-state advertisements.

Only notes that ask for it are read this way: with yanki's `noteId`, a `card` tag, `filename_as_question: true`, or the
options.
"""

import re
from collections.abc import Iterator
from itertools import count
from pathlib import PurePosixPath

from studium.cards.notes.page import TAKEN_MARK, FoundCard, NotePage, dedented
from studium.core.domain.finding import Finding

_STRUCK = re.compile(
    r"~~(?=[^~\n]++~~)(?:(?P<number>\d{1,3})[ \t]+)?(?P<text>[^~\n]+?)(?:[ \t]_(?P<hint>[^_~\n]{1,200})_)?~~"
)
_TYPED = re.compile(r"(?P<mark>[_*])(?P<answer>[^_*\n]+)(?P=mark)")
_TAGS_ALONE = re.compile(r"[ \t]*(?:#[^\s#]+[ \t]*)+")


def find_whole_note_card(page: NotePage) -> Iterator[FoundCard | Finding]:
    """The note as one card, if it is marked as one and has no other card."""
    if not _is_card(page) or any(line[:1] == TAKEN_MARK for line in page.shown):
        return
    start = page.first_text(page.header.body, len(page.shown))
    end = page.last_text(start, len(page.shown))
    if start < end:
        yield _card(page, start, end)


def _is_card(page: NotePage) -> bool:
    header, options = page.header, page.options
    marked = header.marks & {"card", "flashcard"} or header.values.get("noteId")
    return bool(marked or options.one_note_one_card or _by_name(page))


def _by_name(page: NotePage) -> bool:
    return page.options.filename_as_question or page.header.values.get("filename_as_question") is True


def _card(page: NotePage, start: int, end: int) -> FoundCard | Finding:
    if _by_name(page):
        return FoundCard("basic", "whole", PurePosixPath(page.name).stem, _text(page, start, end), start, end)
    rules = [index for index in range(start, end) if page.rule(index)]
    if page.header.values.get("noteId") and (cloze := _strikethrough_cloze(page, start, end, rules)):
        return cloze
    if rules:
        return _ruled(page, start, end, rules)
    return _headed(page, start, end)


def _ruled(page: NotePage, start: int, end: int, rules: list[int]) -> FoundCard | Finding:
    """Front and back around a rule; two rules in a row make a reversed card, and a third part is the extra."""
    double = len(rules) > 1 and all(page.blank(index) for index in range(rules[0] + 1, rules[1]))
    answer = rules[1] + 1 if double else rules[0] + 1
    extra = next((rule for rule in rules if double and rule >= answer), end)
    front, back = _text(page, start, rules[0]), _text(page, answer, extra)
    if heading := page.heading_at(start):
        front = front if _text(page, start + 1, rules[0]) else heading.title
    if front and back:
        kind = "reversed" if double else "basic"
        more = _text(page, extra + 1, end)
        return FoundCard("reversed" if kind == "reversed" else "basic", "whole", front, back, start, end, extra=more)
    return _lacking(page, start)


def _headed(page: NotePage, start: int, end: int) -> FoundCard | Finding:
    """Without a rule: the question is the text above an italic answer (yanki), the first heading, or the title."""
    last = page.lines[end - 1].strip()
    if page.header.values.get("noteId") and (typed := _TYPED.fullmatch(last)) and _text(page, start, end - 1):
        return FoundCard("basic", "whole", _text(page, start, end - 1), typed["answer"], start, end)
    heading = page.heading_at(start)
    asked = heading.title if heading else str(page.header.values.get("title") or PurePosixPath(page.name).stem)
    back = _text(page, start + 1 if heading else start, end)
    return FoundCard("basic", "whole", asked, back, start, end) if asked and back else _lacking(page, start)


def _strikethrough_cloze(page: NotePage, start: int, end: int, rules: list[int]) -> FoundCard | None:
    """A cloze card of yanki, whose clozes are struck through: `~~text~~`, `~~2 text~~`, `~~text _hint_~~`."""
    split = rules[0] if rules else end
    front = _text(page, start, split)
    if not _STRUCK.search(front):
        return None
    numbers = count(1)

    def deletion(match: re.Match[str]) -> str:
        following = next(numbers)
        hint = f"::{match['hint']}" if match["hint"] else ""
        return f"{{{{c{match['number'] or following}::{match['text']}{hint}}}}}"

    return FoundCard("cloze", "whole", _STRUCK.sub(deletion, front), "", start, end, extra=_text(page, split + 1, end))


def _text(page: NotePage, start: int, end: int) -> str:
    """These lines without lines that have only tags."""
    return dedented(line for line in page.lines[start:end] if not _TAGS_ALONE.fullmatch(line))


def _lacking(page: NotePage, start: int) -> Finding:
    message = "This note is marked as a card, but has only one side. Write the answer below a `---` line or a heading."
    return page.finding("question_without_answer", start, message)
