"""PDF files written by hand: page trees, fonts and streams of every filter, with wrong lengths, references and tables."""
# ruff: noqa: E501 - tables read better in long lines

import zlib
from base64 import a85encode

from hypothesis import strategies as st
from tests.fuzz.pieces import FEW, MANY, NUMBERS, TIMES, Case, damaged, encode, repeated, seldom

_OPERATIONS = (
    "BT /F1 12 Tf 72 700 Td ({}) Tj ET", "({}) Tj", "[({}) -250 ({})] TJ", "<{}> Tj", "T*", "0 -14 Td", "1 0 0 1 72 {} Tm", "{} {} Td", "/F1 {} Tf", "/F2 9 Tf", "({}) '", "3 Tr", "{} TL", "{} Tc", "{} Tz",
    "q", "Q", "1 0 0 1 {} {} cm", "0 1 -1 0 300 300 cm", "0 0 {} {} re f", "0 0 m {} {} l S", "{} w", "/Im1 Do", "/X1 Do", "BI /W {} /H {} /BPC 8 /CS /G ID xxxx EI", "/P <</MCID {}>> BDC", "EMC", "BT", "ET", "BX", "{}", "(", "<", "[", "<<",
)  # fmt: skip
_WORDS = (
    "The harbour",
    "x",
    "1",
    "12",
    "a)",
    "\\(",
    "\\ddd",
    "\\777",
    "•",
    "Figure 1",
    "1.1 Method",
    "|",
    "-",
    "\x00",
    "fi\x01",
    "ab" * 60,
)
_BOMB, _PACKED_FROM = 6_000_000, 500_000
_TEXT = st.one_of(st.sampled_from(_WORDS), st.sampled_from(_WORDS), NUMBERS)


@st.composite
def _content(draw: st.DrawFn) -> bytes:
    filled = st.builds(lambda line, word: line.replace("{}", word), st.sampled_from(_OPERATIONS), _TEXT)
    many = st.builds(lambda line, times: repeated(line + " ", times), filled, TIMES)
    written = "\n".join(draw(st.lists(st.one_of(filled, filled, filled, many), max_size=10)))
    if draw(seldom(100)):
        written += repeated(draw(filled) + " ", draw(st.sampled_from([100_000, 1_000_000])), _BOMB)
    if draw(st.booleans()):
        written = f"BT /F1 12 Tf 72 700 Td\n{written}\nET"
    return encode(written, "latin-1")


_FLATE = "/Filter /FlateDecode"
_FILTERS = {
    "": lambda data: data,
    _FLATE: zlib.compress,
    "/Filter [/FlateDecode /FlateDecode]": lambda data: zlib.compress(zlib.compress(data)),
    "/Filter /ASCIIHexDecode": lambda data: data.hex().encode() + b">",
    "/Filter /ASCII85Decode": lambda data: a85encode(data) + b"~>",
    "/Filter /FlateDecode /DecodeParms <</Predictor 15 /Columns 4294967295>>": zlib.compress,
    "/Filter /LZWDecode": lambda data: data,
    "/Filter /RunLengthDecode": lambda data: data + b"\x80",
    "/Filter /JBIG2Decode": lambda data: data,
    "/Filter /DCTDecode": lambda data: data,
    "/Filter [" + "/ASCIIHexDecode " * 200 + "]": lambda data: data,
}


@st.composite
def _stream(draw: st.DrawFn, data: st.SearchStrategy[bytes], more: str = "") -> bytes:
    how, whole = draw(st.sampled_from(list(_FILTERS)[:2] * 4 + list(_FILTERS))), draw(data)
    if len(whole) > _PACKED_FROM:
        how = _FLATE  # a small file, and quickly made
    packed = _FILTERS[how](whole)
    length = draw(st.sampled_from([str(len(packed))] * 6 + ["0", "-1", "99999999999", "5 0 R", "1 0 R"]))
    return f"<<{more} {how} /Length {length}>>\nstream\n".encode() + packed + b"\nendstream"


_FONTS = (
    "<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>",
    "<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding <</Differences [0 /a /b {} /c]>> /FirstChar {} /LastChar 255 /Widths [{} {}]>>",
    "<</Type /Font /Subtype /TrueType /BaseFont /X /ToUnicode 7 0 R>>",
    "<</Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [<</Type /Font /Subtype /CIDFontType2 /W [0 [{}] 1 {} 9]>>] /ToUnicode 7 0 R>>",
    "<</Type /Font /Subtype /Type3 /FontBBox [0 0 {} {}] /FontMatrix [.001 0 0 .001 0 0] /CharProcs <</a 4 0 R>> /Encoding <</Differences [65 /a]>>>>",
    "5 0 R",
    "null",
)
_BOXES = ("[0 0 612 792]", "[0 0 0 0]", "[0 0 {} {}]", "[-{} 0 1 1]", "[0 0 1]", "null", "6 0 R")
_CMAP = "/CIDInit begincmap 1 begincodespacerange <00> <ff> endcodespacerange {} beginbfrange <00> <ff> <{}> endbfrange endcmap "


@st.composite
def _page_tree(draw: st.DrawFn) -> list[str]:
    """The objects of the tree from 10 on: deep, wide, in a circle, shared, or with wrong counts."""
    shape = draw(st.sampled_from(["one", "one", "one", "wide", "deep", "circle", "same", "shared", "none"]))
    count = min(draw(MANY), 300)
    claimed = draw(st.sampled_from([str(count)] * 4 + ["0", "-1", "2147483647", "99999999999"]))
    if shape == "wide":
        return [f"<</Type /Pages /Count {claimed} /Kids [{repeated('3 0 R ', count)}]>>"]
    if shape == "deep":
        deep = [f"<</Type /Pages /Count 1 /Kids [{11 + n} 0 R]>>" for n in range(count)]
        return [*deep, "<</Type /Pages /Count 1 /Kids [3 0 R]>>"]
    if shape == "shared":  # each level holds the next one twice
        levels = min(count, 30)
        twice = [f"<</Type /Pages /Count {2 ** (levels - n)} /Kids [{f'{11 + n} 0 R ' * 2}]>>" for n in range(levels)]
        return [*twice, "<</Type /Pages /Count 1 /Kids [3 0 R]>>"]
    kids = {"one": "3 0 R", "circle": "10 0 R 3 0 R", "same": repeated("3 0 R ", 40), "none": ""}[shape]
    return [f"<</Type /Pages /Count {claimed if shape != 'one' else 1} /Kids [{kids}]>>"]


@st.composite
def _files(draw: st.DrawFn) -> bytes:
    word = draw(_TEXT)
    box, font = (draw(st.sampled_from((each[0],) * 4 + each)).replace("{}", word) for each in (_BOXES, _FONTS))
    rotated = draw(st.sampled_from(["", "", "/Rotate 90", f"/Rotate {word}", "/UserUnit 99999"]))
    contents = draw(
        st.sampled_from(
            ["4 0 R", "4 0 R", "4 0 R", "[4 0 R 4 0 R]", f"[{repeated('4 0 R ', 300)}]", "[]", "9 0 R", "3 0 R"]
        )
    )
    resources = "<</Font <</F1 5 0 R /F2 6 0 R>> /XObject <</X1 8 0 R /Im1 9 0 R>>>>"
    form = "/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources <</XObject <</X1 8 0 R>> /Font <</F1 5 0 R>>>>"
    image = f"/Type /XObject /Subtype /Image /Width {draw(st.sampled_from(['4', '0', '60000', '-1']))} /Height 4 /BitsPerComponent 8 /ColorSpace /DeviceGray"
    cmap = encode(repeated(_CMAP.replace("{}", word), 1 + draw(FEW)), "latin-1")
    objects: dict[int, bytes] = {
        1: b"<</Type /Catalog /Pages 10 0 R /Outlines 1 0 R>>",
        3: f"<</Type /Page /Parent 10 0 R /MediaBox {box} {rotated} /Contents {contents} /Resources {resources}>>".encode(
            "latin-1", "ignore"
        ),
        4: draw(_stream(_content())),
        5: encode(font, "latin-1"),
        6: b"<</Type /Font /Subtype /Type1 /BaseFont /Courier>>",
        7: draw(_stream(st.just(cmap))),
        8: draw(_stream(st.sampled_from([b"BT /F1 9 Tf (in a form) Tj ET", b"/X1 Do /X1 Do", b"q " * 500]), form)),
        9: draw(_stream(st.sampled_from([b"\x00" * 16, b"", b"\xff" * 4]), image)),
    }
    objects |= {10 + n: each.encode() for n, each in enumerate(draw(_page_tree()))}
    return _written(
        objects, draw(st.sampled_from(["right"] * 5 + ["shifted", "none", "circle", "huge", "encrypted", "no trailer"]))
    )


def _written(objects: dict[int, bytes], table: str) -> bytes:
    """The objects as a file, with this kind of cross-reference table."""
    out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    places = {}
    for number, body in objects.items():
        places[number] = len(out) + (7 if table == "shifted" else 0)
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    begins, size = len(out), max(objects) + 1
    if table != "none":
        out += b"xref\n0 %d\n" % (size if table != "huge" else 2_000_000_000)
        out += b"".join(b"%010d 00000 %c \n" % (places.get(n, 0), b"n" if n in places else b"f") for n in range(size))
    if table != "no trailer":
        more = {
            "circle": b"/Prev %d" % begins,
            "encrypted": b"/Encrypt <</Filter /Standard /V 5 /R 6 /O () /U () /P -1>> /ID [() ()]",
        }
        out += b"trailer\n<</Root 1 0 R /Size %d %s>>\nstartxref\n%d\n%%%%EOF\n" % (size, more.get(table, b""), begins)
    return bytes(out)


def pdf() -> st.SearchStrategy[Case]:
    """PDF files, some of them damaged."""
    return st.tuples(st.just("paper.pdf"), damaged(_files()))
