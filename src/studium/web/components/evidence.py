"""What an item was made from: source text with the quotes marked, and untrusted HTML in a sandbox."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nicegui import html, ui

from studium.core.domain.errors import StudiumError
from studium.core.domain.finding import Locator
from studium.core.jobs.service import Service
from studium.core.reader_process import outside_server
from studium.core.text.html_policy import SANDBOX
from studium.core.text.locate import Searchable

# Scroll the mark into view, within its own frame only.
_SCROLL_TO_MARK = """vnode => {
  const mark = vnode.el.querySelector("mark");
  if (mark) vnode.el.scrollTop += mark.getBoundingClientRect().top - vnode.el.getBoundingClientRect().top
    - vnode.el.clientHeight / 3;
}"""

Piece = tuple[str, bool]
"""Some text, and whether it is marked."""


@outside_server(lambda _text, _quotes: "The source")
def mark_quotes(text: str, quotes: Sequence[str]) -> list[Piece] | None:
    """The text with its quotes marked, whatever their line breaks; `None` if a quote is missing."""
    source = Searchable(text)
    spans = [source.locate(quote) for quote in quotes]
    found = sorted(span for span in spans if span)
    if len(found) < len(spans):
        return None
    pieces: list[Piece] = []
    at = 0
    for start, end in found:
        pieces += [(text[at:start], False), (text[max(at, start) : end], True)]
        at = max(at, end)
    return [piece for piece in (*pieces, (text[at:], False)) if piece[0]]


def show_pieces(pieces: Sequence[Piece]) -> None:
    """Show pieces one after another, as plain text."""
    for text, is_marked in pieces:
        (html.mark if is_marked else html.span)(text)


def evidence(pieces: Sequence[Piece], *, where: str = "") -> ui.element:
    """A source with its quotes marked, and its location; use it with `with` to add more below."""
    with ui.element("figure").classes("s-evidence") as figure:
        with ui.element("blockquote").props("tabindex=0").on("vnodeMounted", js_handler=_SCROLL_TO_MARK):
            show_pieces(pieces)
        if where:
            html.figcaption(where)
    return figure


def format_locator(where: Locator, folder: str = "") -> str:
    """A location in words: `notes/ospf.md, lines 3–5`; a path is relative to the folder."""
    path = Path(where.path)
    if path.is_absolute():
        inside = folder and path.is_relative_to(folder)
        path = path.relative_to(folder) if inside else Path(path.name)
    if where.page is not None:
        return f"{path}, page {where.page}"
    if where.line is None:
        return str(path)
    several = where.end_line not in (None, where.line)
    return f"{path}, lines {where.line}–{where.end_line}" if several else f"{path}, line {where.line}"


def sandboxed_html(document: str, *, title: str = "Preview", height: str = "16rem") -> ui.element:
    """Untrusted HTML in a frame where no script runs, nothing is fetched and no form is sent."""
    made = ui.element("iframe").classes("s-sandbox").style(f"height: {height}")
    made.props["sandbox"] = SANDBOX
    made.props["srcdoc"] = document
    made.props["title"] = title
    return made


_READABLE = {".md", ".markdown", ".txt", ".text", ".lrc", ".log", ".html", ".xml", ".json", ".jsonl"}
_LONGEST = 2_000_000
"""A longer source is quoted, not opened."""
_AROUND = 6


@dataclass(frozen=True)
class SourceLines:
    """Some lines of a source; the first of them has this number."""

    first: int
    lines: tuple[str, ...]


def source_text(service: Service, path: str, folder: str = "") -> str:
    """The text of a source; empty if it may not be read, is missing, is very long, or is not text.

    It may be in the folder that its run was given, or in any folder that the settings allow.
    """
    try:
        file = _file(service, path, folder)
        if file.suffix.lower() not in _READABLE or file.stat().st_size > _LONGEST:
            return ""
        return file.read_text("utf-8", errors="replace")
    except (StudiumError, OSError, ValueError):
        return ""


def lines_around(text: str, first: int, last: int) -> SourceLines:
    """These lines, and a few before and after them."""
    begin = max(1, first - _AROUND)
    return SourceLines(begin, tuple(text.splitlines()[begin - 1 : last + _AROUND]))


def _file(service: Service, path: str, folder: str) -> Path:
    if folder:
        root = Path(folder).resolve()
        file = (root / path).resolve()
        if file.is_relative_to(root) and file.is_file():
            return file
    return service.find(path)
