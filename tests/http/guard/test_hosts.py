"""The server answers only to its own names, and to requests from its own pages."""

import socket

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from studium.http.guard import Guard

EVERYWHERE = "0.0.0.0"  # noqa: S104 - a name, not listened on
PAGE = {"said": "hello"}


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:99",
        "127.0.0.1",
        "127.0.0.1:8000",
        "[::1]",
        "[::1]:8000",
        "studium.example:1",
        "localhost.",
    ],
)
def test_its_own_names_are_answered(anyone, host):
    assert anyone.get("/api/v1/ping", headers={"Host": host}).json() == {"said": "pong"}


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.nip.example",
        "evil.example:8000",
        "127.0.0.1@evil.example",
        "evil.example#localhost",
        "localhost/evil",
        "[::1",
        "localhost:port",
        "192.168.1.2",
        EVERYWHERE,
        "2130706433",
        "studium.example.evil.example",
        "",
    ],
)
def test_other_names_are_not(anyone, host):
    reply = anyone.get("/api/v1/ping", headers={"Host": host})
    assert reply.status_code == 421
    assert reply.headers["content-type"] == "application/problem+json"
    assert reply.json()["status"] == 421
    assert "serve.names" in reply.json()["error"]


@pytest.mark.parametrize("hosts", ["", "Host: localhost\r\nHost: evil.example\r\n"])
def test_none_or_two_names_are_not_answered(open_server, hosts):
    with socket.create_connection(("127.0.0.1", open_server.port)) as raw:
        raw.sendall(f"GET /api/v1/ping HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n".encode())
        status = int(raw.makefile("rb").readline().split()[1])
    assert status in (400, 421)


async def test_who_listens_everywhere_is_asked_for_by_number_but_not_by_any_name():
    async def inner(_scope, _receive, send):
        await send({"type": "http.response.start", "status": 204})
        await send({"type": "http.response.body"})

    transport = httpx.ASGITransport(Guard(inner, allowed_hosts=[EVERYWHERE]))
    async with httpx.AsyncClient(transport=transport) as client:
        assert (await client.get("http://192.168.1.2:8000/")).status_code == 204
        assert (await client.get("http://[fd00::2]:8000/")).status_code == 204
        assert (await client.get("http://evil.example:8000/")).status_code == 421


FOREIGN = [
    "https://evil.example",
    "null",
    "",
    "http://127.0.0.1",
    "http://localhost:{port}",
    "http://127.0.0.1:1",
    "http://evil@127.0.0.1:{port}",
    "http://127.0.0.1:{port}.evil.example",
    "http://127.0.0.1:{port}/path",
    "file://127.0.0.1:{port}",
    "chrome-extension://abcdef",
    "http://[::1",
]


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_page_of_another_site_writes_and_reads_nothing(open_server, anyone, origin):
    headers = {"Origin": origin.format(port=open_server.port)}
    for reply in (anyone.post("/api/v1/echo", json=PAGE, headers=headers), anyone.get("/api/v1/ping", headers=headers)):
        assert reply.status_code == 403
        assert reply.json()["title"] == "Cross-site request"


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_page_of_another_site_opens_no_socket(open_server, origin):
    address = f"ws://127.0.0.1:{open_server.port}/ws"
    headers = {"Origin": origin.format(port=open_server.port)}
    with pytest.raises(InvalidStatus) as refused, connect(address, additional_headers=headers, proxy=None):
        pass
    assert refused.value.response.status_code == 403


def test_its_own_pages_write_and_open_sockets(open_server, anyone):
    assert anyone.post("/api/v1/echo", json=PAGE, headers={"Origin": open_server.url}).json() == PAGE
    with connect(f"ws://127.0.0.1:{open_server.port}/ws", origin=open_server.url, proxy=None) as connection:
        assert connection.recv(timeout=10) == "welcome"


def test_behind_a_proxy_with_tls_its_own_pages_write(anyone):
    headers = {"Host": "studium.example", "Origin": "https://studium.example"}
    assert anyone.post("/api/v1/echo", json=PAGE, headers=headers).status_code == 200


def test_programs_say_no_origin_and_are_answered(open_server, anyone):
    assert anyone.post("/api/v1/echo", json=PAGE).status_code == 200
    with connect(f"ws://127.0.0.1:{open_server.port}/ws", proxy=None) as connection:
        assert connection.recv(timeout=10) == "welcome"


@pytest.mark.parametrize(
    ("site", "status"), [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)]
)
def test_a_write_without_origin_is_known_by_where_the_browser_says_it_comes_from(anyone, site, status):
    assert anyone.post("/api/v1/echo", json=PAGE, headers={"Sec-Fetch-Site": site}).status_code == status


def test_a_link_on_another_site_may_lead_here(anyone):
    assert anyone.get("/", headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}).status_code == 200


@pytest.mark.parametrize(
    ("mode", "site"), [("no-cors", "cross-site"), ("no-cors", "same-site"), ("cors", "cross-site")]
)
def test_a_page_of_another_site_loads_nothing_of_ours_into_itself(anyone, mode, site):
    headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode}
    assert anyone.get("/api/v1/ping", headers=headers).status_code == 403
    assert anyone.get("/api/v1/ping", headers={**headers, "Sec-Fetch-Site": "same-origin"}).status_code == 200


def test_a_socket_asked_for_by_another_name_is_refused(open_server):
    with (
        pytest.raises(InvalidStatus) as refused,
        connect(f"ws://127.0.0.1:{open_server.port}/ws", additional_headers={"Host": "evil.example"}, proxy=None),
    ):
        pass
    assert refused.value.response.status_code in (400, 421)


async def test_a_server_that_knows_only_closing_closes_the_socket():
    sent = []

    async def send(message):
        sent.append(message)

    scope = {"type": "websocket", "path": "/ws", "headers": [(b"host", b"evil.example")]}
    await Guard(None)(scope, None, send)
    assert [(message["type"], message["code"]) for message in sent] == [("websocket.close", 1008)]
