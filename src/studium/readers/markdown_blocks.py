"""Markdown's blocks, line by line: what belongs together, and under which headings."""

import re
from collections.abc import Iterator, Sequence

from studium.domain.document import Block
from studium.domain.locating import Span
from studium.readers.lines import SourceLine

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t](.*))?")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})")
_FENCE = re.compile(r"[ \t]*(?:[-*+>][ \t]+)*(`{3,}|~{3,})([^`]*)")
_MATH = re.compile(r"[ \t]*\$\$")
_BULLET = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_INTERRUPTS = re.compile(r"[ \t]*(?:[-*+]|1[.)])[ \t]+\S")
_QUOTE = re.compile(r" {0,3}>")
_RULED_CELL = re.compile(r"[ \t]*:?-+:?[ \t]*")
_INDENTED = re.compile(r"(?: {4}|\t)[ \t]*\S")


def markdown_blocks(lines: Sequence[SourceLine], first_line: int = 1) -> Iterator[Block]:
    """The blocks from a line on, each with the trail of headings over it: `OSPF > Areas`."""
    trail: list[tuple[int, str]] = []
    at = first_line - 1
    while at < len(lines):
        if heading := _heading(lines, at):
            level, title, at = heading
            trail = [*(over for over in trail if over[0] < level), (level, title)]
        elif lines[at].blank or _RULE.fullmatch(lines[at].text):
            at += 1
        else:
            kind, end = _extent(lines, at)
            block = lines[at:end]
            whole = kind in ("code", "math", "table") or any(_FENCE.match(line.text) for line in block)
            over = " > ".join(title for _, title in trail if title)
            yield Block(Span(block[0].start, block[-1].end), kind, over, whole)
            at = end


def _heading(lines: Sequence[SourceLine], at: int) -> tuple[int, str, int] | None:
    """The level and title of the heading that begins here, and the line after it."""
    text = lines[at].text
    if match := _HEADING.fullmatch(text):
        return len(match[1]), _title(match[2] or ""), at + 1
    underlined = at + 1 < len(lines) and _UNDERLINE.fullmatch(lines[at + 1].text)
    if underlined and not lines[at].blank and _kind(lines, at) == "text":
        return (1 if underlined[1][0] == "=" else 2), text.strip(), at + 2
    return None


def _title(text: str) -> str:
    """A heading's words without the `#` signs that may close it, as in `## Areas ##` but not in `C#`."""
    words = text.strip()
    opened = words.rstrip("#")
    return opened.strip() if opened != words and opened[-1:] in ("", " ", "\t") else words


def _kind(lines: Sequence[SourceLine], at: int) -> str:
    """What kind of block begins on this line."""
    text = lines[at].text
    if _FENCE.fullmatch(text) and not _QUOTE.match(text):
        return "code"
    if _MATH.match(text):
        return "math"
    if _QUOTE.match(text):
        return "quote"
    if _BULLET.match(text):
        return "list"
    return "table" if "|" in text and at + 1 < len(lines) and _is_table_rule(lines[at + 1].text) else "text"


def _is_table_rule(text: str) -> bool:
    cells = text.strip().removeprefix("|").removesuffix("|").split("|")
    return "|" in text and all(_RULED_CELL.fullmatch(cell) for cell in cells)


def _extent(lines: Sequence[SourceLine], at: int) -> tuple[str, int]:
    """The kind of the block that begins here, and the line after its last."""
    kind = _kind(lines, at)
    if kind == "text" and _INDENTED.match(lines[at].text):
        return "code", _end_of_indented(lines, at)
    if kind == "code":
        return kind, _end_of_fence(lines, at)
    if kind == "math":
        return kind, _end_of_math(lines, at)
    if kind == "list":
        return kind, _end_of_list(lines, at)
    return kind, _end_of_run(lines, at, kind)


def _end_of_fence(lines: Sequence[SourceLine], at: int) -> int:
    opening = _FENCE.match(lines[at].text)
    fence = opening[1] if opening else ""
    for index in range(at + 1, len(lines)):
        closing = lines[index].text.strip()
        if closing.startswith(fence) and not closing.strip(fence[0]):
            return index + 1
    return len(lines)


def _end_of_math(lines: Sequence[SourceLine], at: int) -> int:
    if lines[at].text.count("$$") > 1:
        return at + 1
    return next((index + 1 for index in range(at + 1, len(lines)) if "$$" in lines[index].text), at + 1)


def _end_of_indented(lines: Sequence[SourceLine], at: int) -> int:
    end = at + 1
    for index in range(at + 1, len(lines)):
        if _INDENTED.match(lines[index].text):
            end = index + 1
        elif not lines[index].blank:
            break
    return end


def _end_of_list(lines: Sequence[SourceLine], at: int) -> int:
    """A list goes on over blank lines while items or indented lines follow; code in it is a block of its own."""
    end = at + 1
    for index in range(at + 1, len(lines)):
        line = lines[index]
        if line.blank:
            continue
        belongs = _BULLET.match(line.text) or line.text[0] in " \t" or not lines[index - 1].blank
        if not belongs or _RULE.fullmatch(line.text) or _HEADING.fullmatch(line.text) or _FENCE.fullmatch(line.text):
            break
        end = index + 1
    return end


def _end_of_run(lines: Sequence[SourceLine], at: int, kind: str) -> int:
    """Paragraphs, quotes and tables end at a blank line or where something else begins."""
    for index in range(at + 1, len(lines)):
        text = lines[index].text
        if lines[index].blank or _HEADING.fullmatch(text) or _RULE.fullmatch(text):
            return index
        found = _kind(lines, index)
        # A wrapped line may well begin with `1994. `: only a list that starts at 1 parts a paragraph.
        wrapped = kind == "text" and found == "list" and not _INTERRUPTS.match(text)
        if found not in (kind, "text") and not wrapped:
            return index
    return len(lines)
