"""Reads quotes in CSV: Readwise, Kindle's notebook, and exports of Kobo highlights."""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from studium.concepts.quotes.book import DraftBook, DraftQuote, LineRemark
from studium.concepts.quotes.markers import (
    format_location,
    format_page,
    marker_pattern,
    marker_words,
    page_reference_of,
)

_FIELDS = ("text", "title", "author", "place", "place_kind", "section", "kind", "note")
_HEADER_WITHIN = 20
_TOP = 20_000
_DELIMITERS = (",", ";", "\t")
_UNPLACED = frozenset({"order", "none", "time_stamp", "offset"})

Row = tuple[int, list[str]]


def is_table(text: str) -> bool:
    """Whether a text is a table with a column of quotes."""
    return _delimiter(text) is not None


def read_table(text: str, path: Path) -> list[DraftBook]:
    """The books of a table, in the order in which they first appear."""
    rows = _rows(text, _delimiter(text) or ",")
    books: dict[tuple[str, str], DraftBook] = {}
    preamble, columns = _header(rows)
    fallback = _title_in(preamble, path)
    for line, cells in _whole(rows, books):
        value = {field: cells[at].strip() for field, at in columns.items() if at < len(cells)}
        named = (value.get("title") or fallback[0], value.get("author") or fallback[1])
        book = books.setdefault(named, DraftBook(*named))
        _take(book, value, line)
    return list(books.values())


def _take(book: DraftBook, value: dict[str, str], line: int) -> None:
    kind, text = value.get("kind", ""), value.get("text", "")
    note = value.get("note", "")
    if re.search(marker_pattern("clipped_bookmark"), kind, re.IGNORECASE):
        return
    is_note = re.match(rf"\s*(?:{marker_pattern('clipped_note')}|annotation)\b", kind, re.IGNORECASE)
    if is_note and not note and book.drafts:
        book.drafts[-1].add_note(text)
    elif text:
        book.drafts.append(DraftQuote(text, line, value.get("section", ""), _place(value), note))


def _place(value: dict[str, str]) -> str:
    written, kind = value.get("place", ""), value.get("place_kind", "").casefold()
    if not re.search(r"\d", written) or kind in _UNPLACED:
        return page_reference_of(written)
    if alone := page_reference_of(written):
        return alone
    return format_page(written) if kind in {"", "page"} else format_location(written)


def _delimiter(text: str) -> str | None:
    """The delimiter of the cells; empty if no row at the top names a column of quotes."""
    top = text[:_TOP]
    try:
        return next((sign for sign in _DELIMITERS if sign in top and "text" in _header(_rows(top, sign))[1]), None)
    except csv.Error:
        return None


def _rows(text: str, delimiter: str) -> Iterator[Row]:
    """The rows with the lines on which they begin."""
    reader = csv.reader(io.StringIO(text, newline="\n"), delimiter=delimiter)
    before = 0
    for cells in reader:
        yield before + 1, cells
        before = reader.line_num


def _whole(rows: Iterator[Row], books: Mapping[tuple[str, str], DraftBook]) -> Iterator[Row]:
    """The rows up to one that cannot be read, which becomes a finding."""
    line = 1
    try:
        for line, cells in rows:
            yield line, cells
    except csv.Error as error:
        told = f"The table cannot be read from here on ({error}). Correct the row and import the file again."
        for book in books.values():
            book.remarks.append(LineRemark("broken_row", told, line + 1))
            break


def _header(rows: Iterator[Row]) -> tuple[list[list[str]], dict[str, int]]:
    """The lines above the table, and the content of each column."""
    preamble: list[list[str]] = []
    for _ in range(_HEADER_WITHIN):
        _, cells = next(rows, (0, None))
        if cells is None:
            break
        columns = _columns([cell.strip().strip("\ufeff").casefold() for cell in cells])
        if "text" in columns and len(columns) > 1:
            return preamble, columns
        preamble.append(cells)
    return preamble, {}


def _columns(names: list[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for field in _FIELDS:
        known = (names.index(word) for word in marker_words(f"{field}_fields") if word in names)
        at = next((at for at in known if at not in found.values()), None)
        if at is not None:
            found[field] = at
    return found


def _title_in(preamble: list[list[str]], path: Path) -> tuple[str, str]:
    """Kindle writes above its table: `Your Kindle Notes For:`, the title, `by` the author."""
    said = [cells[0].strip() for cells in preamble if cells and cells[0].strip(" -")]
    by = re.compile(rf"{marker_pattern('written_by')}\s+(\S.*)", re.IGNORECASE)
    at = next((i for i, cell in enumerate(said) if i and by.fullmatch(cell)), None)
    if at is not None and (author := by.fullmatch(said[at])):
        return said[at - 1], author[1]
    author_of_file, _, title = path.stem.rpartition(" - ")
    return title.strip(), author_of_file.strip()
