"""Read HTML pages: the main content, without navigation, advertisements and scripts."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from studium.core.documents.markup.inline_text import IGNORED_TAG, inline_text
from studium.core.documents.markup.navigation import PageMeasures
from studium.core.documents.markup.page_builder import (
    DocumentContents,
    MarkupPage,
    UnreadableDocument,
    read_markup_document,
)
from studium.core.documents.markup.page_writer import write_page
from studium.core.documents.markup.parsing import bound_elements, decode_html, parse_html_tree, parse_xml
from studium.core.documents.registry import ReadResult

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_XHTML = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*<\?xml|<html[^>]{1,500}xmlns\s*=", re.IGNORECASE)
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_HEAD = 2000

# Not text, or text for programs, or a repetition; `rt` is the pronunciation of the characters before it.
_UNREAD = frozenset(
    {"head", "script", "style", "template", "noscript", "iframe", "canvas", "audio", "video", "embed", "applet", "map"}
    | {"button", "input", "select", "textarea", "datalist", "progress", "meter", "dialog", "nav", "svg", "rt", "rp"}
)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_ANCHOR_SIGNS = frozenset("¶#§")


def read(path: Path, *, max_bytes: int) -> ReadResult:
    """Read a page, however broken it is."""
    return read_markup_document(path, max_bytes, _contents)


def _contents(data: bytes) -> DocumentContents:
    bounded = bound_elements(data)
    page = html_page(parse_html(bounded.data))
    return DocumentContents("html", (page,), (bounded.remark,) if bounded.remark else ())


def parse_html(data: bytes) -> "Element":
    """Parse a page: as XML if it is well-formed XHTML, else as HTML."""
    if _XHTML.search(data, 0, _HEAD) or data.startswith(_UTF16):
        try:
            return parse_xml(data)
        except UnreadableDocument as refused:
            if refused.remark.code != "broken":
                raise
    return parse_html_tree(decode_html(data))


def html_page(root: "Element") -> MarkupPage:
    """The main part of a page, under its title if it has no first heading."""
    title = next(
        (inline_text(each) for each in root.iter("title") if next(each.iterancestors("svg"), None) is None), ""
    )
    body = next(root.iter("body"), root)
    measures = PageMeasures(body, _UNREAD)
    _mark_ignored(body, lambda element: _is_unread(element) or measures.is_navigation(element))
    main = _main_part(body)
    page = write_page(main, "" if next(main.iter("h1"), None) is not None else title)
    return page if page.text or main is body else write_page(body, title)


def html_chapter(root: "Element") -> MarkupPage:
    """A chapter of a book with everything in it; its asides are notes."""
    body = next(root.iter("body"), root)
    measures = PageMeasures(body, _UNREAD)
    _mark_ignored(body, lambda element: _is_unread(element) or measures.is_contents(element))
    return write_page(body)


def _main_part(body: "Element") -> "Element":
    """The element that is marked as the main part; the whole body if there are several articles."""
    for marked in (
        list(body.iter("main")),
        [each for each in body.iter("*") if each.get("role") == "main"],
        list(body.iter("article")),
    ):
        if len(marked) == 1:
            return marked[0]
    return body


def _mark_ignored(body: "Element", unwanted: Callable[["Element"], bool]) -> None:
    """Rename ignored elements, so that the text after them stays in place; a drawing in a figure is an image."""
    for element in body.iterdescendants("*"):
        if not unwanted(element):
            continue
        if element.tag == "svg" and next(element.iterancestors("figure"), None) is not None:
            element.set(
                "alt", element.get("aria-label") or next((inline_text(each) for each in element.iter("title")), "")
            )
            element.tag = "img"
        else:
            element.tag = IGNORED_TAG


def _is_unread(element: "Element") -> bool:
    """Whether an element is invisible, or has no visible text."""
    if element.tag in _UNREAD or element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return True
    if element.tag == "a" and not len(element) and (element.text or "").strip() in _ANCHOR_SIGNS:
        return True
    return bool(_HIDDEN.search(element.get("style") or ""))
