"""The text of PDFs against a reference, which is given here and made by pymupdf otherwise."""

import pytest
from reportlab.pdfgen.canvas import Canvas

from evaluation import pdf_text

LEFT = [f"left line {number} of the page has word{number}a" for number in range(14)]
RIGHT = [f"right line {number} of the page has word{number}b" for number in range(14)]


def reference(*lines: tuple[str, float, float]):
    return lambda _path: iter([[pdf_text._Line(text.split(), left, right) for text, left, right in lines]])


@pytest.fixture
def folder(tmp_path):
    canvas = Canvas(str(tmp_path / "columns.pdf"))
    for x, column in ((72, LEFT), (320, RIGHT)):
        for number, line in enumerate(column):
            canvas.drawString(x, 700 - 14 * number, line)
    canvas.showPage()
    canvas.save()
    return tmp_path


def test_words_and_order_are_compared(folder, monkeypatch):
    columns = [(line, 72, 300) for line in LEFT] + [(line, 320, 540) for line in RIGHT]
    monkeypatch.setattr(pdf_text, "_reference", reference(*columns))
    figures = pdf_text.measure(folder / "columns.pdf")
    assert (figures.recall, figures.order, figures.two_column_pages, figures.fault) == (1.0, 1.0, 1, "")
    monkeypatch.setattr(pdf_text, "_reference", reference(*columns[14:], *columns[:14], ("never written", 72, 200)))
    figures = pdf_text.measure(folder / "columns.pdf")
    assert figures.words - figures.found == 2
    assert figures.order < 0.6


def test_a_word_broken_between_lines_counts_joined_or_in_two(folder, monkeypatch):
    monkeypatch.setattr(pdf_text, "_reference", reference(("the pa-", 72, 100), ("ge", 72, 100), ("left", 72, 99)))
    assert pdf_text.measure(folder / "columns.pdf").recall == 1.0


def test_the_figures_of_a_folder_are_printed(folder, monkeypatch, capsys):
    monkeypatch.setattr(pdf_text, "_reference", reference(*[(line, 72, 300) for line in (*LEFT, *RIGHT)]))
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    pdf_text.main([str(folder), "--verbose"])
    printed = capsys.readouterr().out
    assert "broken.pdf: ValueError" in printed
    assert "| PDFs, and those not read | 2, 1 |" in printed
    assert "| words recovered | 1.0000 |" in printed
