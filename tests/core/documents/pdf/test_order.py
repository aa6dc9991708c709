"""Text comes in the order in which a person reads the page."""

from itertools import pairwise

import pytest

LEFT = [f"left line {number} tells of rivers and of the" for number in range(12)]
RIGHT = [f"right line {number} tells of hills and of some" for number in range(12)]


def assert_in_order(text: str, wanted: list[str]) -> None:
    flat = " ".join(text.split())
    places = [flat.find(words) for words in wanted]
    assert -1 not in places, [words for words, place in zip(wanted, places, strict=True) if place < 0]
    assert all(before < after for before, after in pairwise(places)), flat


def column_by_column(sheet, _):
    sheet.write(72, 700, *LEFT)
    sheet.write(320, 700, *RIGHT)


def row_by_row(sheet, _):
    for number, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
        sheet.write(72, 700 - 12 * number, left)
        sheet.write(320, 700 - 12 * number, right)


def right_column_first(sheet, _):
    sheet.write(320, 700, *RIGHT)
    sheet.write(72, 700, *LEFT)


def columns_that_do_not_align(sheet, _):
    for number, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
        sheet.write(72, 700 - 12 * number, left)
        sheet.write(320, 695 - 12 * number, right)


@pytest.mark.parametrize("draw", [column_by_column, row_by_row, right_column_first, columns_that_do_not_align])
def test_the_left_column_is_read_before_the_right_one(document, draw):
    assert_in_order(document(draw).pages[0].text, [*LEFT, *RIGHT])


def test_a_row_across_the_columns_is_read_between_the_text_above_and_below(document):
    across = "Figure 1. A caption that crosses both of the columns and so is read after all that stands above it."

    def draw(sheet, _):
        sheet.write(150, 750, "The title goes across both columns", size=18)
        for number in range(6):
            sheet.write(72, 700 - 12 * number, LEFT[number])
            sheet.write(320, 700 - 12 * number, RIGHT[number])
        sheet.write(80, 560, across)
        for number in range(6, 12):
            sheet.write(72, 600 - 12 * number, LEFT[number])
            sheet.write(320, 600 - 12 * number, RIGHT[number])

    wanted = ["# The title goes across", *LEFT[:6], *RIGHT[:6], across[:40], *LEFT[6:], *RIGHT[6:]]
    assert_in_order(document(draw).pages[0].text, wanted)


def test_three_columns_are_read_from_left_to_right(document):
    columns = [[f"{name} line {number} is short" for number in range(10)] for name in ("first", "second", "third")]

    def draw(sheet, _):
        for number in range(10):
            for x, column in zip((60, 230, 400), columns, strict=True):
                sheet.write(x, 700 - 12 * number, column[number])

    assert_in_order(document(draw).pages[0].text, [line for column in columns for line in column])


def test_a_column_whose_lines_are_mostly_indented_is_not_cut_in_two(document):
    def draw(sheet, _):
        sheet.write(72, 700, *LEFT)
        for number, line in enumerate(RIGHT):
            sheet.write(320 if number % 4 == 0 else 332, 700 - 12 * number, line)

    assert_in_order(document(draw).pages[0].text, [*LEFT, *RIGHT])


def test_columns_of_code_are_read_one_after_the_other(document):
    names = (
        "get",
        "put",
        "add",
        "pop",
        "top",
        "map",
        "zip",
        "sum",
        "max",
        "min",
        "any",
        "all",
        "len",
        "ord",
        "chr",
        "hex",
    )
    left = [f"x.{name}(i)" for name in names + names]
    right = [f"y.{name}(j)" for name in names + names]

    def draw(sheet, _):
        for number, line in enumerate(left):
            sheet.write(72 + number % 3 * 8, 700 - 12 * number, line)
        for number, line in enumerate(right):
            sheet.write(320 + number % 3 * 8, 700 - 12 * number, line)

    text = document(draw).pages[0].text
    assert [line for line in text.splitlines() if line] == [*left, *right]


def test_a_line_that_is_too_long_for_its_column_does_not_cross_the_page(document):
    long = "left line 5 has a name that is too long for it: environment_of_all"

    def draw(sheet, _):
        for number, line in enumerate([*LEFT[:5], long, *LEFT[6:]]):
            sheet.write(72, 700 - 12 * number, line)
        sheet.write(320, 694, *RIGHT)

    assert_in_order(document(draw).pages[0].text, [*LEFT[:5], long, *LEFT[6:], *RIGHT])


def test_a_table_with_a_column_of_text_is_read_row_by_row(document):
    rows = [(f"package-{number}", f"the package number {number} of them all") for number in range(7)]

    def draw(sheet, _):
        for number, row in enumerate(rows):
            sheet.write(72, 700 - 12 * number, row[0])
            sheet.write(280, 700 - 12 * number, row[1])
        sheet.write(
            72, 560, *["a line of prose goes from here to the other end of the page and on to the next one"] * 20
        )

    text = document(draw).pages[0].text
    assert "| package-3 | the package number 3 of them all |\n" in text


def test_a_rotated_page_is_read_as_displayed(document):
    def draw(sheet, _):
        sheet.canvas.setPageRotation(90)
        sheet.canvas.translate(612, 0)
        sheet.canvas.rotate(90)
        sheet.write(72, 500, "first line of the turned page", "second line of the turned page")

    text = document(draw).pages[0].text
    assert text == "first line of the turned page\nsecond line of the turned page\n"


def test_sideways_text_does_not_break_the_text(document):
    def draw(sheet, _):
        sheet.write(72, 700, "the first line of text goes on", "in the second line of the text.")
        sheet.canvas.rotate(90)
        sheet.write(300, -20, "arXiv:1234.5678 sideways")

    text = document(draw).pages[0].text
    assert text.startswith("the first line of text goes on\nin the second line of the text.\n")
    assert text.endswith("\narXiv:1234.5678 sideways\n")


def test_a_superscript_does_not_split_the_line_above_the_text(document):
    def draw(sheet, _):
        sheet.write(72, 700, "The area is 40 m")
        sheet.write(72 + sheet.canvas.stringWidth("The area is 40 m"), 704, "2", size=6)
        sheet.write(148, 700, "in all.")

    assert document(draw).pages[0].text == "The area is 40 m2 in all.\n\n"
