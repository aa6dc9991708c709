"""Which lines of a page are headings, code or parts of a table, and which names a table's columns have."""

import pytest

from studium.core.documents.pdf.headings import is_title
from studium.questions.rules.parsed_document import parse_document

PROSE = (
    "the river carries more water in spring than",
    "in any other season because the snow in the",
    "mountains melts and the rain does not stop",
    "before the end of May when farmers begin to",
    "sow what they will harvest in the autumn.",
)


def headings(page):
    return [line for line in page.text.splitlines() if line.startswith("#")]


def write_row(sheet, y, cells, places, font="Times-Roman"):
    for x, cell in zip(places, cells, strict=True):
        if cell:
            sheet.write(x, y, cell, font=font)


def table_of(page):
    return [line for line in page.text.splitlines() if line.startswith("|")]


def test_lines_in_a_typewriter_font_are_code_and_no_heading_or_table(document):
    def draw(sheet, _):
        y = sheet.write(72, 700, *PROSE)
        y = sheet.write(72, y - 10, "# apt-get update", "if x:", "    y = 1", font="Courier")
        sheet.write(72, y - 10, *PROSE)

    page = document(draw).pages[0]
    assert "\n\n```\n# apt-get update\nif x:\n    y = 1\n```\n\nthe river" in page.text
    assert [block.kind for block in page.blocks()] == ["text", "code", "text"]


def test_a_program_s_output_in_columns_is_code(document):
    def draw(sheet, _):
        y = sheet.write(72, 700, *PROSE)
        for number in range(4):
            write_row(sheet, y - 10 - 12 * number, (f"row{number}", str(number), "0.5"), (72, 180, 260), "Courier")

    page = document(draw).pages[0]
    assert not table_of(page)
    assert page.blocks()[-1].kind == "code"


def test_a_long_name_that_fills_a_line_of_prose_does_not_cut_it(document):
    def draw(sheet, _):
        y = sheet.write(72, 700, *PROSE[:2])
        y = sheet.write(72, y, "/usr/share/doc/rivers/spring/of/the/year", font="Courier")
        sheet.write(72, y, *PROSE[2:])

    assert len(document(draw).pages[0].blocks()) == 1


def test_a_document_in_a_typewriter_font_is_no_code(document):
    made = document(lambda sheet, _: sheet.write(72, 700, *PROSE, *PROSE, font="Courier"))
    assert [block.kind for block in made.pages[0].blocks()] == ["text"]


def test_a_line_that_starts_like_a_heading_in_markdown_is_none(document):
    made = document(lambda sheet, _: sheet.write(72, 700, "# 3 of the rivers are dry", *PROSE[1:]))
    assert made.pages[0].text.startswith("\\# 3 of the rivers are dry\n")


@pytest.mark.parametrize(
    "text",
    [
        "Table 3: The rivers of the north",
        "W = max |c (b − b)|",
        "exp − ∥v∥ 2σ22",
        "LC_MONETARY=English, LC_TIME=German",
        "one@example.org",
        "May 31, 2022",
        "students in mixed schools.",
        "The first of all rivers is long and wide.",
        "- the Rhine",
        "foo::bar(). The rest is needed by",
        "because of the rain,",
    ],
)
def test_large_text_that_is_no_title(text):
    assert not is_title(text, is_small=True)


@pytest.mark.parametrize(
    "text",
    [
        "Introduction",
        "2.1. The Exam data",
        "9.2.6 duck",
        "I18N and L10N",
        "What is a river?",
        "A. Data sets",
        "編集指針",
    ],
)
def test_large_text_that_is_a_title(text):
    assert is_title(text, is_small=True)


def test_the_text_between_small_tables_and_code_is_not_a_heading(document):
    def draw(sheet, number):
        if number != 2:
            sheet.write(72, 700, *PROSE * 3)
            return
        y = sheet.write(
            72, 700, *[f"a line of small code number {line}, with words in it" for line in range(20)], size=7
        )
        sheet.write(72, y - 10, "Each of them is as long as the others are.")

    made = document(draw, pages=3)
    assert headings(made.pages[1]) == []


def test_a_bold_line_over_text_is_a_heading_and_the_label_of_a_box_is_none(document):
    def draw(sheet, _):
        y = sheet.write(72, 700, *PROSE)
        y = sheet.write(72, y - 10, "Rivers in Spring", font="Times-Bold")
        y = sheet.write(72, y, *PROSE)
        y = sheet.write(72, y - 10, "Note", font="Times-Bold")
        y = sheet.write(72, y, *PROSE)
        sheet.write(72, y - 10, "One bold line that ends a paragraph", font="Times-Bold")

    assert headings(document(draw).pages[0]) == ["#### Rivers in Spring"]


def test_a_word_broken_in_a_heading_is_joined(document):
    def draw(sheet, _):
        y = sheet.write(72, 700, "The long story of the river that carries wa-", "ter in spring", size=16)
        sheet.write(72, y - 20, *PROSE)

    assert headings(document(draw).pages[0]) == ["## The long story of the river that carries water in spring"]


def test_lines_that_are_far_apart_are_one_paragraph(document):
    def draw(sheet, _):
        for number, line in enumerate(PROSE):
            sheet.write(72, 700 - 26 * number, line)
        for number, line in enumerate(PROSE):
            sheet.write(72, 700 - 26 * 5 - 40 - 26 * number, line)

    assert document(draw).pages[0].text == "\n".join(PROSE) + "\n\n" + "\n".join(PROSE) + "\n\n"


def test_short_lines_that_are_far_apart_stay_apart(document):
    def draw(sheet, _):
        for number, line in enumerate(
            ("Rivers of the north", "and their many bridges over time", "By A. Author", "2020")
        ):
            sheet.write(72, 700 - 26 * number, line)

    assert len(document(draw).pages[0].blocks()) == 4


COLUMNS = (72, 200, 320)
BODY = [("Rhine", "flows north", "long"), ("Elbe", "flows west", "wide"), ("Oder", "flows east", "deep")]


def test_a_table_whose_header_is_not_told_has_no_column_names_and_gives_no_table_for_questions(document):
    def draw(sheet, _):
        for number, row in enumerate(BODY):
            write_row(sheet, 600 - 14 * number, row, COLUMNS)

    page = document(draw).pages[0]
    assert table_of(page)[:3] == ["|  |  |  |", "| --- | --- | --- |", "| Rhine | flows north | long |"]
    assert parse_document(page.text).tables == ()


def test_a_bold_header_on_two_lines_names_the_columns(document):
    def draw(sheet, _):
        write_row(sheet, 614, ("River", "Direction of", "Its"), COLUMNS, "Times-Bold")
        write_row(sheet, 602, ("", "the water", "shape"), COLUMNS, "Times-Bold")
        for number, row in enumerate(BODY):
            write_row(sheet, 588 - 14 * number, row, COLUMNS)

    assert table_of(document(draw).pages[0])[0] == "| River | Direction of the water | Its shape |"


def test_a_header_on_two_lines_over_numbers_names_the_columns(document):
    def draw(sheet, _):
        rows = [("River", "Mean", "Greatest"), ("", "flow", "depth"), ("Rhine", "2900", "16"), ("Elbe", "870", "18")]
        for number, row in enumerate([*rows, ("Oder", "567", "10")]):
            write_row(sheet, 600 - 14 * number, row, COLUMNS)

    assert table_of(document(draw).pages[0])[:3] == [
        "| River | Mean flow | Greatest depth |",
        "| --- | --- | --- |",
        "| Rhine | 2900 | 16 |",
    ]


def test_a_header_that_is_set_apart_or_over_phrases_names_the_columns(document):
    def draw(sheet, number):
        rows = BODY if number == 1 else [(a, f"{b} by towns", c) for a, b, c in BODY]
        write_row(sheet, 600, ("River", "Course", "Shape"), COLUMNS)
        for place, row in enumerate(rows):
            write_row(sheet, (580 if number == 1 else 586) - 14 * place, row, COLUMNS)

    for page in document(draw, pages=2).pages:
        assert table_of(page)[0] == "| River | Course | Shape |"


def test_a_row_that_continues_the_cells_above_is_merged(document):
    def draw(sheet, _):
        write_row(sheet, 600, ("River", "Course", "Length"), COLUMNS, "Times-Bold")
        write_row(sheet, 586, ("Rhine", "through many cities", "1233 km"), COLUMNS)
        write_row(sheet, 574, ("", "and into the sea", ""), COLUMNS)
        write_row(sheet, 560, ("Elbe", "through other towns", "1094 km"), COLUMNS)
        write_row(sheet, 546, ("", "flows", "870 km"), COLUMNS)
        write_row(sheet, 532, ("Oder", "to the east of it", "840 km"), COLUMNS)

    assert table_of(document(draw).pages[0])[2:] == [
        "| Rhine | through many cities and into the sea | 1233 km |",
        "| Elbe | through other towns | 1094 km |",
        "|  | flows | 870 km |",
        "| Oder | to the east of it | 840 km |",
    ]


def test_the_lines_around_a_centred_label_are_its_row(document):
    def draw(sheet, _):
        write_row(sheet, 600, ("River", "Course", "Length"), COLUMNS, "Times-Bold")
        write_row(sheet, 588, ("", "through many cities", ""), COLUMNS)
        write_row(sheet, 576, ("Rhine", "that are old and so", "1233 km"), COLUMNS)
        write_row(sheet, 564, ("", "to the sea", ""), COLUMNS)
        write_row(sheet, 552, ("Elbe", "from the mountains", "1094 km"), COLUMNS)
        write_row(sheet, 540, ("Oder", "to the east", "840 km"), COLUMNS)

    assert table_of(document(draw).pages[0])[2:] == [
        "| Rhine | through many cities that are old and so to the sea | 1233 km |",
        "| Elbe | from the mountains | 1094 km |",
        "| Oder | to the east | 840 km |",
    ]


def raised(sheet, x, y, *parts):
    """Write parts on one line; those that start with `^` are small and raised, those with `_` small and lowered."""
    text = sheet.canvas.beginText(x, y)
    for part in parts:
        small = part[0] in "^_"
        text.setFont("Times-Roman", 7 if small else 10)
        text.setRise({"^": 4, "_": -3}.get(part[0], 0))
        text.textOut(part[1:] if small else part)
    sheet.canvas.drawText(text)


@pytest.mark.parametrize(
    ("parts", "line"),
    [
        (("in the river", "^1", " and on"), "in the river and on"),
        (("into the sea.", "^12", " Then"), "into the sea. Then"),
        (("by the author", "^*", ", who"), "by the author, who"),
        (("by the author", "^†", " alone"), "by the author alone"),
        (("^2", "Even the older rivers"), "Even the older rivers"),
        (("an area of 5 km", "^2", " or x", "^2", " more"), "an area of 5 km2 or x2 more"),
        (("the log", "^2", " of water", "_2", " left"), "the log2 of water2 left"),
        (("the package roxygen2 and 10", "^3", " more"), "the package roxygen2 and 103 more"),
    ],
)
def test_marks_of_footnotes_are_left_out_and_exponents_stay(document, parts, line):
    def draw(sheet, _):
        y = sheet.write(72, 700, *PROSE)
        raised(sheet, 72, y - 20, *parts)

    assert document(draw).pages[0].text.strip().splitlines()[-1] == line


def test_a_page_with_sideways_text_only_is_read_with_its_numbers(document):
    def draw(sheet, _):
        sheet.canvas.setPageRotation(90)
        sheet.write(72, 700, "1.1 Method")

    assert "1.1 Method" in document(draw).pages[0].text
