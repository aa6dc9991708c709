"""PDFs made for the tests, line by line where they shall stand."""

from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from studium.core.documents.pdf.reader import read
from studium.core.documents.registry import ReadResult
from studium.core.domain.document import Document

LETTER = (612, 792)
LEADING = 12
PROSE = (
    "the river carries more water in spring than",
    "in any other season because the snow in the",
    "mountains melts and the rain does not stop",
    "before the end of May when farmers begin to",
    "sow what they will harvest in the autumn of",
)


class Sheet:
    """A page on which lines are written in 10 points, and whatever else."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas

    def write(self, x: float, y: float, *lines: str, size: float = 10, font: str = "Times-Roman") -> float:
        """Write lines one under the other; the height at which the next would stand."""
        self.canvas.setFont(font, size)
        for line in lines:
            self.canvas.drawString(x, y, line)
            y -= LEADING * size / 10
        return y


Draw = Callable[[Sheet, int], None]


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    """A PDF of some pages, each drawn by a function of the sheet and the page's number."""

    def write(draw: Draw, pages: int = 1, **options: object) -> Path:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.pdf"
        canvas = Canvas(str(path), **({"pagesize": LETTER} | options))
        for number in range(1, pages + 1):
            draw(Sheet(canvas), number)
            canvas.showPage()
        canvas.save()
        return path

    return write


@pytest.fixture
def reading(written: Callable[..., Path]) -> Callable[..., ReadResult]:
    def make(draw: Draw, pages: int = 1, **options: object) -> ReadResult:
        return read(written(draw, pages, **options), max_bytes=50_000_000)

    return make


@pytest.fixture
def document(reading: Callable[..., ReadResult]) -> Callable[..., Document]:
    def make(draw: Draw, pages: int = 1, **options: object) -> Document:
        made = reading(draw, pages, **options)
        assert made.document is not None, made.findings
        assert made.findings == ()
        return made.document

    return make
