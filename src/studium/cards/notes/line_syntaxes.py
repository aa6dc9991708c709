"""Cards in lines: `Question::Answer`, `Term:::Definition`, a `?` line between question and answer, `#card` tags."""

import ipaddress
import re
from collections.abc import Iterator
from itertools import islice

from studium.cards.notes.page import TAKEN_MARK, FoundCard, Heading, NotePage, anki_tag, card_mark, inline_tags
from studium.core.domain.finding import Finding

_SEPARATOR = re.compile(r"(?<!:):::?(?!:)")
_INLINE_LEAD = re.compile(r"[ \t]*(?:>[ \t]?)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?)?")
_CARD_TAG = re.compile(r"(?<![ \t])[ \t]*(?<!\S)#(?:card|flashcards?)(?:[/-]\w+)?(?=\s|$)", re.IGNORECASE)
_NAMESPACE = re.compile(r"(?:std|boost|self|Self|crate|super|core|alloc|absl|fmt|Qt)$")
_MAX_SEPARATORS = 50  # in one line, looked at; a line with more is code
_CALL = re.compile(r"~?\w+(?:[(<{!;]|::)")
_PATH = re.compile(r"\w::\w+$")
_HEX = re.compile(r"[0-9A-Fa-f:./%]*(?!\w)")
_FIELD_NAME = re.compile(r"[\w-]+$")


def find_inline_cards(page: NotePage) -> Iterator[FoundCard | Finding]:
    """Every line with a separator and text on both sides of it."""
    for index, shown in enumerate(page.shown):
        if "::" in shown and not shown.lstrip().startswith("|"):
            at = _separator(shown, marked=bool(page.header.marks))
            if at:
                yield from _inline_card(page, index, at)


def has_separator(shown: str) -> bool:
    """Whether a line has a `::` card."""
    return "::" in shown and _separator(shown, marked=False) is not None


def _inline_card(page: NotePage, index: int, at: re.Match[str]) -> Iterator[FoundCard | Finding]:
    line = page.lines[index]
    lead = _INLINE_LEAD.match(line)
    front = line[lead.end() if lead else 0 : at.start()].strip()
    back = _CARD_TAG.sub("", line[at.end() :]).strip()
    if front and back:
        yield FoundCard("reversed" if at[0] == ":::" else "basic", "inline", front, back, index, index + 1)
    elif front.endswith(("?", "？")):
        message = "This question has no answer. Write the answer after the `::`."
        yield page.finding("question_without_answer", index, message)


def _separator(shown: str, *, marked: bool) -> re.Match[str] | None:
    """The first `::` between a question and its answer that is not code, an address or a field."""
    lead = _INLINE_LEAD.match(shown)
    start = lead.end() if lead else 0
    for match in islice(_SEPARATOR.finditer(shown, start), _MAX_SEPARATORS):
        left, right = shown[start : match.start()], shown[match.end() :]
        in_braces = left.count("{") > left.count("}")
        if left.strip() and not in_braces and not _is_code(left, right) and not _is_address(left, right):
            return match if marked or not _is_field(left, right) else None
    return None


def _is_code(left: str, right: str) -> bool:
    """Whether it is code such as `std::vector`, `Foo::bar()` or `a::b::c`."""
    joined = left[-1:].isidentifier() and right[:1].isidentifier()
    return bool(_NAMESPACE.search(left) or (joined and (_CALL.match(right) or _PATH.search(left))))


def _is_address(left: str, right: str) -> bool:
    """Whether it is an IPv6 address such as `fe80::1/64`, maybe after a bracket."""
    before = left.rsplit(None, 1)[-1].lstrip("([") if left[-1:].strip() else ""
    if not _HEX.fullmatch(before):
        return False
    following = _HEX.match(right)
    after = following[0].rstrip(".:") if following else ""
    address = f"{before}::{after}".partition("/")[0].partition("%")[0]
    if not any(char.isdigit() for char in address):
        return False
    try:
        ipaddress.IPv6Address(address)
    except ValueError:
        return False
    return True


def _is_field(left: str, right: str) -> bool:
    """Whether it is a Dataview field such as `due:: 2026-01-01` or `[rating:: 5]`."""
    if left.lstrip().startswith(("[", "(")) and right.rstrip().endswith(("]", ")")) and "]" not in left:
        return True
    return _FIELD_NAME.match(left.strip("*_ \t")) is not None and left[-1:].strip() != "" and right[:1] in (" ", "\t")


def find_multiline_cards(page: NotePage) -> Iterator[FoundCard | Finding]:
    """Every `?` line with the paragraph or heading above it and the paragraph below it."""
    after = 0
    for index, shown in enumerate(page.shown):
        if index >= after and shown.strip() in ("?", "??"):
            card = _multiline_card(page, index, after)
            after = card.end if isinstance(card, FoundCard) else index + 1
            yield card


def _multiline_card(page: NotePage, index: int, after: int) -> FoundCard | Finding:
    start = _multiline_question_start(page, index, after)
    heading = page.heading_at(start) if start < index else None
    front = heading.title if heading else page.text(start, index)
    if not front:
        message = "There is no question above this `?`. Write it on the line above, with no empty line between."
        return page.finding("answer_without_question", index, message)
    end = page.paragraph_end(index + 1)
    back = page.text(index + 1, end)
    if not back:
        message = "There is no answer below this `?`. Write it on the next line, with no empty line between."
        return page.finding("question_without_answer", start, message)
    return FoundCard("reversed" if page.shown[index].strip() == "??" else "basic", "multiline", front, back, start, end)


def _multiline_question_start(page: NotePage, index: int, after: int) -> int:
    start = page.paragraph_start(index, after)
    above = start - 1
    if start == index and above >= 0 and page.shown[above][:1] != TAKEN_MARK and page.heading_at(above):
        return above
    return start


_TAG = re.compile(r"(?<!\S)#(?:flash)?card(?P<reverse>[/-]reversed?)?(?=\s|$)", re.IGNORECASE)
_LIST_LEAD = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?")
_CLOZE = re.compile(r"==\S|\{[^{}\s]|\{\{")


def _without_trailing_tags(line: str) -> str:
    while "#" in line:
        before, _, tag = line.rstrip(" \t").rpartition("#")
        if not tag or len(tag.split()) > 1 or tag[0].isspace() or before[-1:].strip():
            break
        line = before.rstrip(" \t")
    return line


def find_tagged_cards(page: NotePage) -> Iterator[FoundCard | Finding]:
    """Every line or heading with a card tag, and the answer below it."""
    after = 0
    for index, shown in enumerate(page.shown):
        if index >= after and "#" in shown and (tag := _TAG.search(shown)) and not has_separator(shown):
            card = _tagged_card(page, index, tag, after)
            after = card.end if isinstance(card, FoundCard) else index + 1
            if card:
                yield card


def _tagged_card(page: NotePage, index: int, tag: re.Match[str], after: int) -> FoundCard | Finding | None:
    start = _tagged_question_start(page, index, after)
    heading = page.heading_at(start)
    answer = page.first_text(index + 1, len(page.shown))
    end = _section_end(page, answer, heading) if heading else _paragraph_end(page, answer)
    front, asked = _front(page, start, index)
    back = page.text(answer, end)
    if not front:  # a tag by itself marks the note
        return None
    if back:
        tags = tuple(anki_tag(each) for each in inline_tags(page.shown[index]) if not card_mark(each))
        last = page.last_text(answer, end)
        return FoundCard(
            "reversed" if tag["reverse"] else "basic", "tagged", front, back, start, last, asked=asked, tags=tags
        )
    if any(_CLOZE.search(line) for line in page.shown[start : index + 1]):
        return None
    message = "This card has no answer. Write it on the lines below the tag."
    return page.finding("question_without_answer", start, message)


def _tagged_question_start(page: NotePage, index: int, after: int) -> int:
    """Where the question begins; a tag alone on a line belongs to the heading above it."""
    if page.heading_at(index):
        return index
    start = page.paragraph_start(index, after)
    alone = start == index and not _without_trailing_tags(page.shown[index]).strip()
    return index - 1 if alone and index and page.heading_at(index - 1) else start


def _section_end(page: NotePage, start: int, heading: Heading) -> int:
    for index in range(start, len(page.shown)):
        below = page.heading_at(index)
        if (below and below.level <= heading.level) or page.rule(index) or _has_card_tag(page, index):
            return index
        if not below and not page.blank(index) and page.parts(index):
            return index
    return len(page.shown)


def _paragraph_end(page: NotePage, start: int) -> int:
    ends = (index for index in range(start, len(page.shown)) if page.parts(index) or _has_card_tag(page, index))
    return next(ends, len(page.shown))


def _has_card_tag(page: NotePage, index: int) -> bool:
    shown = page.shown[index]
    return "#" in shown and _TAG.search(shown) is not None


def _front(page: NotePage, start: int, index: int) -> tuple[str, int]:
    """The question without tags and without heading or list marks, and its first line."""
    lines = [_without_trailing_tags(line) for line in page.lines[start : index + 1]]
    if page.heading_at(start):
        lines[0] = lines[0].lstrip().lstrip("#").strip()
    elif lead := _LIST_LEAD.match(lines[0]):
        lines[0] = lines[0][lead.end() :]
    asked = next((at for at, line in enumerate(lines, start) if line.strip()), start)
    return "\n".join(lines).strip(), asked
