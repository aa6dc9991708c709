"""JATS articles, with or without namespaces, and whatever other XML there is.

Title, authors, journal and date come first, a line each; the list of references and the rest of the metadata are left
out.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from studium.domain.finding import Severity
from studium.readers.html import page_of
from studium.readers.markup.article import said_in_html
from studium.readers.markup.front import rewrite_front
from studium.readers.markup.opening import Contents, Remark, open_document
from studium.readers.markup.trees import xml_tree
from studium.readers.markup.writer import write_page
from studium.readers.reading import Reading

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_NOT_JATS = Remark(
    Severity.INFO, "not_jats", "This XML is no JATS article: all of its text is read, an element a paragraph."
)


def read(path: Path, *, max_bytes: int) -> Reading:
    """Read an article; what in the file is unsafe or broken is said, and nothing outside it is read."""
    return open_document(path, max_bytes, _contents)


def _contents(data: bytes) -> Contents:
    root = xml_tree(data)
    if root.tag == "html":
        return Contents("html", (page_of(root),))
    articles = [article for article in root.iter("article") if _is_article(article)]
    if not articles:
        said_in_html(root)
        return Contents("xml", (write_page(root),), (_NOT_JATS,))
    for article in articles:
        for front in list(article.iter("front", "front-stub")):
            rewrite_front(front)
        said_in_html(article)
    return Contents("jats", tuple(write_page(article) for article in articles))


def _is_article(element: "Element") -> bool:
    """Whether this is an article of its own, not one within another."""
    holds_one = any(child.tag in ("front", "body") for child in element)
    return holds_one and next(element.iterancestors("article"), None) is None
