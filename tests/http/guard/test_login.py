"""With a token set, nothing is seen without it."""

import httpx
import pytest
from tests.http.guard.conftest import TOKEN
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize("path", ["/api/v1/ping", "/", "/openapi.json", "/docs", "/login", "/nowhere"])
@pytest.mark.parametrize("authorization", [None, "Bearer wrong", "Bearer", f"Basic {TOKEN}", f"{TOKEN}", "Bearer \xff"])
def test_programs_without_the_token_are_told_so(stranger, path, authorization):
    headers = {} if authorization is None else {"Authorization": authorization.encode("latin-1")}
    reply = stranger.get(path, headers=headers)
    assert reply.status_code == 401
    assert reply.headers["content-type"] == "application/problem+json"
    assert reply.headers["www-authenticate"].startswith("Bearer")


def test_programs_with_the_token_are_answered(closed_server, stranger):
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    assert stranger.get("/api/v1/ping", headers=bearer).status_code == 200
    with connect(f"ws://127.0.0.1:{closed_server.port}/ws", additional_headers=bearer, proxy=None) as connection:
        assert connection.recv(timeout=10) == "welcome"


def test_no_socket_without_the_token(closed_server):
    with pytest.raises(InvalidStatus) as refused, connect(f"ws://127.0.0.1:{closed_server.port}/ws", proxy=None):
        pass
    assert refused.value.response.status_code == 401
    assert "handshake" not in closed_server.log.read_text()


def test_people_are_shown_a_form_that_needs_no_script(stranger):
    reply = stranger.get("/cards?deck=A%26B", headers=BROWSER)
    assert reply.status_code == 401
    assert "<form" in reply.text
    assert "<script" not in reply.text
    assert 'value="/cards?deck=A%26B"' in reply.text
    assert "default-src 'none'" in reply.headers["content-security-policy"]
    assert TOKEN not in reply.text


def test_the_form_leads_to_the_requested_page(closed_server, stranger):
    reply = stranger.post("/login", data={"token": TOKEN, "next": "/cards?deck=A"}, headers=BROWSER)
    assert (reply.status_code, reply.headers["location"]) == (303, "/cards?deck=A")
    cookie = reply.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert TOKEN not in cookie
    assert stranger.get("/cards", headers=BROWSER).status_code == 200
    session = {"Cookie": cookie.partition(";")[0]}
    with connect(f"ws://127.0.0.1:{closed_server.port}/ws", additional_headers=session, proxy=None) as connection:
        assert connection.recv(timeout=10) == "welcome"


@pytest.mark.parametrize("given", [{"token": "wrong"}, {"token": ""}, {}, {"token": TOKEN + "x"}, {"token": "é"}])
def test_a_wrong_token_is_said_to_be_wrong(stranger, given):
    reply = stranger.post("/login", data={"next": "/cards", **given}, headers=BROWSER)
    assert reply.status_code == 401
    assert "not the token" in reply.text
    assert "set-cookie" not in reply.headers


@pytest.mark.parametrize(
    "elsewhere",
    ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:1", "/x\r\nSet-Cookie: a=b", ""],
)
def test_the_form_leads_nowhere_else(stranger, elsewhere):
    reply = stranger.post("/login", data={"token": TOKEN, "next": elsewhere})
    assert (reply.status_code, reply.headers["location"]) == (303, "/")


def test_what_the_address_holds_is_text_in_the_form(stranger):
    reply = stranger.get('/x"><b>?a="><i>', headers=BROWSER)
    assert "<b>" not in reply.text
    assert "<i>" not in reply.text


def test_another_site_cannot_fill_in_the_form(stranger):
    reply = stranger.post("/login", data={"token": TOKEN}, headers={"Origin": "https://evil.example"})
    assert reply.status_code == 403


def test_a_link_with_the_token_opens_the_page_and_forgets_the_token(stranger):
    reply = stranger.get("/cards", params={"token": TOKEN, "deck": "A B"}, headers=BROWSER)
    assert (reply.status_code, reply.headers["location"]) == (303, "/cards?deck=A+B")
    assert stranger.get("/cards?deck=A+B", headers=BROWSER).status_code == 200
    again = stranger.get("/cards", params={"token": TOKEN}, headers=BROWSER)
    assert (again.status_code, again.headers["location"]) == (303, "/cards"), "also for whoever is in already"


def test_a_link_with_a_wrong_token_shows_the_form(stranger):
    reply = stranger.get("/cards", params={"token": "wrong"}, headers=BROWSER)
    assert reply.status_code == 401
    assert "not the token" in reply.text


def test_the_api_takes_no_token_from_its_address(stranger):
    assert stranger.get("/api/v1/ping", params={"token": TOKEN}, headers=BROWSER).status_code == 401


@pytest.mark.parametrize(
    "forge",
    [
        lambda until, seal: f"{int(until) + 1}.{seal}",
        lambda until, seal: f"{until}.{seal[:-1]}0x",
        lambda until, _seal: f"{until}.",
        lambda _until, seal: f".{seal}",
        lambda _until, _seal: TOKEN,
        lambda _until, _seal: '"\\377\\000"',
    ],
)
def test_a_session_cannot_be_made_up(closed_server, stranger, forge):
    stranger.post("/login", data={"token": TOKEN})
    until, _, seal = stranger.cookies["studium_session"].partition(".")
    headers = {"Cookie": f"studium_session={forge(until, seal)}"}
    assert httpx.get(f"{closed_server.url}/api/v1/ping", headers=headers).status_code == 401


@pytest.mark.parametrize("other", ['prefs={"a":1, "b":2}', "x", "=", 'q="unclosed', "a=b=c; ; ,"])
def test_cookies_of_other_programs_do_not_lock_anyone_out(closed_server, stranger, other):
    stranger.post("/login", data={"token": TOKEN})
    headers = {"Cookie": f"{other}; studium_session={stranger.cookies['studium_session']}"}
    assert httpx.get(f"{closed_server.url}/api/v1/ping", headers=headers).status_code == 200


def test_the_form_is_small(stranger):
    assert stranger.post("/login", data={"token": "x" * 100_000}).status_code == 413
