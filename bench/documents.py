"""The text of PDFs compared with bare pypdfium2, which does not handle columns and headers, in the same run."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from studium.core.documents.pdf import read
from studium.core.domain.document import Document

Row = tuple[str, float, str, str]
_ROUNDS = 7
_WORDS = (
    *("time", "people", "history", "state", "system", "network", "result", "protein", "value", "market", "under"),
    *("language", "water", "between", "approach", "measure", "model", "energy", "cells", "river", "government"),
)


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        return [*_text(Path(folder)), *_one_page(Path(folder))]


def _text(folder: Path) -> list[Row]:
    rows: list[Row] = []
    for name, by_rows in (("column by column", False), ("row by row", True)):
        path = folder / "columns.pdf"
        _write(path, 200, by_rows=by_rows)
        bare, ours = _least(lambda path=path: _bare(path), lambda path=path: _ours(path))
        rows += [
            (f"PDF of 200 two-column pages, written {name}: bare pypdfium2", bare * 1000, "CPU ms", ""),
            (f"PDF of 200 two-column pages, written {name}: our text / bare", ours / bare, "x", "<= 1.3"),
        ]
    return rows


def _one_page(folder: Path) -> list[Row]:
    path = folder / "long.pdf"
    _write(path, 500, by_rows=False)
    whole, third = _least(lambda: _ours(path), lambda: _document(path).pages[2].text)
    return [("PDF of 500 pages: page 3 alone / all pages", third / whole, "x", "<= 0.05")]


def _least(*works: Callable[[], object]) -> list[float]:
    """The least CPU seconds of each; they take turns, so that other load affects all equally."""
    least = [float("inf")] * len(works)
    for _ in range(_ROUNDS):
        for number, work in enumerate(works):
            started = time.process_time()
            work()
            least[number] = min(least[number], time.process_time() - started)
    return least


def _document(path: Path) -> Document:
    document = read(path, max_bytes=10**9).document
    assert document is not None
    return document


def _ours(path: Path) -> str:
    return _document(path).text


def _bare(path: Path) -> str:
    import pypdfium2

    texts = []
    with pypdfium2.PdfDocument(path.read_bytes()) as pdf:
        for page in pdf:
            textpage = page.get_textpage()
            texts.append(textpage.get_text_bounded())
            textpage.close()
            page.close()
    return "".join(texts)


def _write(path: Path, pages: int, *, by_rows: bool) -> None:
    from reportlab.pdfgen.canvas import Canvas

    random = Random(path.name)  # noqa: S311  # words for a page, not a secret
    canvas = Canvas(str(path), pagesize=(612, 792))
    for number in range(1, pages + 1):
        canvas.setFont("Times-Roman", 9)
        canvas.drawString(72, 760, "Annals of Examples")
        canvas.drawRightString(540, 760, str(number))
        canvas.setFont("Times-Bold", 16)
        canvas.drawString(72, 720, f"Section {number}: what the matter is")
        canvas.setFont("Times-Roman", 10)
        lines = [(x, 690 - 12 * row) for x in (72, 322) for row in range(50)]
        for x, y in sorted(lines, key=lambda place: -place[1]) if by_rows else lines:
            canvas.drawString(x, y, " ".join(random.choices(_WORDS, k=7)))
        canvas.showPage()
    canvas.save()


if __name__ == "__main__":
    for row in measure():
        print(*row)
