"""`python -m evaluation.pdf_text FOLDER`: compare our text of real PDFs with pymupdf's, which must be installed for it.

Words are compared page by page as multisets. The order is compared on two-column pages: of the words that stand once
on the page in both texts, the share of the longest sequence that is in the same order. pymupdf keeps the order of the
file, which is that of the reader in papers made by LaTeX, but not in every PDF.
"""

import argparse
import json
import re
import sys
import time
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any, TypeVar
from unittest.mock import patch

from evaluation.material import hide_tracebacks, share
from studium.core.documents.pdf import reader
from studium.core.documents.pdf.headers_footers import remove_headers_footers
from studium.core.documents.pdf.layout import PageLayout, TextPiece
from studium.core.domain.document import Document

GOOD = 0.97
"""The share of words, and of words in order, that is enough."""
LEAST_WORDS = 50
"""The words of a PDF that is judged; one with fewer has next to no text."""
_MOST_BYTES = 10**9
_WORD = re.compile("[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff]|[^\\W_\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff]+")
_ACCENTS = dict.fromkeys(map(ord, "`\u00b4\u02c6\u02dc\u00af\u02d8\u02d9\u00a8\u02da\u02dd\u02c7\u00b8"))
_UNREADABLE = re.compile("[\0-\x1f\ufffd\ue000-\uf8ff]")
_MARKS = 100
_LONG = 3
_HYPHENS = "-\u2010\u00ad"
# Of a two-column page: the letters of a line of prose, the lines of a column, where the gutter may be, in per cent of
# the width, and the share of lines that may cross it.
_PROSE = 16
_COLUMN_LINES = 12
_MIDDLE = range(40, 61, 2)
_CROSSING = 0.15
_Result = TypeVar("_Result")


@dataclass
class PdfFigures:
    """What was found in one PDF: the reference's words, how many we have, how many we leave out as header or footer."""

    name: str
    pages: int = 0
    words: int = 0
    found: int = 0
    furniture: int = 0
    long_words: int = 0
    long_lost: int = 0
    two_column_pages: int = 0
    placed: int = 0
    in_order: int = 0
    cpu: float = 0
    bare_cpu: float = 0
    fault: str = ""
    worst: list[tuple[float, int]] = field(default_factory=list)
    disordered: list[tuple[float, int]] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """The share of words in our text, or left out on purpose."""
        return share(self.found + self.furniture, self.words) if self.words else 1.0

    @property
    def recall_of_long_words(self) -> float:
        """The share of words of three letters or more in our text, or left out on purpose."""
        return share(self.long_words - self.long_lost, self.long_words) if self.long_words else 1.0

    @property
    def recall_as_read(self) -> float:
        """The share of words in our text."""
        return share(self.found, self.words) if self.words else 1.0

    @property
    def order(self) -> float:
        """The share of words of two-column pages that are in the reference's order."""
        return share(self.in_order, self.placed) if self.placed else 1.0


@dataclass(frozen=True)
class _Line:
    """A line of the reference: its words and its left and right edge."""

    words: list[str]
    left: float
    right: float


def measure(path: Path) -> PdfFigures:
    """Compare the text of a PDF with pymupdf's."""
    figures = PdfFigures(path.name)
    removed: dict[int, list[str]] = {}
    try:
        # What is recognised from images is in no text layer, and takes long.
        with _recording_furniture(removed), patch.object(reader, "is_ocr_available", return_value=False):
            texts, figures.cpu = _timed(lambda: _our_texts(path))
    except Exception as error:  # noqa: BLE001 - what must not happen is counted
        figures.fault = f"{type(error).__name__}: {error}"
        return figures
    _, figures.bare_cpu = _timed(lambda: _bare_texts(path))
    figures.pages = len(texts)
    for number, (text, lines) in enumerate(zip(texts, _reference(path), strict=False), 1):
        _compare(figures, number, text, lines, removed.get(number, []))
    figures.worst.sort()
    figures.disordered.sort()
    del figures.worst[3:], figures.disordered[3:]
    return figures


@contextmanager
def _recording_furniture(removed: dict[int, list[str]]) -> Iterator[None]:
    """Note what the reader leaves out as headers and footers, by page."""

    def remove(number: int, layout: PageLayout, *others: Any) -> Sequence[TextPiece]:
        kept = remove_headers_footers(number, layout, *others)
        stay = {id(piece) for piece in kept}
        removed[number] = [piece.text for piece in layout.pieces if id(piece) not in stay]
        return kept

    with patch.object(reader, "remove_headers_footers", remove):
        yield


def _our_texts(path: Path) -> list[str]:
    result = reader.read(path, max_bytes=_MOST_BYTES)
    if result.document is None:
        raise ValueError(result.findings[0].message)
    document: Document = result.document
    texts = [page.text for page in document.pages]
    if faults := [finding.message for finding in document.page_findings if finding.code != "document.limit"]:
        raise ValueError(faults[0])
    return texts


def _bare_texts(path: Path) -> None:
    import pypdfium2

    with pypdfium2.PdfDocument(path.read_bytes()) as pdf:
        for index in range(len(pdf)):
            try:
                page = pdf[index]
            except pypdfium2.PdfiumError:
                continue
            textpage = page.get_textpage()
            textpage.get_text_range()
            textpage.close()
            page.close()


def _timed(work: Callable[[], _Result]) -> tuple[_Result, float]:
    started = time.process_time()
    result = work()
    return result, time.process_time() - started


def _reference(path: Path) -> Iterator[list[_Line]]:
    """The lines of each page as pymupdf has them, without words that it cannot read."""
    pymupdf = import_module("pymupdf")
    pymupdf.TOOLS.mupdf_display_errors(on=False)
    with pymupdf.open(path) as pdf:
        for page in pdf:
            blocks = page.get_text("dict", flags=pymupdf.TEXTFLAGS_TEXT)["blocks"]
            lines = [_line(line) for block in blocks for line in block["lines"]]
            yield [line for line in _without_marks(lines) if line.words]


def _line(found: dict[str, Any]) -> _Line:
    """A line without words that the reference cannot read: a ligature or a sign of a formula is not in every font."""
    # Ligatures may be control characters, which `split` takes for spaces.
    words = re.findall(r"[^ \t\r\n\xa0\u2000-\u200a\u3000]+", "".join(span["text"] for span in found["spans"]))
    return _Line([word for word in words if not _UNREADABLE.search(word)], found["bbox"][0], found["bbox"][2])


def _without_marks(lines: Sequence[_Line]) -> list[_Line]:
    """The lines without the letter that most words of a page consist of: it marks the points of a plot."""
    counts = Counter(word for line in lines for word in line.words)
    [(most, count)] = counts.most_common(1) or [("", 0)]
    if len(set(most)) != 1 or count < _MARKS or 2 * count < counts.total():
        return list(lines)
    return [_Line([word for word in line.words if set(word) != {most}], line.left, line.right) for line in lines]


def _words(text: str) -> list[str]:
    """The words without accents, which stand beside their letters in some PDFs."""
    plain = unicodedata.normalize("NFKD", text.translate(_ACCENTS))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return _WORD.findall(unicodedata.normalize("NFC", letters))


def _compare(figures: PdfFigures, number: int, text: str, lines: Sequence[_Line], removed: Sequence[str]) -> None:
    ours = _words(text)
    have = Counter(ours)
    furniture = Counter(word for piece in removed for word in _words(piece))
    wanted = list(_wanted(lines))
    total = len([word for choice in wanted for word in choice[-1]])
    missing: list[str] = []
    for choice in wanted:
        words = next((words for words in choice if all(have[word] for word in words)), choice[-1])
        for word in words:
            if have[word]:
                have[word] -= 1
            else:
                missing.append(word)
    left_out = sum(min(count, furniture[word]) for word, count in Counter(missing).items())
    figures.words += total
    figures.found += total - len(missing)
    figures.long_words += sum(_is_long(word) for choice in wanted for word in choice[-1])
    figures.long_lost += sum(map(_is_long, (Counter(missing) - furniture).elements()))
    figures.furniture += left_out
    if len(missing) > left_out:
        figures.worst.append((share(total - len(missing) + left_out, total), number))
    if _has_two_columns(lines):
        figures.two_column_pages += 1
        placed, in_order = _order(ours, [word for choice in wanted for word in choice[0]])
        figures.placed += placed
        figures.in_order += in_order
        figures.disordered.append((share(in_order, placed) if placed else 1.0, number))


def _is_long(word: str) -> bool:
    """Whether a word is one of a language and not of a formula, where letters are joined in many ways."""
    return len(word) >= _LONG and word.isalpha()


def _wanted(lines: Sequence[_Line]) -> Iterator[list[list[str]]]:
    """The words in order, each with the ways to write it: one that is broken between lines, joined and in two."""
    broken = ""
    for line in lines:
        texts = list(line.words)
        if broken and texts:
            first = texts.pop(0)
            yield [_words(broken.rstrip(_HYPHENS) + first), _words(f"{broken} {first}")]
            broken = ""
        if texts and texts[-1][-1:] in _HYPHENS and len(texts[-1]) > 1 and line is not lines[-1]:
            broken = texts.pop()
        for text in texts:
            yield from ([[word]] for word in _words(text))
    if broken:
        yield [_words(broken)]


def _has_two_columns(lines: Sequence[_Line]) -> bool:
    """Whether most lines of prose end before a place in the middle of the page or start after it."""
    long = [line for line in lines if len("".join(line.words)) >= _PROSE]
    if len(long) < 2 * _COLUMN_LINES:
        return False
    west, east = min(line.left for line in long), max(line.right for line in long)
    for part in _MIDDLE:
        place = west + part / 100 * (east - west)
        left, right = sum(line.right < place for line in long), sum(line.left > place for line in long)
        if min(left, right) >= _COLUMN_LINES and len(long) - left - right <= _CROSSING * len(long):
            return True
    return False


def _order(ours: Sequence[str], reference: Sequence[str]) -> tuple[int, int]:
    """How many words stand once in both texts, and how many of them are in one order."""
    once = {word for word, count in Counter(ours).items() if count == 1}
    places = {word: place for place, word in enumerate(ours) if word in once}
    counts = Counter(reference)
    found = [places[word] for word in reference if word in places and counts[word] == 1]
    tails: list[int] = []
    for place in found:
        at = bisect_left(tails, place)
        tails[at : at + 1] = [place]
    return len(found), len(tails)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every PDF in a folder and print the figures."""
    asked = _parser().parse_args(arguments)
    hide_tracebacks()
    paths = sorted(asked.folder.rglob("*.pdf"))
    measured = []
    for path in paths:
        figures = measure(path)
        figures.name = path.relative_to(asked.folder).as_posix()
        measured.append(figures)
        if asked.json:
            print(json.dumps(asdict(figures)), flush=True)
        elif asked.verbose:
            print(_row(figures), flush=True)
    if not asked.json:
        _print_summary(measured)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evaluation.pdf_text", description=__doc__)
    parser.add_argument("folder", type=Path, help="a folder with PDFs")
    parser.add_argument("--verbose", action="store_true", help="print a row for every PDF, with its worst pages")
    parser.add_argument("--json", action="store_true", help="print one JSON object for every PDF instead")
    return parser


def _row(figures: PdfFigures) -> str:
    if figures.fault:
        return f"{figures.name}: {figures.fault}"
    worst = ", ".join(f"p. {page} {part:.3f}" for part, page in figures.worst[:1])
    disordered = ", ".join(f"p. {page} {part:.3f}" for part, page in figures.disordered[:1])
    order = f", order {figures.order:.3f} ({disordered})" if figures.placed else ""
    long = f"{figures.recall_of_long_words:.4f} of long ones"
    return (
        f"{figures.name}: {figures.pages} pages, {figures.words} words, {figures.recall:.4f} recovered ({worst}), "
        f"{long}, {figures.recall_as_read:.4f} as read{order}, {figures.cpu:.2f} CPU s"
    )


def _print_summary(measured: Sequence[PdfFigures]) -> None:
    judged = [figures for figures in measured if figures.words >= LEAST_WORDS and not figures.fault]
    columns = [figures for figures in judged if figures.placed]
    if not judged:
        sys.exit("No PDF with text was found.")
    words = sum(figures.words for figures in judged)
    found = sum(figures.found for figures in judged)
    furniture = sum(figures.furniture for figures in judged)
    cpu, bare = sum(figures.cpu for figures in measured), sum(figures.bare_cpu for figures in measured)
    rows = [
        ("PDFs, and those not read", f"{len(measured)}, {sum(bool(figures.fault) for figures in measured)}"),
        ("judged, with their pages", f"{len(judged)}, {sum(figures.pages for figures in judged)}"),
        ("words recovered", f"{share(found + furniture, words):.4f}"),
        ("… of the middle PDF", f"{median(figures.recall for figures in judged):.4f}"),
        (f"… PDFs at {GOOD:.0%}", f"{sum(figures.recall >= GOOD for figures in judged)}"),
        (
            f"… PDFs at {GOOD:.0%}, words of three letters or more",
            f"{sum(figures.recall_of_long_words >= GOOD for figures in judged)}",
        ),
        ("words left out as headers and footers", f"{share(furniture, words):.4f}"),
        ("two-column pages", f"{sum(figures.two_column_pages for figures in columns)} in {len(columns)} PDFs"),
        (
            "… words in order",
            f"{share(sum(figures.in_order for figures in columns), sum(figures.placed for figures in columns)):.4f}",
        ),
        (f"… PDFs at {GOOD:.0%}", f"{sum(figures.order >= GOOD for figures in columns)}"),
        ("CPU time against bare pypdfium2", f"{cpu / max(bare, 1e-9):.2f} × ({cpu:.1f} s, {bare:.1f} s)"),
    ]
    print("\n".join(["| what | figure |", "|---|---:|", *(f"| {what} | {figure} |" for what, figure in rows)]))


if __name__ == "__main__":
    main()
