"""What belongs to a site is left out of its pages, and nothing of the page is; nor are marks of notes in its text."""

import re

import pytest

PROSE = "<p>The river carries more water in spring than in any other season, because the snow melts.</p>"
TEXT = "The river carries more water in spring than in any other season, because the snow melts.\n"
LINKS = "".join(f'<li><a href="page{number}.html">Page about rivers {number}</a></li>' for number in range(6))


@pytest.mark.parametrize(
    "part",
    [
        f'<div class="sidebar"><ul>{LINKS}</ul></div>',
        f'<div id="toc"><p>Table of Contents</p><ul>{LINKS}</ul></div>',
        f'<div class="contents topic"><p>Contents</p><ul>{LINKS}</ul></div>',
        f'<div role="doc-toc"><ul>{LINKS}</ul></div>',
        '<div class="breadcrumbs"><a href="/">Home</a> &gt; <a href="/r">Rivers</a> &gt; Spring</div>',
        '<div class="navheader"><p><a href="a">Prev</a> Rivers <a href="b">Next</a></p></div>',
        '<p>Next: <a href="b" rel="next">Lakes</a>, Up: <a href="c" rel="up">Top</a></p>',
        '<table><tr><td><a href="a">« Previous</a></td><td><a href="b">Next »</a></td></tr></table>',
        '<div id="cookie-consent">We use cookies to improve your visit. <button>OK</button></div>',
        '<div id="footer">Last updated 2024-05-31</div>',
        "<ul>" + "".join(f'<li><a href="#s{number}">Section {number}</a></li>' for number in range(5)) + "</ul>",
    ],
)
def test_what_belongs_to_the_site_is_left_out(document, part):
    page = f"<html><body><h1>Spring</h1>{part}{PROSE}</body></html>"
    assert document("page.html", page).text == f"# Spring\n\n{TEXT}"


@pytest.mark.parametrize(
    "part",
    [
        f'<div id="contents">{PROSE}</div>',
        f'<div class="page-header"><h1>Spring</h1>{PROSE}</div>',
        '<div class="sidebar"><p>See <a href="x">the atlas</a> for all rivers of the north and the south.</p></div>',
        "<p><a href='a'>next</a> tells of lakes and seas, or go <a href='b'>up</a> to all rivers that are far away</p>",
        f"<p>Good books on rivers:</p><ul>{LINKS}</ul>",
    ],
)
def test_what_belongs_to_the_page_stays(document, part):
    words = re.sub("<[^>]*>", " ", part).split()
    text = document("page.html", f"<html><body><h1>Spring</h1><h1>Rivers</h1>{part}</body></html>").text
    assert set(words) - set(text.split()) == set()


def test_the_box_of_a_note_is_no_table(document):
    image = '<td rowspan="2"><img src="n.png" alt="[Note]" width="25"></td>'
    rows = f"<tr>{image}<th>Note</th></tr><tr><td>Rivers rise.</td></tr>"
    page = f'<body><h1>Spring</h1><div class="note"><table>{rows}</table></div>{PROSE}</body>'
    assert document("page.html", page).text == f"# Spring\n\nNote\n\nRivers rise.\n\n{TEXT}"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("in the river<sup>1</sup> and", "in the river and"),
        ("in the sea.<sup>[2]</sup> Then", "in the sea. Then"),
        ("by Moy<sup>†</sup> and Byron.<sup>†</sup> Then", "by Moy† and Byron. Then"),
        ("the river<a class='footnote-reference' href='#f1'>[1]</a> and", "the river and"),
        ("the river<a role='doc-noteref' href='#f1'>1</a> and", "the river and"),
        ("an area of 5 km<sup>2</sup> and", "an area of 5 km² and"),
        ("10<sup>-3</sup> of x<sup>2</sup>", "10⁻³ of x²"),
    ],
)
def test_marks_of_notes_are_not_read_and_exponents_are(document, source, text):
    assert document("page.html", f"<body><p>{source}</p></body>").text == f"{text}\n"
