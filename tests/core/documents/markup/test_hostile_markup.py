"""Files that attack their reader: refused or read, but soon, and without reaching for anything else."""

import time
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

# Of the processor, for the machine may be busy; each takes about a tenth of it.
SECONDS = 15.0


@pytest.fixture
def soon():
    """What is read here must be read within the time limit."""
    started = time.process_time()
    yield
    assert time.process_time() - started < SECONDS


def refused(reading):
    assert reading.document is None
    return [each.code for each in reading.findings]


def laughs(depth: int, use: str) -> str:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, depth + 1))
    return f'<!DOCTYPE article [<!ENTITY e0 "ha">{entities}]>' + use.replace("BOMB", f"&e{depth};")


@pytest.mark.parametrize("depth", [2, 4, 9, 30])
@pytest.mark.parametrize("use", ["<article><body><p>BOMB</p></body></article>", '<article id="BOMB"><body/></article>'])
@pytest.mark.usefixtures("soon")
def test_entities_of_entities_are_refused(reading, depth, use):
    assert refused(reading("a.xml", laughs(depth, use))) == ["document.unsafe"]


@pytest.mark.usefixtures("soon")
def test_a_long_entity_used_often_is_refused(reading):
    declared = f'<!DOCTYPE article [<!ENTITY long "{"x" * 100_000}">]>'
    xml = f"{declared}<article><body><p>{'&long;' * 50_000}</p></body></article>"

    assert refused(reading("a.xml", xml)) == ["document.unsafe"]


@pytest.mark.parametrize(
    "declared",
    [
        '<!ENTITY x SYSTEM "file://{secret}">',
        '<!ENTITY x PUBLIC "a" "{secret}">',
        '<!ENTITY % p SYSTEM "file://{secret}"> %p;',
        '<!ENTITY x SYSTEM "http://127.0.0.1:9/x">',
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.usefixtures("soon")
def test_other_files_are_never_read(reading, tmp_path, declared, encoding):
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    xml = f"<!DOCTYPE article [{declared.format(secret=secret)}]><article><body><p>Text &x;</p></body></article>"

    assert refused(reading("a.xml", xml.encode(encoding))) == ["document.unsafe"]


def test_a_doctype_and_an_inclusion_that_name_other_files_are_not_followed(reading, tmp_path):
    (tmp_path / "secret.txt").write_text('<!ENTITY x "the secret">')
    include = '<include xmlns="http://www.w3.org/2001/XInclude" href="secret.txt" parse="text"/>'

    read = reading(
        "a.xml", f'<!DOCTYPE article SYSTEM "secret.txt"><article><body><p>&x; {include}</p></body></article>'
    )

    assert read.document.text == "&x;\n"


@pytest.mark.usefixtures("soon")
def test_an_entity_set_that_is_declared_but_not_used_does_no_harm(reading):
    declared = '<!DOCTYPE article [<!ENTITY % lat1 SYSTEM "http://127.0.0.1:9/lat1.ent">]>'
    xml = f"{declared}<article><body><p>Text</p></body></article>"

    assert reading("a.xml", xml).document.text == "Text\n"


@pytest.mark.usefixtures("soon")
def test_xml_nested_without_end_is_refused(reading):
    assert refused(reading("a.xml", "<sec>" * 100_000)) == ["document.unsafe"]


@pytest.mark.parametrize(
    "tag", ["div", "ul><li", "blockquote", "table><tr><td", "sup", "figure", "p><figure", "dl><dd", "math"]
)
@pytest.mark.parametrize("depth", [300, 900])
@pytest.mark.usefixtures("soon")
def test_deeply_nested_pages_are_read(reading, tag, depth):
    read = reading("page.html", f"<{tag}>" * (depth // (1 + tag.count("<"))) + "<b>deep words</b>")

    assert "deep words" in read.document.text


@pytest.mark.parametrize(
    "page",
    [
        "<div>" * 200_000 + "x",
        "<table><tr>" + "<td colspan=1000>abc" * 20_000 + "</table>",
        "<table>" + "<tr><td rowspan=65534>" + "ab" * 500 + "<tr><td>x" * 20_000 + "</table>",
        "<table><tr>" + "<td>x" * 20_000 + "<td rowspan=0>y" + "<tr><td>z" * 20_000 + "</table>",
        "<p>" + "<br>" * 200_000,
        "<p>" + "a<sup>2</sup>" * 50_000,
        "<ul>" + "<li>x" * 50_000,
        "<p>" + "&nbsp;" * 300_000 + "x",
        "<p>" + "<script></script>x" * 50_000,
        "<" * 300_000,
    ],
    ids=["depth", "colspan", "rowspan", "wide", "breaks", "raised", "items", "entities", "scripts", "brackets"],
)
@pytest.mark.usefixtures("soon")
def test_pages_that_repeat_themselves_grow_in_proportion(reading, page):
    read = reading("page.html", page)

    assert read.findings or len(read.document.text) < 8 * len(page) + 1000


@pytest.mark.usefixtures("soon")
def test_a_text_of_undeclared_entities_is_read_fast(reading):
    xml = f"<article><body><p>{'&unheardof;x' * 50_000}</p></body></article>"

    assert len(reading("a.xml", xml).document.text) == 12 * 50_000 + 1


PAGE = "<html><body><h1>Title</h1><p>The first words.</p>"


def limits(reading):
    return [each.message for each in reading.findings if each.code == "document.limit"]


@pytest.mark.usefixtures("soon")
def test_elements_beyond_the_limit_are_left_out(reading):
    read = reading("page.html", PAGE + "<p>" * 3_000_000)

    assert "The first words." in read.document.text
    assert "120,000 elements" in limits(read)[0]


@pytest.mark.parametrize("start", ["", '<?xml version="1.0"?>'])
@pytest.mark.usefixtures("soon")
def test_a_small_book_of_millions_of_paragraphs_is_read_in_part(reading, start):
    package = (
        '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="a"/></spine></package>'
    )
    container = '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>'
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as book:
        for name, text in {
            "META-INF/container.xml": container,
            "b.opf": package,
            "a.xhtml": start + PAGE + "<p/>" * 3_000_000 + "</body></html>",
        }.items():
            book.writestr(name, text)

    read = reading("book.epub", file.getvalue())

    assert "The first words." in read.document.text
    assert "120,000 elements" in limits(read)[0]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.xml", "<article><body>" + "<p/>" * 1_000_000 + "</body></article>"),
        ("a.xml", "<article><body><p>" + "&foo;" * 1_000_000 + "</p></body></article>"),
        ("a.xml", "<article " + " ".join(f'a{n}="1"' for n in range(100_000)) + "><body/></article>"),
        ("a.html", "<p " + " ".join(f"a{n}" for n in range(100_000)) + ">x"),
    ],
    ids=["elements", "entities", "attributes", "html attributes"],
)
@pytest.mark.usefixtures("soon")
def test_a_file_beyond_a_limit_is_refused_with_its_name(reading, name, text):
    read = reading(name, text)

    assert read.document is None
    assert "the limit" in limits(read)[0]


@pytest.mark.usefixtures("soon")
def test_quotes_around_quotes_add_to_a_line_only_so_often(reading):
    read = reading("page.html", "<blockquote>" * 240 + "<p>x" * 50_000)

    assert len(read.document.text) < 50_000 * 40


@pytest.mark.usefixtures("soon")
def test_many_labels_of_one_section_are_read(reading):
    read = reading("a.xml", f"<article><body><sec>{'<label>1</label>' * 50_000}</sec></body></article>")

    assert read.document.text.count("1") == 50_000


def test_a_graphic_among_alternatives_is_read(reading):
    both = "<alternatives><graphic/><graphic/><label>a</label></alternatives>"

    read = reading("a.xml", f"<article><body><p>Text</p>{both}</body></article>")

    assert read.document.text.startswith("Text")
