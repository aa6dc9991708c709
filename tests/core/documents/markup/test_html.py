"""Pages from the web: their content, without navigation and advertisements."""

import pytest

PAGE = """<!doctype html><html><head><title>OSPF | Example Site</title><style>p { color: red }</style>
<script>document.write("<p>never</p>")</script></head><body>
<header><a href="/">Home</a></header><nav><ul><li>Menu</li></ul></nav>
<main><header><h1>OSPF <a class="headerlink" href="#ospf">¶</a></h1></header>
<!-- a remark --><p>OSPF is a <b>link-state</b> protocol, see <a href="rfc">the
RFC</a>. <span hidden>secret</span><span style="display: none">also</span>It uses area&shy;s.
<ul><li>one<li>two<ul><li>inner</ul><li><p>three</p><p>more of it</p></ul>
<p>In order:</p>
<ol start="3"><li>third<li>fourth<pre><code>show ip
  route</code></pre><li>fifth</ol>
<dl><dt>ABR<dd>an area border router<dt>ASBR<dd><p>another one</dl>
<blockquote><p>Rough consensus.</p><p>Running code.</p></blockquote>
<p>First line<br>second line<br><br>another paragraph</p>
<aside class="admonition note"><p>Mind the timers.</p></aside>
<aside>Advertisement</aside></main>
<aside>More advertisements</aside><footer>(c) 2024</footer></body></html>"""

TEXT = """\
# OSPF

OSPF is a link-state protocol, see the RFC. It uses areas.

- one
- two
  - inner
- three

  more of it

In order:

3. third
4. fourth

```
show ip
  route
```

5. fifth

- ABR: an area border router
- ASBR: another one

> Rough consensus.

> Running code.

First line
second line

another paragraph

Mind the timers.
"""


def test_a_page_reads_as_markdown_without_its_chrome(document):
    read = document("page.html", PAGE)

    assert (read.kind, read.text) == ("html", TEXT)
    assert [each.kind for each in read.passages()].count("list") == 3
    assert read.locate("protocol, see the RFC").where.line == 3


TABLE = """<h2>Timers</h2><table><caption>Table 1: Timers</caption>
<tr><th rowspan="2">Network<th colspan="2">Seconds<tr><th>Hello<th>Dead
<tr><td>Broadcast<td>10<td>40<tr><td rowspan="2">Point-to-<br>point<td>10<td>40<tr><td>30<td>120
<tr><td colspan="3">Older ones<tr><td>X.25<td>a|b<td></table>"""


def test_merged_cells_are_repeated_where_they_span(document):
    read = document("page.htm", TABLE)

    assert read.text == (
        "## Timers\n\nTable 1: Timers\n\n"
        "| Network | Seconds Hello | Seconds Dead |\n"
        "| --- | --- | --- |\n"
        "| Broadcast | 10 | 40 |\n"
        "| Point-to- point | 10 | 40 |\n"
        "| Point-to- point | 30 | 120 |\n"
        "| Older ones |\n"
        "| X.25 | a\\|b |  |\n"
    )
    assert [(each.kind, each.caption, each.where.line) for each in read.visuals()] == [("table", "Table 1: Timers", 3)]


def test_each_kind_of_table(document, subtests):
    cases = [
        ("<tr><td>a<td>b<tr><td>1<td>2", "| a | b |\n| --- | --- |\n| 1 | 2 |\n"),
        ("<tr><th>Born<td>1912<tr><th>Died<td>1954", "- Born: 1912\n- Died: 1954\n"),
        ("<tr><th>x<td>1<td>2<tr><th>y<td>3<td>4", "|  |  |  |\n| --- | --- | --- |\n| x | 1 | 2 |\n| y | 3 | 4 |\n"),
        ("<tr><td><h2>Left</h2><p>text<td><p>right", "## Left\n\ntext\n\nright\n"),
        ("<tr><td>only one cell", "only one cell\n"),
        (
            "<tfoot><tr><td>sum<td>3<tbody><tr><th>n<th>v<tr><td>a<td>3",
            "| n | v |\n| --- | --- |\n| a | 3 |\n| sum | 3 |\n",
        ),
    ]
    for table, text in cases:
        with subtests.test(table=table, text=text):
            assert document("page.html", f"<table>{table}</table>").text == text


def test_a_table_in_a_list_is_still_a_table(document):
    read = document("page.html", "<ul><li>Timers<table><tr><th>a<th>b<tr><td>1<td>2</table>they vary<li>end</ul>")

    assert read.text == "- Timers\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nthey vary\n\n- end\n"


def test_figures_and_images_are_listed(document):
    read = document(
        "page.html",
        '<p>Before.</p><figure><img src="a.png" alt="Two routers"><figcaption>Figure 1. A <i>link</i>.</figcaption>'
        '</figure><p>See <img src="b.png" alt="A cable"> here.</p><img src="dot.gif" width="1" height="1">'
        "<figure><svg><title>A drawing</title><text>no text</text></svg></figure>"
        '<figure><pre>code</pre><figcaption>Listing 1</figcaption></figure><img src="c%20d.png?x=1">',
    )

    assert read.text == "Before.\n\nFigure 1. A link.\n\nSee here.\n\nListing 1\n\n```\ncode\n```\n"
    assert [(each.kind, each.caption, each.source, each.where.line) for each in read.visuals()] == [
        ("figure", "Figure 1. A link.", "a.png", 3),
        ("image", "A cable", "b.png", 5),
        ("figure", "A drawing", "", 7),
        ("image", "c%20d.png", "c%20d.png?x=1", 11),
    ]


def test_irregular_pages(document, subtests):
    cases = [
        ("<title>T</title><p>One.", "# T\n\nOne.\n"),
        ("<article><p>A.</article><article><p>B.</article>", "A.\n\nB.\n"),
        ("<div role=navigation>x</div><div role=main><p>M.</div>", "M.\n"),
        ("<main></main><p>Only outside.", "Only outside.\n"),
        (
            "<p>unclosed <b>bold <i>both</b> rest</i> &amp &copy 2024 </div></p></table>",
            "unclosed bold both rest & © 2024\n",
        ),
        ("<a href=x><div>Inside</div><p>a link</a>", "Inside\n\na link\n"),
        ("<p><ruby>漢字<rp>(</rp><rt>かんじ</rt></ruby>を読む", "漢字を読む\n"),
        (
            '<p><math alttext="{\\displaystyle x^{2}}"><mi>x</mi></math> and <img class="tex" alt="y_1" src="y.png">',
            "x^{2} and y_1\n",
        ),
        (
            "<math><semantics><mi>x</mi><annotation encoding='TeX'>\\alpha</annotation></semantics></math>",
            "\\alpha\n",
        ),
        ("<p>5<sup>n</sup> x<sup>[3]</sup>", "5ⁿ x[3]\n"),
        (
            '<p>In 1989<sup class="reference"><a href="#cite-1">[1]</a></sup> or 10<sup><a href="x.html">3</a></sup>',
            "In 1989 or 10³\n",
        ),
        ("just words", "just words\n"),
    ]
    for page, text in cases:
        with subtests.test(page=page, text=text):
            assert document("page.html", page).text == text


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("<p>Müller</p>".encode(), "Müller\n"),
        ("<meta charset=iso-8859-1><p>Müller’s €</p>".encode("cp1252"), "Müller’s €\n"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=koi8-r"><p>Сеть</p>'.encode("koi8-r"), "Сеть\n"),
        ("<p>Müller</p>".encode("cp1252"), "Müller\n"),
        ("<p>Müller</p>".encode("utf-16"), "Müller\n"),
        ('<?xml version="1.0" encoding="euc-jp"?><html><body><p>経路</p></body></html>'.encode("euc-jp"), "経路\n"),
    ],
    ids=["utf-8", "latin-1", "koi8-r", "nothing said", "utf-16", "xhtml"],
)
def test_the_charset_is_found(document, data, text):
    assert document("page.html", data).text == text


def test_undecodable_characters_are_reported(reading):
    read = reading("page.html", b"<meta charset=euc-jp><p>words \xff\xfe</p>")

    assert read.document.locate("words")
    assert [each.code for each in read.findings] == ["document.encoding"]


def test_xhtml_is_read_and_broken_xhtml_is_read_as_html(document):
    head = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script/></head><body>'

    assert document("a.xhtml", f"{head}<p>Text<a id='x'/> goes on.</p></body></html>").text == "Text goes on.\n"
    assert document("b.xhtml", f"{head}<p>Text<br> goes on.</body></html>").text == "Text\ngoes on.\n"


def test_pages_without_text_are_refused(reading):
    for page in ("<!-- -->", "<script>x</script>", b"<p>\x00\x01\x02"):
        read = reading("page.html", page)
        assert read.document is None
        assert next(each.code for each in read.findings) in ("document.empty", "document.broken")
