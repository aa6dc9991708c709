"""The tools that a model explores a document with: read lines, search, view pages, list visual content."""

import asyncio
import re
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from inspect import isawaitable
from itertools import accumulate

from pydantic import Field

from studium.core.documents.search import Excerpts, Matches, excerpts, match_literal, match_regex
from studium.core.domain.document import Document, DocumentLine, PageRenderError, Visual
from studium.core.domain.skill import Image, Tool, ToolReply
from studium.core.domain.value import Value
from studium.core.text.patterns import InvalidPattern
from studium.questions.domain import GenerationMode

MAX_LINES = 200
MAX_CHARACTERS = 20_000
_NUMBERED = re.compile(r"^\d+: ?")
_CONTINUE = re.compile(r"; continue with start_line (\d+)(?:, from_character (\d+))?\)$")


class ReadLines(Value):
    """Which lines to read."""

    start_line: int = Field(ge=1, description="The first line to read, counted from 1.")
    end_line: int | None = Field(default=None, ge=1, description="The last line to read.")
    from_character: int = Field(
        default=1, ge=1, description="Where in the first line to begin; only a line too long for one reply needs it."
    )


def read_lines(document: Document, arguments: ReadLines) -> ToolReply:
    """Read the lines that fit into one reply, with their numbers, and say how to continue."""
    count = document.line_count
    if arguments.start_line > count:
        return ToolReply(f"The document has only {count} lines.")
    end = min(arguments.end_line or count, count)
    if end < arguments.start_line:
        return ToolReply(f"end_line {end} is before start_line {arguments.start_line}.")
    first, *others = document.lines(arguments.start_line, min(end, arguments.start_line + MAX_LINES - 1))
    rest = replace(first, text=first.text[arguments.from_character - 1 :])
    if len(rest.text) > MAX_CHARACTERS:
        shown = [replace(rest, text=rest.text[:MAX_CHARACTERS])]
        more = f"; continue with start_line {first.number}, from_character {arguments.from_character + MAX_CHARACTERS}"
    else:
        shown = _truncate([rest, *others])
        more = f"; continue with start_line {shown[-1].number + 1}" if shown[-1].number < end else ""
    return ToolReply(f"{_numbered(shown)}\n({count} lines in all{more})")


def strip_line_numbers(reply: str) -> list[str]:
    """The lines in a reply of `read_lines`, without their numbers."""
    shown = reply.split("\n")[:-1]
    return [_NUMBERED.sub("", line, count=1) for line in shown]


async def read_all_lines(read: Tool) -> list[str]:
    """Read all lines of a document with its `read_lines` tool."""
    lines: list[str] = []
    arguments: ReadLines | None = ReadLines(start_line=1)
    while arguments:
        reply = read.run(arguments)
        text = (await reply if isawaitable(reply) else reply).text
        shown = strip_line_numbers(text)
        if arguments.from_character > 1:
            lines[-1] += shown.pop(0)
        lines += shown
        more = _CONTINUE.search(text)
        arguments = ReadLines(start_line=int(more[1]), from_character=int(more[2] or 1)) if more else None
    return lines


def _truncate(lines: list[DocumentLine]) -> list[DocumentLine]:
    """The first lines that fit into one reply."""
    sizes = accumulate(len(line.text) for line in lines)
    return lines[: sum(size <= MAX_CHARACTERS for size in sizes)]


def _numbered(lines: Iterable[DocumentLine]) -> str:
    return "\n".join(f"{line.number}: {line.text}" for line in lines)


class ViewPage(Value):
    """Which page to view."""

    page_number: int = Field(description="The page to view, counted from 1.")


def view_page(document: Document, arguments: ViewPage) -> ToolReply:
    """The page as an image, or the reason why there is none."""
    number, count = arguments.page_number, len(document.pages)
    if document.paint is None:
        return ToolReply("Not applicable: a document of this format has no pages to view. Use read_lines instead.")
    if not 1 <= number <= count:
        return ToolReply(f"There is no page {number}: the pages are numbered from 1 to {count}.")
    try:
        page = document.paint(number)
    except PageRenderError as error:
        return ToolReply(f"Page {number} cannot be shown ({str(error).rstrip('.')}). Try another page.")
    image = Image(page.media_type, b64encode(page.data).decode("ascii"))
    return ToolReply(f"Page {number} of {count} follows as an image.", (image,))


MAX_LISTED = 100
CAPTION_CHARACTERS = 300


class ListVisualContent(Value):
    """No arguments."""


def list_visual_content(document: Document, _arguments: ListVisualContent) -> ToolReply:
    """List figures, tables and images by the numbers that `submit_qa` takes, with page and caption."""
    visuals = document.visuals()
    if not visuals:
        return ToolReply("The document has no visual content.")
    listed = "\n".join(_listed(number, visual) for number, visual in enumerate(visuals[:MAX_LISTED], 1))
    more = f"\n(the first {MAX_LISTED} of {len(visuals)})" if len(visuals) > MAX_LISTED else ""
    return ToolReply(listed + more)


def _listed(number: int, visual: Visual) -> str:
    place = f"line {visual.where.line}" if visual.where.page is None else f"page {visual.where.page}"
    about = " ".join((visual.caption or visual.source).split()) or "no caption"
    if len(about) > CAPTION_CHARACTERS:
        about = about[:CAPTION_CHARACTERS] + "…"
    return f"{number}. {visual.kind}, {place}: {about}"


_REGEX_CHARACTERS = re.compile(r"[\\^$.|?*+()\[\]{}]")


class Search(Value):
    """What to search for."""

    pattern: str = Field(
        min_length=1, max_length=1000, description="A string or a regular expression; case is ignored."
    )
    context_lines: int = Field(default=2, ge=0, le=20, description="How many lines to show around each match.")
    regex: bool | None = Field(
        default=None,
        description="Whether the pattern is a regular expression. By default it is searched as it is, "
        "and as a regular expression only if that finds nothing.",
    )


def search(document: Document, arguments: Search) -> ToolReply:
    """The matching lines with their context, or the reason why there are none."""
    try:
        found = _matches(document.text, arguments)
    except InvalidPattern as error:
        what = "is not" if arguments.regex else "is not found, and it is not"
        return ToolReply(
            f"`{arguments.pattern}` {what} a usable regular expression: {error}. Change the pattern and search again."
        )
    except TimeoutError:
        return ToolReply(f"The search for `{arguments.pattern}` took too long and was stopped. Give a simpler pattern.")
    if not found.spans:
        return ToolReply(f"`{arguments.pattern}` is not found. Try fewer or other words.")
    shown = excerpts(document, found.spans, arguments.context_lines)
    return ToolReply(f"{_summary(found, shown)}\n\n{shown.text}")


def _matches(text: str, arguments: Search) -> Matches:
    if arguments.regex:
        return match_regex(text, arguments.pattern)
    found = match_literal(text, arguments.pattern)
    if found.spans or arguments.regex is False or not _REGEX_CHARACTERS.search(arguments.pattern):
        return found
    return match_regex(text, arguments.pattern)


def _summary(found: Matches, shown: Excerpts) -> str:
    count = _counted(len(found.spans), "match", "matches")
    if not found.complete:
        count = f"At least {count}; the search was stopped there"
    if found.complete and shown.lines_shown == shown.lines_found:
        return f"{count}."
    lines = _counted(shown.lines_shown, "matching line", "matching lines")
    return f"{count}. Not all are shown here, only {lines}; use a more exact pattern to find fewer."


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def document_tools(document: Document, mode: GenerationMode, viewed: list[int] | None = None) -> tuple[Tool, ...]:
    """The tools to explore a document; the numbers of viewed pages are added to `viewed`."""
    textual = (
        Tool(
            "read_lines",
            f"Read lines of the document, with their numbers. One reply holds at most {MAX_LINES} lines.",
            ReadLines,
            partial(read_lines, document),
        ),
        Tool("search", "Find a string or a regular expression in the document.", Search, partial(_search, document)),
    )
    if mode == "textual":
        return textual
    pages = [] if viewed is None else viewed
    return (
        *textual,
        Tool("view_page", "View a page of the document.", ViewPage, partial(_view_page, document, pages)),
        Tool(
            "list_visual_content",
            "List the figures, tables and images of the document, with their pages and captions.",
            ListVisualContent,
            partial(list_visual_content, document),
        ),
    )


async def _search(document: Document, arguments: Search) -> ToolReply:
    """Search in a thread: a hard pattern takes up to a second."""
    _ = document.line_count  # a document may read its pages only now, and must do so in this thread
    return await asyncio.to_thread(search, document, arguments)


def _view_page(document: Document, viewed: list[int], arguments: ViewPage) -> ToolReply:
    reply = view_page(document, arguments)
    if reply.images and arguments.page_number not in viewed:
        viewed.append(arguments.page_number)
    return reply
