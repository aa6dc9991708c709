"""The tools with which a mind explores a document without having it all before its eyes."""

from functools import partial

from pydantic import Field

from studium.domain.document import Document
from studium.domain.skill import Tool, ToolReply
from studium.domain.value import Value

MAX_LINES = 200
MAX_MATCHES = 20


class ReadLines(Value):
    """Which lines to read."""

    start_line: int = Field(ge=1)
    end_line: int | None = Field(default=None, ge=1)


class Search(Value):
    """What to look for."""

    pattern: str = Field(min_length=1)
    context_lines: int = Field(default=1, ge=0, le=10)


def document_tools(document: Document) -> tuple[Tool, ...]:
    """`read_lines` and `search` over this document."""
    return (
        Tool(
            "read_lines",
            f"Read lines of the document with their numbers, at most {MAX_LINES} at a time.",
            ReadLines,
            partial(read_lines, document),
        ),
        Tool(
            "search",
            "Find a word or phrase in the document, whatever its case; answers with the lines around each match.",
            Search,
            partial(search, document),
        ),
    )


def read_lines(document: Document, wanted: ReadLines) -> ToolReply:
    """The lines with their numbers, and how many there are in all."""
    last = min(wanted.end_line or document.line_count, wanted.start_line + MAX_LINES - 1, document.line_count)
    if wanted.start_line > document.line_count:
        return ToolReply(f"The document has only {document.line_count} lines.")
    return ToolReply(f"{_numbered(document, wanted.start_line, last)}\n({document.line_count} lines in all)")


def search(document: Document, wanted: Search) -> ToolReply:
    """The lines around each match."""
    needle = wanted.pattern.casefold()
    hits = [line.number for line in document.lines() if needle in line.text.casefold()]
    if not hits:
        return ToolReply(f"No line contains “{wanted.pattern}”.")
    around = wanted.context_lines
    shown = [_numbered(document, max(1, hit - around), hit + around) for hit in hits[:MAX_MATCHES]]
    return ToolReply("\n--\n".join([*shown, f"({len(hits)} matching lines in all)"]))


def _numbered(document: Document, start: int, end: int) -> str:
    return "\n".join(f"{line.number}: {line.text}" for line in document.lines(start, end))
