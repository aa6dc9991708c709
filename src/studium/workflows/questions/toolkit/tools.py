"""The tools of one document, as a mind is given them."""

import asyncio
from functools import partial

from studium.core.domain.document import Document
from studium.core.domain.skill import Tool, ToolReply
from studium.domain.question import GenerationMode
from studium.workflows.questions.toolkit.lines import MAX_LINES, ReadLines, read_lines
from studium.workflows.questions.toolkit.pages import ViewPage, view_page
from studium.workflows.questions.toolkit.searching import Search, search
from studium.workflows.questions.toolkit.visuals import ListVisualContent, list_visual_content


def document_tools(document: Document, mode: GenerationMode, viewed: list[int] | None = None) -> tuple[Tool, ...]:
    """The tools to explore a document; the numbers of the pages that were looked at are added to `viewed`."""
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
        Tool("view_page", "Look at a page of the document.", ViewPage, partial(_view_page, document, pages)),
        Tool(
            "list_visual_content",
            "List the figures, tables and images of the document, with their pages and captions.",
            ListVisualContent,
            partial(list_visual_content, document),
        ),
    )


async def _search(document: Document, wanted: Search) -> ToolReply:
    """A hard pattern takes up to a second; meanwhile other work goes on."""
    _ = document.line_count  # a document may read its pages only now, and that belongs to this thread
    return await asyncio.to_thread(search, document, wanted)


def _view_page(document: Document, viewed: list[int], wanted: ViewPage) -> ToolReply:
    reply = view_page(document, wanted)
    if reply.images and wanted.page_number not in viewed:
        viewed.append(wanted.page_number)
    return reply
