"""An author is looked up in an encyclopedia; its failures do not stop the import."""

import asyncio
from urllib.parse import parse_qs

import pytest
from tests.loopback_site import endless, redirect, reply, reply_json, silence, trickle

from studium.concepts.wikipedia import Encyclopedia
from studium.core.domain.finding import Severity

SEARCH = "/w/api.php"
SUMMARY = "/api/rest_v1/page/summary/"
CERVANTES = "Miguel de Cervantes Saavedra fue un novelista, poeta y dramaturgo español."
QUIJOTE = "Don Quijote de la Mancha es una novela escrita por Miguel de Cervantes."


def hits(*titles):
    return reply_json({"batchcomplete": True, "query": {"search": [{"ns": 0, "title": title} for title in titles]}})


def summary(extract, kind="standard"):
    return reply_json({"type": kind, "title": "…", "extract": extract, "lang": "es"})


async def test_the_first_paragraphs_of_the_pages_found_are_returned(site, ask):
    site.answers |= {
        SEARCH: hits("Miguel de Cervantes", "Don Quijote"),
        SUMMARY + "Miguel_de_Cervantes": summary(CERVANTES),
        SUMMARY + "Don_Quijote": summary(f" {QUIJOTE}\n"),
    }
    told = await ask("Miguel de  Cervantes")
    assert (told.pages, told.findings) == ((CERVANTES, QUIJOTE), ())
    (asked, headers), *_ = site.requests
    assert parse_qs(asked.partition("?")[2])["srsearch"] == ["Miguel de Cervantes"]
    assert headers["host"] == f"es.wiki.example:{site.port}"
    assert headers["user-agent"].startswith("studium/")


async def test_no_more_than_three_pages_are_read(site, ask):
    titles = [f"Page {number}" for number in range(9)]
    site.answers |= {SEARCH: hits(*titles)} | {f"{SUMMARY}Page_{n}": summary(f"Text {n}.") for n in range(9)}
    assert (await ask("Page")).pages == ("Text 0.", "Text 1.", "Text 2.")
    assert len(site.requests) == 4


async def test_lists_of_namesakes_and_empty_or_missing_pages_are_left_out(site, ask):
    site.answers |= {
        SEARCH: hits("Borges", "Gone", "Jorge Luis Borges"),
        SUMMARY + "Borges": summary("Borges puede referirse a:", "disambiguation"),
        SUMMARY + "Jorge_Luis_Borges": summary("Jorge Luis Borges fue un escritor argentino."),
    }
    told = await ask("Borges")
    assert (told.pages, told.findings) == (("Jorge Luis Borges fue un escritor argentino.",), ())


@pytest.mark.parametrize("title", ["AC/DC", "../../admin?x=1#y", "Señor & Señora", "100 %"])
async def test_a_title_is_never_more_than_a_title(site, ask, title):
    site.answers[SEARCH] = hits(title)
    await ask("Somebody")
    target = site.requests[1][0]
    assert target.startswith(SUMMARY)
    assert not {"/", "?", "#", "&", " "} & set(target.removeprefix(SUMMARY))


@pytest.mark.parametrize(
    ("language", "host"),
    [("es", "es"), ("pt-BR", "pt"), ("EN", "en"), ("und", "en"), ("", "en"), ("evil.example/", "en"), ("x@y", "en")],
)
async def test_the_wiki_is_the_readers_and_never_another_host(site, ask, language, host):
    site.answers[SEARCH] = hits()
    await ask("Somebody", language)
    assert site.requests[0][1]["host"] == f"{host}.wiki.example:{site.port}"


async def test_a_page_that_moved_is_followed_but_not_to_a_private_address(site, ask):
    site.answers |= {
        SEARCH: hits("Old"),
        SUMMARY + "Old": redirect("New"),
        SUMMARY + "New": summary("The new page."),
    }
    assert (await ask("Old")).pages == ("The new page.",)
    site.answers[SUMMARY + "Old"] = redirect("http://169.254.169.254/latest/meta-data")
    told = await ask("Old")
    assert told.pages == ()
    assert [finding.code for finding in told.findings] == ["encyclopedia.unanswered"]
    assert "not a public web server" in told.findings[0].message


async def test_the_encyclopedia_itself_must_be_public():
    pages, findings = await asyncio.to_thread(Encyclopedia("http://127.0.0.1:9").pages, "Somebody", "en")
    assert pages == ()
    assert "not a public web server" in findings[0].message


async def test_an_unknown_person_is_reported(site, ask):
    site.answers[SEARCH] = hits()
    told = await ask("Nobody At All")
    assert told.pages == ()
    assert [(each.code, each.severity) for each in told.findings] == [("encyclopedia.nothing", Severity.INFO)]
    assert "Nobody At All" in told.findings[0].message


async def test_no_name_asks_nothing(site, ask):
    assert (await ask("  "))[:2] == ((), ())
    assert site.requests == []


BAD = {
    "too often": (reply(b"slow down", status=429), "Too many requests"),
    "failing": (reply(b"", status=500), "status 500"),
    "forbidden": (reply(b"", status=403), "status 403"),
    "not JSON": (reply("<html>", kind="application/json"), "unreadable response"),
    "another JSON": (reply_json({"error": {"code": "ratelimited"}}), "unreadable response"),
    "a list": (reply_json([1, 2]), "unreadable response"),
    "not UTF-8": (reply(b'{"query": "\xff"}', kind="application/json"), "unreadable response"),
    "nested deeply": (reply("[" * 15_000, kind="application/json"), "unreadable response"),
    "a picture": (reply(b"\x89PNG", kind="image/png"), "instead of text"),
    "huge": (reply("x" * 50_000, kind="application/json"), "more than 0.02 MB"),
    "endless": (endless, "more than 0.02 MB"),
    "round in circles": (redirect(SEARCH), "redirects too often"),
    "nothing at all": (b"", "closed the connection"),
    "not HTTP": (b"SSH-2.0-OpenSSH\r\n", "closed the connection"),
}


@pytest.mark.parametrize(("answer", "why"), BAD.values(), ids=BAD)
async def test_a_bad_answer_is_a_finding_and_no_more(site, ask, answer, why):
    site.answers[SEARCH] = answer
    told = await ask("Miguel de Cervantes")
    assert told.pages == ()
    (finding,) = told.findings
    assert (finding.code, finding.severity) == ("encyclopedia.unanswered", Severity.WARNING)
    assert why in finding.message


@pytest.mark.parametrize("slow", [silence, trickle])
async def test_a_slow_answer_is_not_waited_for(site, ask, slow):
    site.answers[SEARCH] = slow
    told = await ask("Miguel de Cervantes", within=0.3)
    assert told.pages == ()
    assert told.seconds < 10
    assert "longer than 0.3 s" in told.findings[0].message or "within 0.3 s" in told.findings[0].message


async def test_pages_that_arrived_before_the_connection_broke_are_kept(site, ask):
    site.answers |= {
        SEARCH: hits("Good", "Slow"),
        SUMMARY + "Good": summary("A good page."),
        SUMMARY + "Slow": silence,
    }
    told = await ask("Somebody", within=3)
    assert told.pages == ("A good page.",)
    assert [finding.code for finding in told.findings] == ["encyclopedia.unanswered"]


async def test_a_missing_server_is_a_finding(ask, site):
    site.port = 9  # the discard port, where nobody listens
    told = await ask("Somebody")
    assert told.pages == ()
    assert "cannot be reached" in told.findings[0].message
