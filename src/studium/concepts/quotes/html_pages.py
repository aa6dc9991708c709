"""Reads quotes in HTML: Kindle's notebook, mails from Apple Books, and block quotes of any page."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from studium.concepts.quotes.book import DraftBook, DraftQuote
from studium.concepts.quotes.markers import marker_pattern, page_reference_of, split_page_reference, strip_quote_marks
from studium.core.documents.markup.inline_text import inline_text
from studium.core.documents.markup.parsing import parse_html_tree

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_PAGE = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?<(?:!doctype html|html|head|body|div|h1|blockquote)\b",
    re.IGNORECASE | re.DOTALL,
)
_TITLE = frozenset({"booktitle"})
_AUTHOR = frozenset({"authors", "bookauthor", "author"})
_SECTION = frozenset({"sectionheading", "annotationchapter", "chapter"})
_HEADING = frozenset({"noteheading"})
_TEXT = frozenset({"notetext", "annotationrepresentativetext", "annotationtext", "highlight"})
_NOTE = frozenset({"annotationnote", "note"})
_CLASSES = _TITLE | _AUTHOR | _SECTION | _HEADING | _TEXT | _NOTE
_TAGS = frozenset({"h2", "h3", "blockquote"})
_MAX_AROUND = 10
_WHERE = re.compile(r"[>·|-]\s*((?:\w+\.?\s+)?[\divxlc]+(?:[-–]\d+)?(?:\s*·.{0,200})?)\s*$", re.IGNORECASE)


def is_html(text: str) -> bool:
    """Whether a text is HTML."""
    return bool(_PAGE.match(text))


def read_html(text: str, path: Path) -> list[DraftBook]:
    """The book that a page quotes."""
    root = parse_html_tree(text)
    author, _, title = path.stem.rpartition(" - ")
    book = DraftBook()
    reader = _PageReader(book)
    for element, classes in _telling_elements(root):
        reader.take(element, classes)
    book.title = book.title or next((inline_text(each) for each in root.iter("h1", "title")), "") or title.strip()
    book.author = book.author or author.strip()
    return [book]


def _telling_elements(root: "Element") -> Iterator[tuple["Element", frozenset[str]]]:
    """The elements that may hold a quote or say something about one, in order, each with its classes.

    The text of each is read whole, so what is nested in too many others is left out.
    """
    from lxml import etree

    around = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        classes = frozenset((element.get("class") or "").casefold().split())
        if not (classes & _CLASSES or element.tag in _TAGS):
            continue
        if event == "end":
            around -= 1
            continue
        if around < _MAX_AROUND:
            yield element, classes
        around += 1


class _PageReader:
    """Goes through the elements of a page in order."""

    def __init__(self, book: DraftBook) -> None:
        self._book = book
        self._section = self._place = ""
        self._is_note = False

    def take(self, element: "Element", classes: frozenset[str]) -> None:
        said = inline_text(element)
        if not said:
            return
        if classes & _TITLE:
            self._book.title = said
        elif classes & _AUTHOR:
            self._book.author = said
        elif classes & _HEADING:
            self._head(said)
        elif classes & _NOTE or (classes & _TEXT and self._is_note):
            if self._book.drafts:
                self._book.drafts[-1].add_note(said)
        elif classes & _TEXT or element.tag == "blockquote":
            self._quote(element, said)
        elif classes & _SECTION or element.tag in {"h2", "h3"}:
            self._section = said

    def _head(self, said: str) -> None:
        """`Highlight (yellow) - Chapter 1 > Page 12 · Location 170` over the quote."""
        self._is_note = bool(re.match(rf"{marker_pattern('clipped_note')}\b", said, re.IGNORECASE))
        where = _WHERE.search(said)
        self._place = page_reference_of(where[1].split("·")[0].strip()) if where else ""

    def _quote(self, element: "Element", said: str) -> None:
        paragraphs = (
            [each for p in element.iter("p") if (each := inline_text(p))] if element.tag == "blockquote" else []
        )
        placed = split_page_reference("\n\n".join(paragraphs) or said)
        if alone := page_reference_of(placed.text):
            placed = placed._replace(text="", place=alone)
        text = strip_quote_marks(placed.text)
        if text:
            line = element.sourceline or 1
            self._book.drafts.append(DraftQuote(text, line, self._section, placed.place or self._place))
