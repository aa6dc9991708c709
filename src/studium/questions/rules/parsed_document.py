"""Parse a document into sentences, lists and tables, each with its line and its headings.

The rules read a document through the same tool as a model; all formats arrive as Markdown.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from studium.core.documents.markdown import split_blocks, split_frontmatter
from studium.core.documents.plain_text import SourceLine, split_lines
from studium.core.domain.skill import Tool
from studium.core.text.sentences import sentence_spans
from studium.questions.document_tools import read_all_lines

_ITEM = re.compile(r"^(?P<indent>[ \t]*)(?:[-*+•]|\d{1,9}[.)])[ \t]+")
_INLINE = (
    (re.compile(r"!\[\[[^\]]{0,500}\]\]|!\[[^\]]{0,1000}\]\([^)]{0,2000}\)"), ""),
    (re.compile(r"\[\[(?:[^\]|]{0,500}\|)?([^\]]{0,500})\]\]"), r"\1"),
    (re.compile(r"\[([^\]]{0,1000})\]\([^)\s]{0,2000}(?:\s[^)]{0,500})?\)"), r"\1"),
    (re.compile(r"(\*\*|__)(?!\w+__(?:\W|$))(?=\S)(.+?)(?<=\S)\1"), r"\2"),  # but `__init__` is a name
    (re.compile(r"(?<![\w*_])([*_])(?=\S)([^*_]+?)(?<=\S)\1(?![\w*_])"), r"\2"),
    (re.compile(r"`([^`]+)`"), r"\1"),
)


_MAX_CACHED = 8
_cached: "dict[str, ParsedDocument]" = {}


@dataclass(frozen=True)
class ParsedSentence:
    """One sentence of prose: `text` without markup and line ends, `quote` as in the document."""

    text: str
    quote: str
    line: int
    heading: str = ""


@dataclass(frozen=True)
class ParsedList:
    """A list: the sentence that introduces it (may be empty), its items without markup, and its source."""

    lead: str
    items: tuple[str, ...]
    quote: str
    line: int
    heading: str = ""


@dataclass(frozen=True)
class ParsedTable:
    """A table: its column names, its rows, the source of its rows, and the text before it (often a caption)."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    quotes: tuple[str, ...]
    line: int
    heading: str = ""
    caption: str = ""


@dataclass(frozen=True)
class ParsedDocument:
    """The sentences, lists and tables of a document, in order."""

    sentences: tuple[ParsedSentence, ...]
    lists: tuple[ParsedList, ...]
    tables: tuple[ParsedTable, ...]


async def read_parsed_document(document: str, tools: Sequence[Tool]) -> ParsedDocument:
    """Read and parse the document with this content id; the last few are cached."""
    if document not in _cached:
        read = next(tool for tool in tools if tool.name == "read_lines")
        while len(_cached) >= _MAX_CACHED:
            del _cached[next(iter(_cached))]
        _cached[document] = parse_document("\n".join(await read_all_lines(read)))
    return _cached[document]


def parse_document(text: str) -> ParsedDocument:
    """Parse a Markdown text."""
    lines = split_lines(text)
    starts = {line.start: number for number, line in enumerate(lines, 1)}
    sentences: list[ParsedSentence] = []
    lists: list[ParsedList] = []
    tables: list[ParsedTable] = []
    for block in split_blocks(lines, split_frontmatter(text).body_line):
        raw, line = text[block.span.start : block.span.end], starts[block.span.start]
        before = sentences[-1].text if sentences and sentences[-1].heading == block.heading else ""
        if block.kind in ("text", "quote"):
            sentences += _sentences(raw, line, block.heading)
        elif block.kind == "list":
            listing = ParsedList(before if before.endswith(":") else "", _items(raw), raw, line, block.heading)
            lists.append(listing)
            sentences += [each for item in _raw_items(raw, line) for each in _sentences(*item, block.heading)]
        elif block.kind == "table":
            tables += _table(split_lines(raw), line, block.heading, before)
    return ParsedDocument(tuple(sentences), tuple(lists), tuple(tables))


def strip_markdown(markdown: str) -> str:
    """The text on one line, without inline markup."""
    text = " ".join(re.sub(r"(?m)^[ \t]*>[ \t]?", "", markdown).split())
    for pattern, kept in _INLINE:
        text = pattern.sub(kept, text)
    return text.strip()


_MAX_SENTENCE = 5_000  # a longer one is no sentence, and nobody asks about it


def _sentences(raw: str, line: int, heading: str) -> Iterator[ParsedSentence]:
    start = 0
    for _, end in sentence_spans(raw, markdown=True):
        quote = raw[start:end]
        if len(quote) <= _MAX_SENTENCE and (text := strip_markdown(quote)):
            before = quote[: len(quote) - len(quote.lstrip())].count("\n")
            yield ParsedSentence(text, quote.strip(), line + before, heading)
        line += quote.count("\n")
        start = end


def _raw_items(raw: str, line: int) -> Iterator[tuple[str, int]]:
    """The source of each item without its marker, and its line."""
    item: list[str] = []
    first = line
    for number, text in enumerate(raw.splitlines(), line):
        if marker := _ITEM.match(text):
            if item:
                yield "\n".join(item), first
            item, first = [text[marker.end() :]], number
        else:
            item.append(text)
    if item:
        yield "\n".join(item), first


def _items(raw: str) -> tuple[str, ...]:
    """The outermost items, without nested ones."""
    found = [(match["indent"], line) for line in raw.splitlines() if (match := _ITEM.match(line))]
    outermost = min((len(indent) for indent, _ in found), default=0)
    whole = {
        strip_markdown(item.splitlines()[0]): strip_markdown(item) for item, _ in _raw_items(raw, 1) if item.strip()
    }
    heads = [strip_markdown(_ITEM.sub("", line)) for indent, line in found if len(indent) == outermost]
    return tuple(whole.get(head, head) for head in heads if head)


def _table(lines: Sequence[SourceLine], line: int, heading: str, caption: str) -> list[ParsedTable]:
    rows = [_cells(each.text) for each in lines]
    columns, body = rows[0], rows[2:]
    if not body or not any(columns) or any(len(row) > len(columns) for row in body):
        return []  # without column names, nothing says what a cell is
    filled = tuple((*row, *[""] * (len(columns) - len(row))) for row in body)
    return [ParsedTable(columns, filled, tuple(each.text for each in lines[2:]), line, heading, caption)]


def _cells(text: str) -> tuple[str, ...]:
    inner = text.strip().removeprefix("|").removesuffix("|")
    return tuple(strip_markdown(cell.replace("\\|", "|")) for cell in re.split(r"(?<!\\)\|", inner))
