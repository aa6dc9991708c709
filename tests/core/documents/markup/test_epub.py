"""Books: chapters in reading order, and what is wrong with an archive said."""

from zipfile import ZipFile

import pytest

from studium.core.documents import read_document

CHAPTERS = {
    "zero one.xhtml": '<h1>Beginnings</h1><p>Routers&#160;came first.</p><img src="../img/r.png" alt="A router"/>',
    "alpha.xhtml": '<h1>Endings</h1><p>Then <a id="x"/>switches.</p><aside epub:type="footnote"><p>A note.</p></aside>',
}


def codes(reading):
    return [each.code for each in reading.findings]


def test_chapters_are_read_in_the_order_of_the_spine(book):
    read = read_document(book(CHAPTERS))

    assert read.findings == ()
    assert read.document.text == (
        "# Routing Made Plain\n\nAuthors: Ada Byron, Jon Moy\n\nPublished: 1998-04-01\n\n"
        "# Beginnings\n\nRouters\xa0came first.\n\n# Endings\n\nThen switches.\n\nA note.\n\n"
    )
    assert read.document.kind == "epub"


def test_quotes_are_found_across_the_book_and_images_named_as_in_the_archive(book):
    read = read_document(book(CHAPTERS)).document

    found = read.locate("Then switches.")
    passage = next(each for each in read.passages() if each.id == found.passage)

    assert read.lines(found.where.line, found.where.line)[0].text == "Then switches."
    assert passage.heading == "Endings"
    assert [(each.kind, each.caption, each.source) for each in read.visuals()] == [
        ("image", "A router", "OEBPS/img/r.png")
    ]


def rewritten(path, name, change):
    """The same book with one file changed, or without it."""
    with ZipFile(path) as archive:
        files = {each: archive.read(each) for each in archive.namelist()}
    files[name] = change(files[name].decode()) if change else None
    with ZipFile(path, "w") as archive:
        for each, content in files.items():
            if content is not None:
                archive.writestr(each, content)
    return path


def test_missing_chapters_are_reported_and_the_others_read(book):
    path = rewritten(book(CHAPTERS), "OEBPS/text/alpha.xhtml", None)
    path = rewritten(path, "OEBPS/book.opf", lambda text: text.replace("</spine>", '<itemref idref="gone"/></spine>'))

    read = read_document(path)

    assert "Routers\xa0came first." in read.document.text
    assert codes(read) == ["document.chapter_missing", "document.chapter_missing"]
    assert "`OEBPS/text/alpha.xhtml`" in read.findings[0].message


def test_the_table_of_contents_and_repeated_chapters_are_left_out(book):
    path = rewritten(
        book({**CHAPTERS, "nav.xhtml": "<nav><ol><li>Beginnings</li></ol></nav><p>Contents</p>"}),
        "OEBPS/book.opf",
        lambda text: text.replace('href="text/nav.xhtml"', 'href="text/nav.xhtml" properties="nav"').replace(
            "</spine>", '<itemref idref="c0"/></spine>'
        ),
    )

    text = read_document(path).document.text

    assert text.count("# Beginnings") == 1
    assert "Contents" not in text


@pytest.mark.parametrize("missing", ["META-INF/container.xml", "OEBPS/book.opf"])
def test_an_archive_that_is_not_a_book_is_refused(book, missing):
    read = read_document(rewritten(book(CHAPTERS), missing, None))

    assert codes(read) == ["document.broken"]
    assert missing in read.findings[0].message


def test_a_file_that_is_not_an_archive_is_refused(reading, book):
    assert codes(reading("book.epub", "no archive")) == ["document.broken"]
    assert codes(reading("cut.epub", book(CHAPTERS).read_bytes()[:400])) == ["document.broken"]


def encryption(algorithm, file):
    return f"""<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
    <enc:EncryptedData xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptionMethod Algorithm="{algorithm}"/>
    <enc:CipherData><enc:CipherReference URI="{file}"/></enc:CipherData></enc:EncryptedData></encryption>"""


def test_a_locked_book_is_refused(book):
    locked = encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OEBPS/text/alpha.xhtml")

    read = read_document(book(CHAPTERS, **{"META-INF/encryption.xml": locked}))

    assert read.document is None
    assert codes(read) == ["document.encrypted"]


def test_obfuscated_fonts_do_not_count_as_encryption(book):
    fonts = encryption("http://www.idpf.org/2008/embedding", "OEBPS/fonts/a.otf")

    assert read_document(book(CHAPTERS, **{"META-INF/encryption.xml": fonts})).document


def test_a_zip_bomb_is_stopped_at_the_limit(book):
    bomb = book({"bomb.xhtml": "<p>" + "boom " * 2_000_000 + "</p>"})
    assert bomb.stat().st_size < 50_000

    read = read_document(bomb, max_bytes=1_000_000)

    assert read.document is None
    assert codes(read) == ["document.unsafe"]


def test_many_chapters_share_the_limit(book):
    read = read_document(
        book({f"c{n}.xhtml": "<p>" + "boom " * 50_000 + "</p>" for n in range(5)}), max_bytes=1_000_000
    )

    assert codes(read) == ["document.unsafe"]


def test_a_path_out_of_the_archive_is_not_followed(book, tmp_path):
    (tmp_path / "secret.xhtml").write_text("<p>secret</p>")
    path = rewritten(
        book(CHAPTERS),
        "OEBPS/book.opf",
        lambda text: text.replace("text/alpha.xhtml", "../../secret.xhtml"),
    )

    read = read_document(path)

    assert "secret" not in read.document.text
    assert codes(read) == ["document.chapter_missing"]


def test_a_chapter_with_hostile_entities_is_refused(book, chapter):
    hostile = chapter.replace("<!DOCTYPE html>", '<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]>')
    path = rewritten(book(CHAPTERS), "OEBPS/text/alpha.xhtml", lambda _: hostile.format(body="<p>&x;</p>"))

    assert codes(read_document(path)) == ["document.unsafe"]
