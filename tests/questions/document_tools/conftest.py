from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from studium.core.documents.registry import read_document
from studium.core.domain.document import Document


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Document]:
    """A document read from a file with this text."""

    def write(text: str, suffix: str = ".txt") -> Document:
        path = tmp_path / f"document{suffix}"
        path.write_text(text, encoding="utf-8", newline="")
        document = read_document(path).document
        assert document is not None
        return document

    return write


@pytest.fixture
def pdf(tmp_path: Path) -> Document:
    """Three pages; the second has a figure."""
    path = tmp_path / "paper.pdf"
    canvas = Canvas(str(path), pagesize=(300, 400))
    for number in (1, 2, 3):
        for line in range(8):
            canvas.drawString(40, 350 - 14 * line, f"Line {line} of page {number} says little.")
        if number == 2:
            canvas.rect(60, 60, 120, 80, fill=1)
            canvas.drawString(40, 40, "Figure 1. The shape of the valley.")
        canvas.showPage()
    canvas.save()
    document = read_document(path).document
    assert document is not None
    return document
