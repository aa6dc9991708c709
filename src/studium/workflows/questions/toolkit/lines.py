"""`read_lines`: a range of lines with their numbers."""

import re
from collections.abc import Iterable
from dataclasses import replace
from inspect import isawaitable
from itertools import accumulate

from pydantic import Field

from studium.core.domain.document import Document, DocumentLine
from studium.core.domain.skill import Tool, ToolReply
from studium.core.domain.value import Value

MAX_LINES = 200
MAX_CHARACTERS = 20_000
_NUMBERED = re.compile(r"^\d+: ?")
_GO_ON = re.compile(r"; go on with start_line (\d+)(?:, from_character (\d+))?\)$")


class ReadLines(Value):
    """Which lines to read."""

    start_line: int = Field(ge=1, description="The first line to read, counted from 1.")
    end_line: int | None = Field(default=None, ge=1, description="The last line to read.")
    from_character: int = Field(
        default=1, ge=1, description="Where in the first line to begin; only a line too long for one reply needs it."
    )


def read_lines(document: Document, wanted: ReadLines) -> ToolReply:
    """As many of the lines as one reply holds, with their numbers; how many there are in all, and how to go on."""
    count = document.line_count
    if wanted.start_line > count:
        return ToolReply(f"The document has only {count} lines.")
    end = min(wanted.end_line or count, count)
    if end < wanted.start_line:
        return ToolReply(f"end_line {end} is before start_line {wanted.start_line}.")
    first, *others = document.lines(wanted.start_line, min(end, wanted.start_line + MAX_LINES - 1))
    rest = replace(first, text=first.text[wanted.from_character - 1 :])
    if len(rest.text) > MAX_CHARACTERS:
        shown = [replace(rest, text=rest.text[:MAX_CHARACTERS])]
        more = f"; go on with start_line {first.number}, from_character {wanted.from_character + MAX_CHARACTERS}"
    else:
        shown = _fitting([rest, *others])
        more = f"; go on with start_line {shown[-1].number + 1}" if shown[-1].number < end else ""
    return ToolReply(f"{_numbered(shown)}\n({count} lines in all{more})")


def unnumbered(reply: str) -> list[str]:
    """The lines of a reply of `read_lines`, as they stand in the document."""
    shown = reply.split("\n")[:-1]
    return [_NUMBERED.sub("", line, count=1) for line in shown]


async def read_all(read: Tool) -> list[str]:
    """All lines of a document, read by its `read_lines` tool."""
    lines: list[str] = []
    wanted: ReadLines | None = ReadLines(start_line=1)
    while wanted:
        reply = read.run(wanted)
        text = (await reply if isawaitable(reply) else reply).text
        shown = unnumbered(text)
        if wanted.from_character > 1:
            lines[-1] += shown.pop(0)
        lines += shown
        more = _GO_ON.search(text)
        wanted = ReadLines(start_line=int(more[1]), from_character=int(more[2] or 1)) if more else None
    return lines


def _fitting(lines: list[DocumentLine]) -> list[DocumentLine]:
    """The first lines, as many as the reply has room for."""
    sizes = accumulate(len(line.text) for line in lines)
    return lines[: sum(size <= MAX_CHARACTERS for size in sizes)]


def _numbered(lines: Iterable[DocumentLine]) -> str:
    return "\n".join(f"{line.number}: {line.text}" for line in lines)
