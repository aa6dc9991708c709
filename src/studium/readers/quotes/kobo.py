"""A Kobo's `.annot` files: the annotations of one book as XML."""

from typing import TYPE_CHECKING

from studium.core.documents.markup.inline_text import inline_text
from studium.core.documents.markup.page_builder import UnreadableDocument
from studium.core.documents.markup.parsing import parse_xml
from studium.readers.quotes.book import Draft, Draftbook, Remark

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_TOP = 2000


def is_annotations(text: str) -> bool:
    """Whether a text is a file of annotations, whatever its name is."""
    return "<annotationSet" in text[:_TOP]


def read_annotations(text: str) -> Draftbook:
    """The book of a file of annotations; bookmarks, which quote nothing, are left out."""
    try:
        root = parse_xml(text.encode())
    except UnreadableDocument as refused:
        return Draftbook(remarks=[Remark("broken_xml", refused.remark.message, refused.remark.line)])
    book = Draftbook(_said(root, "publication/title"), _said(root, "publication/creator"))
    for annotation in root.iter("annotation"):
        if text := _said(annotation, "target/fragment/text"):
            line = annotation.sourceline or 1
            book.drafts.append(Draft(text, line, note=_said(annotation, "content/text")))
    return book


def _said(element: "Element", path: str) -> str:
    found = element.find(path)
    return "" if found is None else inline_text(found)
