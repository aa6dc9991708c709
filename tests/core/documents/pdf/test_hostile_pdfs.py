"""PDFs that attack or surprise their reader: each is read, or refused with the limit it passed, in little memory."""

import json
import subprocess
import sys
import time
import zlib
from functools import partial

import pytest

from studium.core.documents import text_file
from studium.core.documents.pdf import reader
from studium.core.documents.pdf.form_limits import Form, endless_forms
from studium.core.documents.pdf.headers_footers import _value, _Wording, remove_headers_footers
from studium.core.documents.pdf.layout import PageLayout, TextPiece, _Cut, _is_seen, _parts, sort_in_reading_order
from studium.core.documents.pdf.pdfium import Pdf
from studium.core.documents.pdf.reader import PdfSource, read
from studium.core.documents.pdf.stream_limits import bound_streams
from studium.core.documents.registry import DocumentCache, read_document
from studium.core.domain.errors import BadInput, InternalFault

HELLO = b"BT /F1 10 Tf 72 720 Td (Words that are read.) Tj ET\n"

_MEASURE = """
import json, resource, sys, time
from pathlib import Path
import pypdfium2
from studium.core.documents.pdf.reader import read
start, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
reading = read(Path(sys.argv[1]), max_bytes=50_000_000)
if reading.document:
    reading.document.text, reading.document.visuals()
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
findings = [*reading.findings, *(reading.document.page_findings if reading.document else ())]
print(json.dumps([time.process_time() - start, (after - before) / 1024, [each.message for each in findings]]))
"""


def pdf_file(*objects: bytes) -> bytes:
    """A PDF of these objects; the first is its catalog."""
    data, offsets = b"%PDF-1.7\n", []
    for number, each in enumerate(objects, 1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    end = b"trailer <</Size %d /Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (size, len(data))
    return data + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + end


def stream(data: bytes, extra: bytes = b"", layers: int = 1) -> bytes:
    for _ in range(layers):
        data = zlib.compress(data, 9)
    filters = b"/Filter [%s]" % (b"/FlateDecode " * layers) if layers else b""
    return b"<<%s %s /Length %d>>\nstream\n%s\nendstream" % (extra, filters, len(data), data)


def pages(*contents: bytes, resources: bytes = b"", more: tuple[bytes, ...] = (), count: int | None = None) -> bytes:
    """A PDF with a page for each content stream, or with the first page `count` times."""
    first = 4
    numbers = range(first, first + len(contents))
    kids = b" ".join(b"%d 0 R" % (number + len(contents)) for number in numbers) if count is None else b"5 0 R " * count
    shared = b"<</Font<</F1 3 0 R>>%s>>" % resources
    sheets = [
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources %s/Contents %d 0 R>>" % (shared, number)
        for number in numbers
    ]
    return pdf_file(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count or len(contents)),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        *contents,
        *sheets,
        *more,
    )


def many(instruction: bytes, times: int = 3_000_000) -> bytes:
    return stream(HELLO + b"BT /F1 10 Tf 72 700 Td 1 TL " + instruction * times + b" ET")


HUGE_IMAGE = stream(b"\0" * 1000, b"/Subtype/Image/Width 100000/Height 100000/ColorSpace/DeviceRGB/BitsPerComponent 8")


def repeating(instruction: bytes, times: int = 3_000_000) -> bytes:
    return pages(many(instruction, times))


def page_of_spaces(size: int) -> bytes:
    return pages(stream(b" " * size, layers=2))


def page_many_times(count: int) -> bytes:
    return pages(stream(HELLO), count=count)


def page_of_a_huge_image() -> bytes:
    return pages(stream(b"/I Do"), resources=b"/XObject<</I 6 0 R>>", more=(HUGE_IMAGE,))


def page_of_forms(count: int) -> bytes:
    """A page that draws a form; each form draws the next one twice, and the last one the first."""
    head = b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>>>"
    forms = (stream(b"/X Do /X Do", head % (6 + (n + 1) % count)) for n in range(count))
    return pages(stream(HELLO + b"/X Do"), resources=b"/XObject<</X 6 0 R>>", more=tuple(forms))


LARGE = {
    "Tj": (partial(repeating, b"(a) Tj "), "250,000 drawing instructions"),
    "quote": (partial(repeating, b"(a)'"), "250,000 drawing instructions"),
    "paths": (partial(repeating, b"0 0 m 9 9 l S "), "250,000 drawing instructions"),
    "saved": (partial(repeating, b"q ", 10_000_000), "nested more than 5,000 deep"),
    "layers": (partial(page_of_spaces, 200_000_000), "unpack"),
    "pages": (partial(page_many_times, 20_000), "10,000 are read"),
}
SMALL = {
    "few Tj": (partial(repeating, b"(a) Tj ", 260_000), "250,000 drawing instructions"),
    "few quotes": (partial(repeating, b"(a)'", 260_000), "250,000 drawing instructions"),
    "few paths": (partial(repeating, b"0 0 m 9 9 l S ", 260_000), "250,000 drawing instructions"),
    "some saved": (partial(repeating, b"q ", 600_000), "nested more than 5,000 deep"),
    "marked": (partial(repeating, b"/a BMC ", 20_000), "nested more than 5,000 deep"),
    "thin layers": (partial(page_of_spaces, 65_000_000), "unpack"),
    "characters": (partial(repeating, b"(a) Tj ", 240_000), "200,000 characters"),
    "many forms": (partial(repeating, b"/X Do ", 20_000), "10,000 forms or images"),
    "form in itself": (partial(page_of_forms, 1), "draw each other"),
    "forms": (partial(page_of_forms, 20), "draw each other"),
    "image": (page_of_a_huge_image, "images of more than 300 MB"),
}


@pytest.mark.parametrize(
    ("make", "limit"),
    [
        *(pytest.param(*each, id=name) for name, each in SMALL.items()),
        *(pytest.param(*each, id=name, marks=pytest.mark.endurance) for name, each in LARGE.items()),
    ],
)
def test_a_small_pdf_that_would_take_gigabytes_names_the_limit(tmp_path, make, limit):
    path = tmp_path / "small.pdf"
    path.write_bytes(make())

    measured = subprocess.run(
        [sys.executable, "-c", _MEASURE, str(path)], capture_output=True, text=True, check=True, timeout=120
    )

    seconds, megabytes, findings = json.loads(measured.stdout)
    assert seconds < 10  # of a busy machine; 5 at most when it is idle
    assert megabytes < 400
    assert any(limit in finding for finding in findings), findings


def test_pages_beyond_the_limit_are_named(tmp_path):
    path = tmp_path / "small.pdf"
    path.write_bytes(page_many_times(10_001))

    [finding] = read(path, max_bytes=50_000_000).findings

    assert "10,000 are read" in finding.message


def test_pages_that_all_draw_much_are_read_up_to_a_limit():
    words = TextPiece("words", 72, 700, 90, 710)
    source = PdfSource(Pdf(pages(stream(HELLO))), lambda _: PageLayout([words], "words", objects=8), "a.pdf", 9, 100)

    assert [source.text_of(index).strip() for index in range(5)] == ["words"] * 3 + ["", ""]
    [finding] = source.findings
    assert "more than 100 characters and shapes" in finding.message
    assert finding.where.page == 3


@pytest.mark.parametrize(
    "data", [pages(stream(rb"/F1 \( Tf " * 600_000)), pages(stream(HELLO)) + b"/Contents [1 0 R " * 60_000]
)
def test_what_is_never_closed_is_looked_at_once(data):
    started = time.process_time()
    assert not bound_streams(data).limits
    assert time.process_time() - started < 4


def test_forms_within_forms_are_drawn(tmp_path):
    head = b"/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</Font<</F1 3 0 R>>/XObject<</X %d 0 R>>>>"
    inner = (stream(b"/X Do", head % 7), stream(HELLO, head % 6))
    path = tmp_path / "forms.pdf"
    path.write_bytes(pages(stream(b"/X Do"), resources=b"/XObject<</X 6 0 R>>", more=inner))

    reading = read(path, max_bytes=50_000_000)

    assert "Words that are read." in reading.document.text
    assert not reading.findings


def test_forms_with_resources_of_their_own_object_are_counted():
    twice, circle = b"/X Do /X Do", b"<</Type/XObject/Subtype/Form/Resources 1 0 R>>"
    data = b"1 0 obj<</XObject 2 0 R>>endobj 2 0 obj<</X 3 0 R>>endobj"
    form = Form(3, circle, (0, 0))
    form.add(twice)

    assert endless_forms(data, [form]) == [form]
    assert endless_forms(data.replace(b"/X 3", b"/X 4"), [form]) == []


def test_a_form_that_is_not_looked_into_may_not_name_itself():
    named = b"<</Subtype/Form/Resources<</XObject<</X 3 0 R>>>>/Filter/RunLengthDecode>>"
    form = Form(3, named, (0, 0), is_unread=True)

    assert endless_forms(b"", [form]) == [form]
    assert endless_forms(b"", [Form(4, named, (0, 0), is_unread=True)]) == []


def test_the_other_pages_are_kept(tmp_path):
    path = tmp_path / "two.pdf"
    path.write_bytes(pages(many(b"(a) Tj ", 260_000), stream(HELLO)))

    reading = read(path, max_bytes=50_000_000)

    assert "Words that are read." in reading.document.text
    assert [finding.code for finding in reading.findings] == ["document.limit"]


def test_cyclic_page_trees_and_endless_nesting_end(tmp_path):
    cyclic = pdf_file(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[2 0 R 3 0 R]/Count 1000000>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>",
    )
    for name, data in {"cyclic.pdf": cyclic, "brackets.pdf": pages(stream(HELLO + b"[" * 1_000_000))}.items():
        path = tmp_path / name
        path.write_bytes(data)
        reading = read(path, max_bytes=50_000_000)
        assert reading.document is None or reading.document.text


def test_several_gaps_before_one_word_leave_no_empty_piece():
    line = TextPiece("left right", 0, 0, 100, 10, 7)

    parts = _parts(line, [_Cut(5, 20, 40), _Cut(5, 45, 60)])

    assert [(part.text, part.left, part.start) for part in parts] == [("left", 0, 7), ("right", 60, 12)]


def test_boxes_that_are_no_numbers_are_left_out():
    endless, nothing = float("inf"), float("nan")

    for box in [(0, 0, 10, endless), (0, nothing, 10, 10), (nothing, 0, 10, 10), (0, 0, endless, 10)]:
        assert not _is_seen(TextPiece("word", *box), 600, 800)


def test_a_page_of_a_thousand_columns_is_read():
    pieces = [
        TextPiece("a word in its column", 100 * column, 700 - 10 * row, 100 * column + 90, 708 - 10 * row)
        for column in range(1000)
        for row in range(4)
    ]

    assert sum(len(row) for column in sort_in_reading_order(pieces) for row in column) == len(pieces)


@pytest.mark.parametrize("text", ["#", "5 # 6", "# 1", "²", "9" * 5000, "\u0130", "\u0131x"])
@pytest.mark.parametrize("other", ["#", "7", "# #", "12 # 14", "9" * 5000])
def test_headers_with_numbers_unlike_each_other_are_compared(text, other):
    def page(words: str) -> PageLayout:
        pieces = [TextPiece(words, 50, 780, 90, 790), *(TextPiece("text", 50, y, 90, y + 10) for y in (300, 400, 500))]
        return PageLayout(pieces, words, (), 600, 800)

    kept = remove_headers_footers(5, page(text), {1: page(other), 2: page(other)}, 10)

    assert len(kept) in (3, 4)


def test_a_text_is_cut_at_its_numbers():
    assert _Wording.of("Chapter 3, page 12") == (("Chapter ", ", page ", ""), (3, 12))
    assert _Wording.of("9" * 30).numbers == ()
    assert _value("xiv") == 14


class TestAFaultOfOurs:
    """An unexpected exception becomes a finding for the page or the file, and says whose fault it is."""

    def test_of_a_page_leaves_the_others(self, written, monkeypatch):
        path = written(lambda sheet, number: sheet.write(72, 700, f"Page {number} has words."), pages=3)
        made = read(path, max_bytes=50_000_000).document
        real = reader.build_text
        monkeypatch.setattr(
            reader,
            "build_text",
            lambda columns, *rest: 1 / 0 if "Page 2" in columns[0][0][0].text else real(columns, *rest),
        )

        assert "Page 1" in made.text
        assert "Page 3" in made.text
        [finding] = made.page_findings
        assert finding.code == "document.fault"
        assert finding.where.page == 2
        assert "fault of Studium (ZeroDivisionError" in finding.message

    def test_of_a_file_is_not_the_users(self, tmp_path, monkeypatch):
        path = tmp_path / "words.txt"
        path.write_text("Words.")
        monkeypatch.setattr(text_file, "read", lambda *_, **__: 1 / 0)

        [finding] = read_document(path).findings
        assert finding.code == "document.fault"
        with pytest.raises(InternalFault) as raised:
            DocumentCache().document(str(path))
        assert not isinstance(raised.value, BadInput)
        assert "report it" in raised.value.remedy

    def test_the_findings_of_pages_come_from_the_reader_process(self, tmp_path):
        path = tmp_path / "long.pdf"
        path.write_bytes(pages(stream(HELLO), many(b"(a) Tj ", 240_000)))

        [finding] = read_document(path).document.page_findings

        assert "200,000 characters" in finding.message
        assert finding.where.page == 2
