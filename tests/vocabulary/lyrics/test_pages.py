"""Lyrics on web pages, set in the ways that lyrics sites set them."""

import pytest

from studium.vocabulary.lyrics.online import extract_lyrics

VERSES = "夕焼け小焼けの\n赤とんぼ\n負われて見たのは\nいつの日か\n\n山の畑の\n桑の実を\n小籠に摘んだは\nまぼろしか"
CHROME = (
    "<header><a href=/>Home</a></header><nav><ul>" + "<li><a href=/x>Ranking</a></li>" * 30 + "</ul></nav>",
    "<div class=comments><p>いい歌ですね</p><p>" + "とても懐かしい気持ちになります。" * 12 + "</p></div>"
    "<div>" + "<div><a href=/y>Another song</a></div>" * 20 + "</div><footer>© Example</footer>",
)


def page(body: str) -> bytes:
    return f"<!doctype html><meta charset=utf-8><title>赤とんぼ</title><body>{body.join(CHROME)}</body>".encode()


def broken(text: str) -> str:
    return text.replace("\n", "<br>\n")


FIRST, SECOND = (broken(verse) for verse in VERSES.split("\n\n"))


@pytest.mark.parametrize(
    "body",
    [
        f"<h1>赤とんぼ</h1><div>{broken(VERSES)}</div>",
        f"<h1>赤とんぼ</h1><div class=text><p>{FIRST}</p><p>{SECOND}</p></div>",
        f"<div data-lyrics-container=true>{FIRST}</div><div data-lyrics-container=true>{SECOND}</div>",
        f"<div><a href=/note>{FIRST}</a><br><br><i>{SECOND}</i></div>",
        f"<pre>{VERSES}</pre>",
        f"<div style='white-space: pre-wrap'>{VERSES}</div>",
        "<div id=lyrics>" + "".join(f"<div>{line}</div>" for line in VERSES.split("\n") if line) + "</div>",
        f"<div>{broken(VERSES).replace('畑', '<ruby>畑<rp>(</rp><rt>はたけ</rt><rp>)</rp></ruby>')}</div>",
        f"<div>{broken(VERSES).replace('畑', '<span>畑</span><span class=rt>はたけ</span>')}</div>",
    ],
)
def test_the_verses_and_nothing_else(body):
    found = [line for line in extract_lyrics(page(body)).splitlines() if line]
    assert found == [line for line in VERSES.splitlines() if line]


def test_verses_stay_parted():
    assert extract_lyrics(page(f"<div><p>{FIRST}</p><p>{SECOND}</p></div>")) == VERSES


@pytest.mark.parametrize(
    "data",
    [
        page("<p>" + "This page tells at length how the song came about. " * 20 + "</p>"),
        b"",
        b"\0\1\2",
        b"<div>" * 3000 + b"x<br>" * 20,
        b"<html><body></body></html>",
    ],
)
def test_a_page_without_verses(data):
    assert extract_lyrics(data) == ""
