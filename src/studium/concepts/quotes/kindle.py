"""Reads Kindle's `My Clippings.txt`: the highlights of all books, in the language of the device."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from studium.concepts.quotes.book import DraftBook, DraftQuote, LineRemark
from studium.concepts.quotes.markers import format_location, format_page, marker_pattern

_RULER = re.compile(r"={6,}")
_TITLED = re.compile(r"(.*\S)\s*[(（]([^()（）]*(?:\([^()]*\)[^()]*)*)[)）]\s*")
_RANGE = r"#?\s*([\divxlcdm]+(?:\s*[-–]\s*[\divxlcdm]+)?)"
_CJK_PAGE = re.compile(r"(?<!\d)(\d{1,6}(?:-\d{1,6})?)\s{0,5}(?:ページ|页|頁)")
_WINDOW = 8


@dataclass
class Clipping:
    """One entry of the file."""

    title: str
    kind: str
    text: str
    line: int
    page: str = ""
    location: str = ""
    note: str = ""

    @property
    def span(self) -> tuple[int, int] | None:
        """Its start and end in the book, by location or else by page."""
        numbers = [int(number) for number in re.findall(r"(?<!\d)\d{1,9}(?!\d)", self.location or self.page)]
        if not numbers:
            return None
        return numbers[0], max(numbers[0], numbers[-1])

    def draft(self) -> DraftQuote:
        """The clipping as a quote."""
        place = format_page(self.page) if self.page else format_location(self.location) if self.location else ""
        return DraftQuote(self.text, self.line, "", place, self.note)


def is_clippings(text: str) -> bool:
    """Whether a text is a file of clippings, whatever its name."""
    rulers = re.search(r"^={6,}\s*$", text, re.MULTILINE)
    return bool(rulers) and any(True for _ in _clippings(text[: rulers.end()] if rulers else text))


def read_clippings(text: str) -> list[DraftBook]:
    """The books of a file of clippings in the order in which they were first clipped."""
    of_book: dict[str, list[Clipping]] = {}
    for clipping in _clippings(text):
        of_book.setdefault(clipping.title, []).append(clipping)
    return [_book(title, clippings) for title, clippings in of_book.items()]


def _book(title: str, clippings: list[Clipping]) -> DraftBook:
    named = _TITLED.fullmatch(title)
    book = DraftBook(named[1], _author(named[2])) if named else DraftBook(title)
    highlights = [each for each in clippings if each.kind == "highlight" and each.text]
    for cut in (each for each in highlights if _is_limit(each.text)):
        missing = "The publisher's clipping limit was reached: a highlight is missing."
        book.remarks.append(LineRemark("clipping_limit", missing, cut.line))
    kept = _without_repeats([each for each in highlights if not _is_limit(each.text)])
    for note in (each for each in clippings if each.kind == "note" and each.text):
        _attach(note, kept, book)
    book.drafts = [each.draft() for each in sorted(kept, key=lambda each: each.line)]
    return book


def _author(written: str) -> str:
    """`Thoreau, Henry David` is Henry David Thoreau; several are separated by `;`."""
    each = [
        " ".join(reversed(name.split(",", 1))).strip() if name.count(",") == 1 else name.strip()
        for name in written.split(";")
    ]
    return ", ".join(" ".join(name.split()) for name in each if name)


def _clippings(text: str) -> Iterator[Clipping]:
    entry: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if _RULER.fullmatch(line.strip()):
            yield from _clipping(entry)
            entry = []
        elif entry or line.strip(" \t\ufeff\u200b"):
            entry.append((number, line.strip("\ufeff\u200b")))
    yield from _clipping(entry)


def _clipping(entry: list[tuple[int, str]]) -> Iterator[Clipping]:
    at = next((i for i, (_, line) in enumerate(entry[:4]) if i and re.match(r"\s*[-–•]", line)), None)
    if at is None:
        return
    kind = _kind(entry[at][1])
    if kind:
        title = " ".join(line.strip() for _, line in entry[:at] if line.strip())
        body = "\n".join(line.strip() for _, line in entry[at + 1 :]).strip()
        where = entry[at][1]
        number = next((number for number, line in entry[at + 1 :] if line.strip()), entry[at][0])
        yield Clipping(title, kind, re.sub(r"\n{2,}", "\n\n", body), number, *_places(where))


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    kinds = {
        kind: re.compile(rf"(?<![^\W\d_]){marker_pattern(f'clipped_{kind}')}", re.IGNORECASE)
        for kind in ("bookmark", "highlight", "note")
    }
    # Japanese and Chinese do not separate words, so a letter before it does not matter there.
    unparted = re.compile(r"(ブックマーク|书签|書籤)|(ハイライト|标注|標註)|(メモ|笔记|筆記)")
    return {
        **kinds,
        "unparted": unparted,
        "page": re.compile(rf"(?<![^\W\d_]){marker_pattern('pages')}\s*+{_RANGE}", re.IGNORECASE),
        "location": re.compile(rf"{marker_pattern('locations')}\.?\s*+(?:no\.?|nr\.?|:)?\s*+{_RANGE}", re.IGNORECASE),
        "limit": re.compile(rf"(?<!\s)\s*<[^<>]{{0,200}}{marker_pattern('limits')}[^<>]{{0,200}}>\s*", re.IGNORECASE),
    }


def _kind(where: str) -> str:
    patterns = _patterns()
    if found := patterns["unparted"].search(where):
        return ("bookmark", "highlight", "note")[(found.lastindex or 1) - 1]
    hits = ((hit.start(), kind) for kind in ("bookmark", "highlight", "note") if (hit := patterns[kind].search(where)))
    return min(hits, default=(0, ""))[1]


def _places(where: str) -> tuple[str, str]:
    patterns = _patterns()
    paged = patterns["page"].search(where) or _CJK_PAGE.search(where)
    located = patterns["location"].search(where)
    return (paged[1] if paged else "", located[1] if located else "")


def _is_limit(text: str) -> bool:
    return bool(_patterns()["limit"].fullmatch(text))


def _without_repeats(clippings: list[Clipping]) -> list[Clipping]:
    """Of clippings that overlap in the book and contain one another, the longest; of equal ones the latest."""
    placed = sorted((each for each in clippings if each.span), key=lambda each: (each.span or (0, 0), each.line))
    unplaced = list({each.text: each for each in clippings if not each.span}.values())
    kept: list[Clipping] = []
    for clipping in placed:
        at = next(
            (i for i in range(len(kept) - 1, max(-1, len(kept) - _WINDOW), -1) if _repeats(kept[i], clipping)), None
        )
        if at is None:
            kept.append(clipping)
        elif (len(clipping.text), clipping.line) >= (len(kept[at].text), kept[at].line):
            kept[at] = clipping
    return [*kept, *unplaced]


def _repeats(one: Clipping, other: Clipping) -> bool:
    first, second = one.span, other.span
    if not first or not second or first[1] < second[0] or second[1] < first[0]:
        return False
    shorter, longer = sorted((" ".join(one.text.split()), " ".join(other.text.split())), key=len)
    return shorter.rstrip(" .,;:") in longer


def _attach(note: Clipping, kept: list[Clipping], book: DraftBook) -> None:
    """A note belongs to the highlight that ends at its place, or else to the one that contains it."""
    highlight = _highlight_at(note.span, kept)
    if highlight:
        if note.text not in highlight.note.split("\n\n"):
            highlight.note = f"{highlight.note}\n\n{note.text}".strip()
    else:
        told = f"A note without a highlight is not a quote and was left out: “{note.text[:80]}”"
        book.remarks.append(LineRemark("note_alone", told, note.line))


def _highlight_at(span: tuple[int, int] | None, kept: list[Clipping]) -> Clipping | None:
    """`kept` is in the order of the book, but for clippings without a place at its end."""
    if span is None:
        return None
    at = bisect_right(kept, span[0], key=lambda each: each.span[0] if each.span else 1 << 60)
    near = [each for each in kept[max(0, at - _WINDOW) : at] if each.span and each.span[1] >= span[0]]
    return next((each for each in reversed(near) if each.span and each.span[1] == span[0]), near[-1] if near else None)
