"""Sessions: nobody can make one up, and they end when they are logged out, revoked, or too old."""

import asyncio
import json
import time
from pathlib import Path

import httpx
import pytest
from starlette.datastructures import Headers
from tests.http.guard.conftest import TOKEN, served
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from studium.core.files import secure_home
from studium.http.login import LoginThrottle, TokenAuth
from studium.http.sessions import LINK_SECONDS, SESSION_SECONDS, Sessions, SessionWatch

BROWSER = {"Accept": "text/html"}
KEY = TOKEN.encode()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One whose sessions are in a file."""
    folder = tmp_path_factory.mktemp("sessions")
    with served(folder, "server", token=TOKEN, sessions_file=str(folder / "sessions.json")) as server:
        yield server


def sessions_file(server) -> Path:
    return server.log.parent / "sessions.json"


@pytest.fixture
def person(server):
    """Somebody who is logged in."""
    with httpx.Client(base_url=server.url, timeout=30) as client:
        assert client.post("/login", data={"token": TOKEN}).status_code == 303
        yield client


def cookie_of(person) -> dict[str, str]:
    return {"Cookie": f"studium_session={person.cookies['studium_session']}"}


def is_in(server, cookie) -> bool:
    return httpx.get(f"{server.url}/api/v1/ping", headers=cookie).status_code == 200


def clock_socket(server, cookie):
    return connect(f"ws://127.0.0.1:{server.port}/clock", additional_headers=cookie, proxy=None)


def test_who_logs_out_is_out_and_so_is_a_copy_of_the_cookie(server, person):
    copied = cookie_of(person)
    assert is_in(server, copied)
    out = person.post("/logout", headers=BROWSER)
    assert (out.status_code, out.headers["location"]) == (303, "/login?out")
    assert "Max-Age=0" in out.headers["set-cookie"]
    assert not person.cookies
    assert not is_in(server, copied)
    form = person.get("/login?out", headers=BROWSER)
    assert (form.status_code, "You are logged out" in form.text) == (401, True)


def test_others_stay_logged_in(server, person):
    with httpx.Client(base_url=server.url) as other:
        other.post("/login", data={"token": TOKEN})
        assert other.cookies["studium_session"] != person.cookies["studium_session"]
        assert other.post("/logout").status_code == 204
    assert is_in(server, cookie_of(person))


def test_who_is_not_logged_in_can_log_out(server):
    assert httpx.post(f"{server.url}/logout").status_code == 204
    made_up = {"Cookie": "studium_session=9999999999.\xff.x"}
    assert (
        httpx.post(f"{server.url}/logout", headers={k: v.encode("latin-1") for k, v in made_up.items()}).status_code
        == 204
    )


def test_another_site_cannot_log_anybody_out(server, person):
    assert person.post("/logout", headers={"Origin": "https://evil.example"}).status_code == 403
    assert is_in(server, cookie_of(person))


def test_a_link_does_not_log_out(server, person):
    person.get("/logout", headers=BROWSER)
    assert is_in(server, cookie_of(person))


def test_the_socket_of_a_page_is_closed_when_its_session_is_logged_out(server, person):
    cookie = cookie_of(person)
    with clock_socket(server, cookie) as socket:
        socket.send("hello")
        assert socket.recv(timeout=10) == "hello"
        person.post("/logout")
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=10)
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1008, "Logged out")
    with pytest.raises(InvalidStatus) as refused, clock_socket(server, cookie):
        pass
    assert refused.value.response.status_code == 401


def test_a_socket_of_someone_else_stays_open(server, person):
    with httpx.Client(base_url=server.url) as other, clock_socket(server, cookie_of(person)) as socket:
        other.post("/login", data={"token": TOKEN})
        other.post("/logout")
        time.sleep(1.5)
        socket.send("still here")
        assert socket.recv(timeout=10) == "still here"


def test_a_socket_with_the_token_stays_open_when_sessions_are_revoked(server):
    with clock_socket(server, {"Authorization": f"Bearer {TOKEN}"}) as socket:
        Sessions(sessions_file(server)).revoke()
        time.sleep(1.5)
        socket.send("still here")
        assert socket.recv(timeout=10) == "still here"


@pytest.mark.parametrize("path", ["/api/v1/ticks", "/api/v1/quiet"])
def test_a_stream_ends_with_its_session(server, person, path):
    with (
        httpx.Client(base_url=server.url, headers=cookie_of(person), timeout=20) as other,
        other.stream("GET", path) as stream,
    ):
        lines = stream.iter_lines()
        assert next(lines)
        person.post("/logout")
        began = time.monotonic()
        assert len(list(lines)) < 50
        assert time.monotonic() - began < 10
    assert "Traceback" not in server.log.read_text()
    assert "without completing response" not in server.log.read_text()


def test_a_running_server_notices_that_all_sessions_were_revoked(server, person):
    cookie = cookie_of(person)
    with clock_socket(server, cookie) as socket:
        Sessions(sessions_file(server)).revoke()
        assert not is_in(server, cookie)
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=10)
    assert person.post("/login", data={"token": TOKEN}).status_code == 303
    assert is_in(server, cookie_of(person))


def test_the_same_file_and_token_keep_a_session_and_its_log_out_over_a_restart(tmp_path):
    file = tmp_path / "sessions.json"
    session, other = Sessions(file).start(KEY), Sessions(file).start(KEY)
    assert Sessions(file).is_valid(session, KEY)
    Sessions(file).end(session, KEY)
    assert not Sessions(file).is_valid(session, KEY)
    assert Sessions(file).is_valid(other, KEY)


def test_another_token_ends_every_session(tmp_path):
    file = tmp_path / "sessions.json"
    session = Sessions(file).start(KEY)
    assert not Sessions(file).is_valid(session, b"another token")
    assert Sessions(file).is_valid(session, KEY)


def test_the_token_does_not_help_to_check_a_cookie_without_the_secret(tmp_path):
    session = Sessions(tmp_path / "sessions.json").start(KEY)
    assert not Sessions(tmp_path / "other.json").is_valid(session, KEY)
    assert TOKEN not in (tmp_path / "sessions.json").read_text()


def test_the_secret_is_for_its_owner_alone(tmp_path):
    secure_home(tmp_path / "home")
    Sessions(tmp_path / "home" / "sessions.json").start(KEY)
    assert (tmp_path / "home" / "sessions.json").stat().st_mode & 0o777 == 0o600
    assert len(bytes.fromhex(json.loads((tmp_path / "home" / "sessions.json").read_text())["secret"])) >= 16


def test_a_session_expires(tmp_path):
    now = 1_000_000.0
    sessions = Sessions(tmp_path / "sessions.json", lambda: now)
    session = sessions.start(KEY)
    now += SESSION_SECONDS - 2
    assert sessions.is_valid(session, KEY)
    now += 3
    assert not sessions.is_valid(session, KEY)


@pytest.mark.parametrize(
    "damaged", ["", "{", "[]", '{"secret": "00", "ended": {}}', '{"secret": 1, "ended": {}}', '{"secret": "x"}', "\xff"]
)
def test_a_damaged_file_ends_all_sessions_and_is_replaced(tmp_path, damaged):
    file = tmp_path / "sessions.json"
    sessions = Sessions(file)
    old = sessions.start(KEY)
    file.write_bytes(damaged.encode("latin-1"))
    assert not sessions.is_valid(old, KEY)
    new = sessions.start(KEY)
    assert sessions.is_valid(new, KEY)
    assert Sessions(file).is_valid(new, KEY)


def test_a_file_that_cannot_be_written_refuses_nobody(tmp_path):
    (tmp_path / "file").write_text("in the way")
    sessions = Sessions(tmp_path / "file" / "sessions.json")
    session = sessions.start(KEY)
    assert sessions.is_valid(session, KEY)
    sessions.end(session, KEY)
    assert not sessions.is_valid(session, KEY)


def test_log_outs_of_a_year_do_not_fill_the_file(tmp_path):
    now = 1_000_000.0
    sessions = Sessions(tmp_path / "sessions.json", lambda: now)
    for _ in range(50):
        sessions.end(sessions.start(KEY), KEY)
        now += SESSION_SECONDS / 5
    assert len(json.loads((tmp_path / "sessions.json").read_text())["ended"]) <= 6


def test_a_login_code_works_once_and_not_for_long():
    now = 1_000_000.0
    sessions = Sessions(clock=lambda: now)
    code, late = sessions.login_code(), sessions.login_code()
    assert [sessions.use_login_code(each) for each in ("", "x", code, code)] == [False, False, True, False]
    now += LINK_SECONDS + 1
    assert not sessions.use_login_code(late)


def test_the_cookie_is_for_the_server_alone_and_for_https_where_there_is_one():
    auth = TokenAuth(TOKEN, LoginThrottle())
    for scheme, is_secure in (("http", False), ("https", True)):
        cookie = auth.cookie(scheme)
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert f"Max-Age={SESSION_SECONDS}" in cookie
        assert ("; Secure" in cookie) is is_secure
        assert auth.session(Headers({"Cookie": cookie.partition(";")[0]}), "a")


async def test_a_response_that_says_how_long_it_is_is_finished():
    sent = []

    async def send(message):
        sent.append(message)

    watch = SessionWatch({"type": "http"}, asyncio.Event().wait, send, lambda: False)
    await watch.send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await watch.send({"type": "http.response.body", "body": b"a", "more_body": True})
    await watch.send({"type": "http.response.body", "body": b"b"})
    assert [message.get("body") for message in sent] == [None, b"a", b"b"]
