"""Reads excerpts shared from Apple Books: a quote in quotation marks, with its book below."""

import re
from functools import cache

from studium.concepts.quotes.book import DraftBook, DraftQuote
from studium.concepts.quotes.markers import marker_pattern, strip_quote_marks

_ONE_LINE = re.compile(r"(.{1,500}?)\.\s{0,5}[“\"«](.{1,500}?)[.,]?[”\"»]")
_DATE = re.compile(r"(?=.*\b\d{1,2}\b)(?=.*\b\d{4}\b)[^.!?]{6,40}\.?|\d{4}年\d{1,2}月\d{1,2}日")
_LEGAL = re.compile(
    r"https?://\S+|.*?(?:copyright|urheberrecht|derechos de autor|droits d.auteur|diritti d.autore|著作権).*",
    re.IGNORECASE | re.DOTALL,
)


_MAX_SOURCE_LINES = 20  # a title and an author, wherever the line breaks are


def _is_legal(line: str) -> bool:
    return _LEGAL.fullmatch(line.strip()) is not None


@cache
def _from() -> re.Pattern[str]:
    return re.compile(rf"(?<!\s)\s*+{marker_pattern('excerpt_from')}\s*+[:：]?\s*+(.*)", re.IGNORECASE)


@cache
def _notes_from() -> re.Pattern[str]:
    return re.compile(rf"(?<!\s)\s*+{marker_pattern('notes_from')}\s*+[:：]?\s*+", re.IGNORECASE)


def is_excerpts(text: str) -> bool:
    """Whether a text holds excerpts as Apple Books shares them."""
    lines = text.split("\n")
    return any((found := _from().fullmatch(line)) and _source(found[1], lines, at)[2] for at, line in enumerate(lines))


def read_excerpts(text: str) -> list[DraftBook]:
    """The books of the excerpts, in the order in which they first appear."""
    lines = text.split("\n")
    books: dict[tuple[str, str], DraftBook] = {}
    start = at = 0
    while at < len(lines):
        found = _from().fullmatch(lines[at])
        title, author, end = _source(found[1], lines, at) if found else ("", "", 0)
        if end:
            book = books.setdefault((title, author), DraftBook(title, author))
            shared = _notes if any(_notes_from().fullmatch(line) for line in lines[start:at]) else _excerpts
            book.drafts.extend(shared(lines, start, at))
            start = at = end
        else:
            at += 1
    return list(books.values())


def _source(said: str, lines: list[str], at: int) -> tuple[str, str, int]:
    """Title, author, and the line after the source that begins on a line; 0 if no source does."""
    end = at + 1
    below: list[str] = []
    while end < min(len(lines), at + _MAX_SOURCE_LINES) and lines[end].strip() and not _is_legal(lines[end]):
        below.append(lines[end].strip())
        end += 1
    while end < len(lines) and _is_legal(lines[end]):
        end += 1
    if one := _ONE_LINE.match(said):
        return one[2].strip(" ."), one[1].strip(), end
    named = [said.strip(), *below] if said.strip() else below
    return (named[0], named[1] if len(named) > 1 else "", end) if named else ("", "", 0)


def _notes(lines: list[str], start: int, end: int) -> list[DraftQuote]:
    """The notes of a whole book: under the name of the book, each below its chapter and its date."""
    heading = next(at for at in range(start, end) if _notes_from().fullmatch(lines[at]))
    at = next((i for i in range(heading + 1, end) if not lines[i].strip()), end)
    drafts: list[DraftQuote] = []
    section = ""
    for number in range(at, end):
        text = lines[number].strip()
        if number + 1 < end and _DATE.fullmatch(lines[number + 1].strip()):
            section = text or section
        elif text and not _DATE.fullmatch(text):
            drafts.append(DraftQuote(strip_quote_marks(text), number + 1, section))
    return drafts


def _excerpts(lines: list[str], start: int, end: int) -> list[DraftQuote]:
    """The excerpt above a source; each in its own quotation marks is one."""
    drafts: list[DraftQuote] = []
    is_open = False
    for number in range(start, end):
        text = lines[number].strip()
        if not text:
            continue
        if is_open and drafts:
            drafts[-1].text += f"\n\n{text}"
        else:
            drafts.append(DraftQuote(text, number + 1))
        is_open = drafts[-1].text[0] in '“«„"' and text[-1] not in '”»“"'
    for draft in drafts:
        draft.text = strip_quote_marks(draft.text)
    return drafts
