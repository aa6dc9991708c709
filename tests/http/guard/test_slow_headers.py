"""What comes before a body is short and comes soon; what comes after it changes nothing."""

import asyncio
import select
import socket
import time
from contextlib import ExitStack
from itertools import repeat

import httpx
import pytest
from tests.http.guard.conftest import served
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.sync.client import connect

from studium.http.protocols import MAX_PENDING, HeaderTimeoutProtocol


def opened(server, start: bytes) -> socket.socket:
    raw = socket.create_connection(("127.0.0.1", server.port), timeout=20)
    raw.sendall(start)
    return raw


def answer_of(raw: socket.socket) -> bytes:
    return raw.makefile("rb").readline()


ENDLESS = {
    "one line after another": (b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X: " + b"x" * 10_000 + b"\r\n"),
    "one long line": (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ", b"x" * 10_000),
    "a long address": (b"GET /", b"x" * 10_000),
}


@pytest.mark.parametrize(("start", "piece"), ENDLESS.values(), ids=ENDLESS.keys())
def test_endless_headers_are_cut_off_early(open_server, start, piece):
    before = open_server.most_memory()
    sent = 0
    with opened(open_server, start) as raw:
        try:
            for _ in repeat(None, 10_000):
                raw.sendall(piece)
                sent += len(piece)
        except ConnectionError:
            pass
    assert sent < 20_000_000, "most of it never left the client"
    assert open_server.most_memory() - before < 20


@pytest.mark.parametrize(
    "start",
    [
        pytest.param(b"", marks=pytest.mark.endurance, id="no word"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: local", id="half a head"),
        pytest.param(
            b"GET /api/v1/ping HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/1.1\r\nHost: local",
            marks=pytest.mark.endurance,
            id="half a second head",
        ),
    ],
)
def test_a_client_that_never_finishes_its_headers_is_disconnected(open_server, start):
    began = time.monotonic()
    with opened(open_server, start) as raw:
        while raw.recv(10_000):
            pass
    assert 1 < time.monotonic() - began < 10


def test_silent_connections_shut_nobody_out(tmp_path):
    with served(tmp_path, "server", most_connections=120) as server, ExitStack() as silent:
        connections = [silent.enter_context(opened(server, b"GET / HT")) for _ in range(300)]
        assert httpx.get(f"{server.url}/api/v1/ping").status_code == 200
        readable, _, _ = select.select(connections, [], [], 5)
        assert connections[0] in readable, "the first of them was let go"
        assert connections[0].recv(10) == b""
        connections[-1].sendall(b"TP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"200" in answer_of(connections[-1]), "the last of them was not"


class Line(asyncio.Transport):
    """A connection from an address that this machine cannot have."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 1), "sockname": ("192.0.2.1", 80)})
        self.closed = False

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        return self._protocol

    def close(self) -> None:
        self.closed = True


async def test_silent_connections_of_many_addresses_make_room_too():
    config, state = Config(None, log_config=None), ServerState()
    config.load()
    lines = []
    for n in range(MAX_PENDING + 5):
        lines.append(line := Line(f"198.51.100.{n % 200}"))
        line.set_protocol(HeaderTimeoutProtocol(config, state, {}))
        line.get_protocol().connection_made(line)
    assert [line.closed for line in lines] == [True] * 5 + [False] * MAX_PENDING
    for line in lines:
        line.get_protocol().connection_lost(None)


def test_a_socket_may_stay_silent(open_server):
    with connect(f"ws://127.0.0.1:{open_server.port}/silent", proxy=None) as connection:
        time.sleep(2.5)  # longer than a head may take here
        connection.send("still there?")
        assert connection.recv(timeout=10) == "still there?"


def test_what_follows_a_body_is_no_header(open_server):
    head = b"POST /api/v1/headers HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with opened(open_server, head + b"2\r\n{}\r\n0\r\nAuthorization: Bearer x\r\nHost: evil.example\r\n\r\n") as raw:
        raw.settimeout(10)
        said = b""
        while b"]" not in said:
            said += raw.recv(10_000)
    assert b"200 OK" in said
    assert b"authorization" not in said
    assert b"evil.example" not in said


BROKEN = [
    b"Content-Length: 4\r\nContent-Length: 5",
    b"Content-Length: +2",
    b"Content-Length: -1",
    b"Content-Length: 2\r\nTransfer-Encoding: gzip, chunked",
    b"Transfer-Encoding: xchunked",
    b"Transfer-Encoding : chunked",
    b"X: a\r\n\tb\x00",
]


@pytest.mark.parametrize("headers", BROKEN)
def test_of_two_readings_of_a_head_none_is_taken(open_server, headers):
    with opened(open_server, b"POST /api/v1/echo HTTP/1.1\r\nHost: localhost\r\n" + headers + b"\r\n\r\n{}xxx") as raw:
        assert answer_of(raw).split()[1] in (b"400", b"501")
