"""Ids that follow from what a thing is: the same book, quote or concept has the same id everywhere and always."""

import re
from collections.abc import Iterable
from unicodedata import normalize
from uuid import UUID, uuid5

NAMESPACE = UUID("6f0c7d52-4b1e-5f3a-9d0e-2a61c1b7f8e4")

_PARTED = "\x1f"
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_MARKS = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a", '"')
    | dict.fromkeys("\u2010\u2011\u2013\u2014", "-")
)


def author_uuid(name: str) -> str:
    """The id of an author."""
    return _uuid("author", name)


def book_uuid(title: str, author: str) -> str:
    """The id of a book."""
    return _uuid("book", title, author)


def quote_uuid(book: str, text: str) -> str:
    """The id of a quote of the book with this id."""
    return _uuid("quote", book, text)


def concept_uuid(book: str, title: str, quote_uuids: Iterable[str]) -> str:
    """The id of a concept that was found in these quotes of a book, whatever their order."""
    return _uuid("concept", book, title, *sorted(set(quote_uuids)))


def _uuid(kind: str, *parts: str) -> str:
    return str(uuid5(NAMESPACE, _PARTED.join((kind, *map(_normal, parts)))))


def _normal(text: str) -> str:
    """A text as far as it tells things apart: not by case, white space or the form of its marks; but by accents."""
    visible = _INVISIBLE.sub("", normalize("NFC", text)).translate(_MARKS)
    return " ".join(normalize("NFC", visible.casefold()).split())
