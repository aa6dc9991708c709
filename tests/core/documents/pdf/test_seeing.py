"""Pages as images, and what there is to see on them."""

import sys
from io import BytesIO

import pytest
from PIL import Image, ImageDraw
from reportlab.lib.utils import ImageReader

from studium.core.domain.document import PageRenderError

PROSE = ("The river carries more water in spring than", "in any other season because the snow melts.")


def photograph(width: int = 300, height: int = 200) -> ImageReader:
    return ImageReader(Image.effect_mandelbrot((width, height), (-3, -2.5, 2, 2.5), 100))


def painted(document, page: int) -> Image.Image:
    image = document.paint(page)
    assert image.media_type == "image/jpeg"
    assert len(image.data) <= 3_700_000
    return Image.open(BytesIO(image.data))


@pytest.mark.parametrize("size", [(612, 792), (842, 595), (14_400, 14_400), (30, 20)])
def test_a_page_is_rendered_within_the_limits(document, size):
    made = document(lambda sheet, _: sheet.write(2, 2, "Seen"), pagesize=size)
    image = painted(made, 1)
    assert image.format == "JPEG"
    assert max(image.size) <= 1568
    assert image.width / image.height == pytest.approx(size[0] / size[1], rel=0.05)


def test_a_rendered_page_shows_its_content(document):
    def draw(sheet, _):
        sheet.write(72, 700, "Black on white, and a red box:")
        sheet.canvas.setFillColorRGB(1, 0, 0)
        sheet.canvas.rect(100, 300, 400, 200, stroke=0, fill=1)

    image = painted(document(draw), 1)
    red = image.getpixel((image.width // 2, image.height // 2))
    assert red[0] > 200
    assert max(red[1:]) < 60


@pytest.mark.parametrize("page", [0, -1, 4, 10**9])
def test_a_missing_page_cannot_be_rendered(document, page):
    made = document(lambda sheet, _: sheet.write(72, 700, "Here"), 3)
    with pytest.raises(PageRenderError, match="3 pages"):
        made.paint(page)


def test_a_page_of_an_absurd_shape_cannot_be_rendered_but_the_next_can(document):
    def draw(sheet, number):
        sheet.canvas.setPageSize((14_000, 1) if number == 1 else (612, 792))
        sheet.write(72, 0 if number == 1 else 700, "Here")

    made = document(draw, 2)
    with pytest.raises(PageRenderError, match="another page"):
        made.paint(1)
    assert painted(made, 2).height > 1000


def test_figures_tables_and_images_are_found_with_their_captions(document):
    def draw(sheet, number):
        sheet.write(72, 700, *PROSE)
        if number == 1:
            sheet.canvas.drawImage(photograph(), 100, 400, 300, 200)
            sheet.write(100, 380, "Figure 1: The river in spring,", "seen from the bridge.")
            sheet.write(72, 330, "Figure 1 shows the river, and it shows", "how much water it carries.")
        elif number == 2:
            sheet.write(100, 640, "Table 2. Lengths of rivers")
            for row, cells in enumerate((("River", "Length"), ("Rhine", "1233 km"), ("Elbe", "1094 km"))):
                sheet.write(100, 615 - 14 * row, cells[0])
                sheet.write(250, 615 - 14 * row, cells[1])
            sheet.write(
                72, 500, "The Rhine and the Elbe flow north, and so", "does the Oder, which the table leaves out."
            )
            sheet.canvas.drawImage(photograph(), 100, 200, 300, 200)
        else:
            sheet.canvas.drawImage(photograph(8, 8), 100, 600, 8, 8)

    made = document(draw, 3)
    assert [(visual.kind, visual.caption, visual.where.page) for visual in made.visuals()] == [
        ("figure", "Figure 1: The river in spring, seen from the bridge.", 1),
        ("table", "Table 2. Lengths of rivers", 2),
        ("image", "", 2),
    ]
    first = made.visuals()[0]
    assert made.lines(first.where.line, first.where.line)[0].text == "Figure 1: The river in spring,"


@pytest.mark.parametrize(
    ("caption", "kind"),
    [
        ("Fig. 3 The delta of the river", "figure"),
        ("TABLE IV", "table"),
        ("Abbildung 2: Der Rhein", "figure"),
        ("Tabelle 1. Längen", "table"),
        ("Tabla 4: Longitudes", "table"),
        ("Figura 1.2 - El río", "figure"),
    ],
)
def test_captions_are_known_in_several_languages(document, caption, kind):
    def draw(sheet, _):
        sheet.write(72, 700, *PROSE)
        sheet.write(72, 600, caption)

    assert [(visual.kind, visual.caption) for visual in document(draw).visuals()] == [(kind, caption)]


@pytest.mark.parametrize("text", ["Figure 3 shows that it is so.", "Table of contents", "Tables 1 and 2 differ."])
def test_a_mention_of_a_figure_is_not_a_caption(document, text):
    assert document(lambda sheet, _: sheet.write(72, 700, text)).visuals() == ()


def test_ruling_lines_mark_a_table(document):
    def draw(sheet, _):
        sheet.write(72, 700, *PROSE)
        for y in (600, 580, 560, 500):
            sheet.canvas.line(100, y, 400, y)
        sheet.write(110, 585, "River and its length")

    assert [visual.kind for visual in document(draw).visuals()] == ["table"]


def test_a_background_image_is_not_a_picture(document):
    def draw(sheet, _):
        sheet.canvas.drawImage(photograph(), 0, 0, 612, 792)
        sheet.write(72, 700, *PROSE)

    assert document(draw).visuals() == ()


def draw_scan(sheet, number):
    image = Image.new("L", (750, 250), 255)
    pen = ImageDraw.Draw(image)
    for line, words in enumerate(("The scanned page has two lines", f"and this is number {number} of two")):
        pen.text((40, 60 + 60 * line), words, fill=0, font_size=36)
    sheet.canvas.setPageSize((360, 120))
    sheet.canvas.drawImage(ImageReader(image), 0, 0, 360, 120)


def test_a_scanned_page_is_read_by_ocr_and_reported(reading):
    pytest.importorskip("rapidocr", reason="pip install 'studium[ocr]'")
    made = reading(draw_scan, 2)
    assert [(finding.code, finding.severity) for finding in made.findings] == [("document.ocr", "info")]
    assert made.document.pages[1].text.split() == [
        "The",
        "scanned",
        "page",
        "has",
        "two",
        "lines",
        "and",
        "this",
        "is",
        "number",
        "2",
        "of",
        "two",
    ]
    assert made.document.visuals() == ()


def test_without_ocr_a_scan_can_be_viewed_and_the_remedy_is_given(reading, monkeypatch):
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    made = reading(draw_scan, 2)
    assert [(finding.code, finding.severity) for finding in made.findings] == [("document.no_text", "warning")]
    assert "pip install 'studium[ocr]'" in made.findings[0].message
    assert made.document.text.strip() == ""
    assert painted(made.document, 2).width > 1000
