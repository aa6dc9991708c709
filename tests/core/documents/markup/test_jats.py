"""Journal articles: sections, tables and figures as text that can be quoted."""

import pytest

from studium.core.domain.finding import Severity

DOCTYPE = (
    '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving DTD v1.2//EN" "JATS-archivearticle1.dtd">'
)

ARTICLE = r"""<article{namespaces}>
<front><journal-meta><journal-title-group><journal-title>Journal of Networks</journal-title></journal-title-group>
<issn>1234-5678</issn></journal-meta>
<article-meta><article-id pub-id-type="doi">10.1/x</article-id>
<title-group><article-title>On <italic>OSPF</italic> timers</article-title></title-group>
<contrib-group>
<contrib contrib-type="author"><name><surname>Moy</surname><given-names>John T.</given-names></name>
<xref>1</xref></contrib>
<contrib contrib-type="author"><collab>The Routing Group</collab></contrib>
<contrib contrib-type="editor"><name><surname>Nobody</surname><given-names>Ed</given-names></name></contrib>
</contrib-group>
<pub-date pub-type="ppub"><year>2021</year></pub-date>
<pub-date pub-type="epub"><day>4</day><month>3</month><year>2021</year></pub-date>
<abstract><p>We measure how fast routers notice a failure.</p></abstract></article-meta></front>
<body>
<sec><label>1</label><title>Introduction</title>
<p>OSPF was designed <fig id="f1"><label>Figure 1</label><caption><title>Neighbour states.</title>
<p>Eight of them.</p></caption>{pre}<graphic xlink:href="f1.jpg"/></fig>by the IETF in 1989<sup><xref>3</xref></sup>.
It needs three things:
<list list-type="order"><list-item><p>a hello timer,</p></list-item><list-item><p>a dead timer;</p>
<list list-type="bullet"><list-item><p>four times the first</p></list-item></list></list-item></list></p>
<sec><title>Timers</title>
<p>The loss is 10<sup>&#x2212;3</sup> where
<inline-formula><alternatives>
<tex-math>\documentclass{{minimal}}\begin{{document}}$$p &lt; 0.05$$\end{{document}}</tex-math>
<m:math><m:mi>p</m:mi></m:math></alternatives></inline-formula> holds.</p>
<table-wrap><label>Table 1</label><caption><p>Default timers</p></caption>
<table><thead><tr><th rowspan="2">Network</th><th colspan="2">Seconds</th></tr>
<tr><th>Hello</th><th>Dead</th></tr></thead>
<tbody><tr><td>Broadcast</td><td>10</td><td>40</td></tr>
<tr><td>NBMA</td><td colspan="2">as | set</td></tr></tbody></table>
<table-wrap-foot><fn><p>Values of RFC 2328.</p></fn></table-wrap-foot></table-wrap>
<disp-quote><p>Be liberal in what you accept.</p></disp-quote>
</sec></sec></body>
<back><ack><p>We thank the routers.</p></ack>
<ref-list><title>References</title><ref><mixed-citation>Perlman</mixed-citation></ref></ref-list></back>
</article>"""

PLAIN = ARTICLE.replace("xlink:href", "href").replace("m:", "").format(namespaces="", pre="")
NAMESPACED = ARTICLE.format(
    namespaces=' xmlns="https://jats.nlm.nih.gov/ns/archiving/1.2/" xmlns:xlink="http://www.w3.org/1999/xlink"'
    ' xmlns:m="http://www.w3.org/1998/Math/MathML"',
    pre="<!-- a comment --><?page 2?>",
)

TEXT = """\
# On OSPF timers

Authors: John T. Moy, The Routing Group

Journal: Journal of Networks

Published: 2021-03-04

## Abstract

We measure how fast routers notice a failure.

## 1. Introduction

OSPF was designed by the IETF in 1989. It needs three things:

1. a hello timer,
2. a dead timer;
   - four times the first

Figure 1. Neighbour states. Eight of them.

### Timers

The loss is 10⁻³ where p < 0.05 holds.

Table 1. Default timers

| Network | Seconds Hello | Seconds Dead |
| --- | --- | --- |
| Broadcast | 10 | 40 |
| NBMA | as \\| set | as \\| set |

Values of RFC 2328.

> Be liberal in what you accept.

## Acknowledgements

We thank the routers.
"""


@pytest.mark.parametrize("article", [PLAIN, NAMESPACED, DOCTYPE + PLAIN], ids=["plain", "namespaced", "with DOCTYPE"])
def test_an_article_reads_as_markdown(document, article):
    read = document("article.xml", article)

    assert read.text == TEXT
    assert read.kind == "jats"


def test_sentences_are_found_with_their_section_and_line(document):
    read = document("article.nxml", NAMESPACED)

    found = read.locate("OSPF was designed by the IETF in 1989")
    passage = next(each for each in read.passages() if each.id == found.passage)

    assert read.lines(found.where.line, found.where.line)[0].text.startswith(found.quote)
    assert passage.heading == "On OSPF timers > 1. Introduction"
    assert read.locate("The loss is 10-3") is None


def test_figures_and_tables_are_listed_at_their_captions(document):
    read = document("article.xml", NAMESPACED)

    shown = [(each.kind, each.caption, each.source) for each in read.visuals()]
    lines = [read.lines(each.where.line, each.where.line)[0].text for each in read.visuals()]

    assert shown == [
        ("figure", "Figure 1. Neighbour states. Eight of them.", "f1.jpg"),
        ("table", "Table 1. Default timers", ""),
    ]
    assert lines == [caption for _, caption, _ in shown]


def body(inside: str) -> str:
    return f'<article xmlns:xlink="http://www.w3.org/1999/xlink"><body>{inside}</body></article>'


def test_the_parts_of_a_text(document, subtests):
    cases = [
        ("<p>One<fn><label>a</label><p>A note.</p></fn> sentence.</p>", "One sentence.\n\na A note.\n"),
        (
            "<def-list><def-item><term>LSA</term><def><p>An advert.</p></def></def-item></def-list>",
            "- LSA: An advert.\n",
        ),
        (
            "<list><list-item><label>1)</label><p>x</p></list-item><list-item><label>2)</label><p>y</p></list-item></list>",
            "1. x\n2. y\n",
        ),
        ("<list><list-item><label>(i)</label><p>x</p></list-item></list>", "- (i) x\n"),
        ("<preformat>a\n  b</preformat>", "```\na\n  b\n```\n"),
        ("<boxed-text><sec><title>Box</title><p>In it.</p></sec></boxed-text>", "# Box\n\nIn it.\n"),
        ("<p>H<sub>2</sub>O and 5 m<sup>2</sup>, the 1<sup>st</sup></p>", "H2O and 5 m², the 1st\n"),
        (
            "<p>In 1989<xref><sup>3</sup></xref>, 1990<sup><xref>4</xref>,<xref>5</xref></sup> [<xref>6</xref>]</p>",
            "In 1989, 1990 [6]\n",
        ),
        ("<p>a<break/>b</p>", "a\nb\n"),
        (
            "<disp-formula><label>(1)</label><math><mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mi>c</mi></mrow></mfrac></math></disp-formula>",
            "(1) a/(b+c)\n",
        ),
        ("<p># of routers</p><p>&gt; 50 %</p>", "\\# of routers\n\n\\> 50 %\n"),
    ]
    for inside, text in cases:
        with subtests.test(inside=inside, text=text):
            assert document("article.xml", body(inside)).text == text


def test_a_table_that_is_an_image_is_a_table(document):
    wrap = (
        '<table-wrap><label>Table 2.</label><caption><p>Costs</p></caption><graphic xlink:href="t2.tif"/></table-wrap>'
        '<fig><graphic xlink:href="f.png"><alt-text>A map</alt-text></graphic></fig>'
    )

    shown = document("article.xml", body(f"<p>See below.</p>{wrap}")).visuals()

    assert [(each.kind, each.caption, each.source) for each in shown] == [
        ("table", "Table 2. Costs", "t2.tif"),
        ("figure", "A map", "f.png"),
    ]


def test_a_reply_within_an_article_is_a_part_of_it(document):
    reply = (
        "<sub-article><front-stub><title-group><article-title>Reply</article-title></title-group></front-stub>"
        "<body><sec><title>Point</title><p>We agree.</p></sec></body></sub-article>"
    )
    front = "<front><article-meta><title-group><article-title>Main</article-title></title-group></article-meta></front>"

    read = document("article.xml", f"<article>{front}<body><p>Text.</p></body>{reply}</article>")

    assert read.text == "# Main\n\nText.\n\n## Reply\n\n### Point\n\nWe agree.\n"


def test_named_characters_are_read_with_and_without_a_doctype(document):
    article = body("<p>5&nbsp;km &alpha;-decay, Caf&eacute; &amp; &unheardof; <![CDATA[&nbsp;]]></p>")
    wanted = "5\xa0km \u03b1-decay, Café & &unheardof; &nbsp;\n"

    assert document("with.xml", DOCTYPE + article).text == wanted
    assert document("without.xml", article).text == wanted


def test_an_entity_for_plain_words_is_read_as_they_are(document):
    declared = '<!DOCTYPE article [<!ENTITY co "Acme &#38;#38; S&#246;hne">]>'

    assert document("a.xml", declared + body("<p>By &co;.</p>")).text == "By Acme & Söhne.\n"


def test_the_declared_encoding_is_respected(document, subtests):
    cases = ["iso-8859-1", "utf-16", "shift_jis", "utf-8-sig", "windows-1251"]
    for encoding in cases:
        with subtests.test(encoding=encoding):
            said = {"shift_jis": "経路制御", "windows-1251": "Маршрут"}.get(encoding, "Überprüfung")
            declared = "utf-8" if encoding == "utf-8-sig" else encoding
            xml = f'<?xml version="1.0" encoding="{declared}"?>\n{body(f"<p>{said}</p>")}'

            assert document("a.xml", xml.encode(encoding)).text == f"{said}\n"


def test_other_xml_is_read_too(reading):
    xml = """<book><title>Nets</title><chapter><title>One</title><para>First <em>words</em> here.</para>
    <itemizedlist><listitem><para>x</para></listitem></itemizedlist></chapter><Record><Name>Ada</Name><Year>1815</Year>
    </Record></book>"""

    read = reading("book.xml", xml)

    assert read.document.text == "# Nets\n\n## One\n\nFirst words here.\n\n- x\n\nAda\n\n1815\n"
    assert [(each.code, each.severity) for each in read.findings] == [("document.not_jats", Severity.INFO)]


def test_a_page_that_is_called_xml_is_read_as_a_page(document):
    read = document(
        "page.xml", '<html xmlns="http://www.w3.org/1999/xhtml"><body><nav>x</nav><p>Text.</p></body></html>'
    )

    assert (read.kind, read.text) == ("html", "Text.\n")


def test_broken_xml_is_refused_with_its_line(reading):
    read = reading("a.xml", "<article>\n<body>\n<p>text</body>\n</article>")

    assert read.document is None
    assert [(each.code, each.where.line) for each in read.findings] == [("document.broken", 3)]
    assert "Opening and ending tag mismatch" in read.findings[0].message


def test_xml_without_text_is_refused(reading):
    assert [each.code for each in reading("a.xml", "<article><body/></article>").findings] == ["document.empty"]
