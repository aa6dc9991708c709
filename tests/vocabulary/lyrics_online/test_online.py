"""Songs looked up at a server that plays LRCLIB, then by a search of the web."""

import asyncio
import sys
import time
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.loopback_site import endless, redirect, reply, reply_json, silence

from studium.core.domain.errors import MissingExtra, NotFound, ServiceDown
from studium.vocabulary.lyrics import online
from studium.vocabulary.lyrics.online import Lrclib, LyricsFinder, SearchHit, WebSearch, duckduckgo, extract_lyrics
from studium.vocabulary.lyrics.parser import parse_lyrics

PAGE = "<h1>Red Dragonfly</h1><div>夕焼け小焼けの<br>赤とんぼ<br>負われて見たのは<br>いつの日か</div>"


def record(**changes):
    known = {
        "id": 7,
        "trackName": "赤とんぼ",
        "artistName": "三木露風",
        "albumName": "",
        "duration": 100,
        "instrumental": False,
    }
    return known | {"plainLyrics": "夕焼け小焼けの", "syncedLyrics": "[00:01.00]夕焼け小焼けの"} | changes


@pytest.fixture
def lrclib(site, open_web):
    return LyricsFinder([Lrclib(open_web(), site.url)], parse_lyrics, timeout=5)


async def test_the_very_song(site, lrclib):
    site.answers["/api/get"] = reply_json(record())
    found = await lrclib.find(" 赤とんぼ ", "三木露風")
    assert found.lines[0].time == 1.0
    assert (found.text, found.title, found.artist) == ("夕焼け小焼けの", "赤とんぼ", "三木露風")
    assert found.source == f"{site.url}/api/get/7"
    ((target, headers),) = site.requests
    assert parse_qs(urlsplit(target).query) == {"track_name": ["赤とんぼ"], "artist_name": ["三木露風"]}
    assert headers["user-agent"].startswith("studium")


async def test_plain_lyrics_will_do(site, lrclib):
    site.answers["/api/get"] = reply_json(record(syncedLyrics=None))
    assert (await lrclib.find("赤とんぼ", "三木露風")).lines[0].time is None


async def test_the_search_finds_what_is_most_alike(site, lrclib):
    others = [
        record(trackName="青とんぼ"),
        record(trackName="赤とんぼ (Live)"),
        "nonsense",
        record(plainLyrics=3, syncedLyrics=None),
    ]
    site.answers["/api/search"] = reply_json([*others, record(artistName="三木 露風", id=9)])
    assert (await lrclib.find("赤とんぼ", "三木露風")).source.endswith("/9")


async def test_without_an_artist_only_the_search_is_asked(site, lrclib):
    site.answers["/api/search"] = reply_json([record()])
    assert (await lrclib.find("赤とんぼ")).artist == "三木露風"
    assert [target.partition("?")[0] for target, _ in site.requests] == ["/api/search"]


@pytest.mark.parametrize(
    "found",
    [
        [],
        {},
        None,
        [record(trackName="別の歌")],
        [record(trackName="赤とんぼの家")],
        [record(instrumental=True, plainLyrics=None, syncedLyrics=None)],
        [record(plainLyrics="[Instrumental]", syncedLyrics="")],
    ],
)
async def test_an_unknown_song_says_what_to_do(site, lrclib, found):
    site.answers["/api/search"] = reply_json(found)
    with pytest.raises(NotFound, match="“赤とんぼ” by 三木露風") as caught:
        await lrclib.find("赤とんぼ", "三木露風")
    assert "paste the lyrics" in caught.value.remedy


@pytest.mark.parametrize("song", ["", "  "])
async def test_no_title_is_not_looked_up(site, lrclib, song):
    with pytest.raises(NotFound):
        await lrclib.find(song, "x")
    assert not site.requests


@pytest.mark.parametrize(
    "answer",
    [
        endless,
        reply("{not json", kind="application/json"),
        reply("<html>", kind="image/png"),
        redirect("http://127.0.0.1/"),
        redirect("http://169.254.169.254/latest/meta-data/"),
        redirect("http://[::1]/"),
        redirect("/api/get"),
    ],
)
async def test_an_answer_that_is_of_no_use_is_as_good_as_none(site, lrclib, answer):
    site.answers["/api/get"] = answer
    with pytest.raises(NotFound):
        await lrclib.find("赤とんぼ", "三木露風")


@pytest.mark.parametrize("answer", [silence, reply_json({}, 500), reply_json({}, 429), b""])
async def test_a_server_that_is_down_is_reported(site, open_web, answer):
    site.answers["/api/get"] = answer
    finder = LyricsFinder([Lrclib(open_web(timeout=0.3), site.url)], parse_lyrics)
    with pytest.raises(ServiceDown, match="赤とんぼ"):
        await finder.find("赤とんぼ", "三木露風")


def searching(*hits: SearchHit):
    async def search(query: str) -> tuple[SearchHit, ...]:
        assert "Red Dragonfly" in query
        return hits

    return search


async def test_the_web_is_searched_if_the_first_source_is_down(site, open_web):
    site.answers |= {"/api/get": reply_json({}, 500), "/song": reply(PAGE), "/noise": reply("<p>nothing</p>")}
    hits = (
        SearchHit("Other", site.url + "/noise"),
        SearchHit("?", "http://10.0.0.1/"),
        SearchHit("Red Dragonfly lyrics", site.url + "/song"),
    )
    web = open_web()
    finder = LyricsFinder([Lrclib(web, site.url), WebSearch(web, searching(*hits), extract_lyrics)], parse_lyrics)
    found = await finder.find("Red Dragonfly", "Miki")
    assert found.text.splitlines() == ["夕焼け小焼けの", "赤とんぼ", "負われて見たのは", "いつの日か"]
    assert (found.source, found.title, found.artist) == (site.url + "/song", "Red Dragonfly", "Miki")


@pytest.mark.parametrize(
    "answer", [reply("<p>nothing</p>"), reply(PAGE, status=500), reply(PAGE, kind="text/plain"), endless]
)
async def test_pages_without_lyrics(site, open_web, answer):
    site.answers["/song"] = answer
    finder = LyricsFinder(
        [WebSearch(open_web(), searching(SearchHit("x", site.url + "/song")), extract_lyrics)], parse_lyrics
    )
    with pytest.raises(NotFound):
        await finder.find("Red Dragonfly")


async def test_a_search_that_hangs_ends_within_its_time(open_web):
    async def hanging(_query: str) -> list[SearchHit]:
        await asyncio.sleep(60)
        return []

    finder = LyricsFinder([WebSearch(open_web(), hanging, extract_lyrics)], parse_lyrics, timeout=0.3)
    began = time.monotonic()
    with pytest.raises(ServiceDown, match=r"longer than 0\.3 s"):
        await finder.find("Red Dragonfly")
    assert time.monotonic() - began < 10


async def test_a_blocking_search_that_hangs_does_not_hold_the_program():
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await online._in_thread(lambda: time.sleep(1.5) or [])
    assert time.monotonic() - began < 10


async def test_a_blocking_search_gives_its_hits_and_its_faults():
    assert await online._in_thread(lambda: [SearchHit("a", "b")]) == [SearchHit("a", "b")]
    with pytest.raises(ZeroDivisionError):
        await online._in_thread(lambda: [SearchHit("a", str(1 / 0))])


async def test_the_search_engines_are_asked_by_the_package_for_it(monkeypatch):
    asked = []

    def text(self, query, **options):
        asked.append((query, options["max_results"], self._timeout))
        return [{"title": "T", "href": "https://a.example/", "body": ""}, {"title": "no address"}]

    monkeypatch.setattr("ddgs.ddgs.DDGS.text", text)
    assert await duckduckgo(3)("赤とんぼ") == [SearchHit("T", "https://a.example/")]
    assert asked == [("赤とんぼ", 8, 3)]


@pytest.mark.parametrize(("words", "error"), [("No results found.", None), ("timed out", ServiceDown)])
async def test_what_the_search_engines_refuse(monkeypatch, words, error):
    from ddgs.exceptions import DDGSException

    def text(_self, _query, **_options):
        raise DDGSException(words)

    monkeypatch.setattr("ddgs.ddgs.DDGS.text", text)
    if error is None:
        assert not await duckduckgo(3)("x")
    else:
        with pytest.raises(error, match=words):
            await duckduckgo(3)("x")


async def test_without_the_package_for_searching_the_remedy_is_shown(monkeypatch):
    monkeypatch.setitem(sys.modules, "ddgs", None)
    with pytest.raises(MissingExtra) as caught:
        await duckduckgo(3)("x")
    assert caught.value.remedy == "pip install 'studium[lyrics]'"
