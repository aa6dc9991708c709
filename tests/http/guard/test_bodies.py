"""Request bodies: limited in size and time, stored completely or not at all."""

import socket
import time
from itertools import repeat

import httpx
import pytest

MEGABYTE = b"x" * 1_000_000


def opened(server, path, *headers: str) -> socket.socket:
    """A connection on which a POST was started."""
    raw = socket.create_connection(("127.0.0.1", server.port), timeout=30)
    raw.sendall("\r\n".join([f"POST {path} HTTP/1.1", "Host: localhost", *headers, "", ""]).encode())
    return raw


def status_of(raw: socket.socket) -> int:
    return int(raw.makefile("rb").readline().split()[1])


def half_written(server) -> bool:
    return any(server.uploads.glob(".*"))


def soon(holds) -> bool:
    until = time.monotonic() + 10
    while not holds() and time.monotonic() < until:
        time.sleep(0.02)
    return holds()


@pytest.mark.parametrize(
    ("path", "length"),
    [("/api/v1/echo", 1_000_001), ("/api/v1/uploads", 2_100_001), ("/api/v1/uploads", 2**31), ("/x", 10**30)],
)
def test_what_says_that_it_is_too_long_is_not_read(open_server, path, length):
    with opened(open_server, path, f"Content-Length: {length}") as raw:
        assert status_of(raw) in (413, 400)


@pytest.mark.parametrize("path", ["/api/v1/echo", "/api/v1/stream", "/api/v1/uploads/raw/a.md"])
def test_two_gigabytes_in_pieces_are_cut_off_early(open_server, path):
    before = open_server.most_memory()
    sent = 0
    with opened(open_server, path, "Content-Type: application/json", "Transfer-Encoding: chunked") as raw:
        try:
            for _ in repeat(None, 2_000):
                raw.sendall(b"f4240\r\n" + MEGABYTE + b"\r\n")
                sent += 1
        except ConnectionError:
            pass
        assert sent < 50, "most of it never left the client"
    assert open_server.most_memory() - before < 30
    assert soon(lambda: not half_written(open_server))


def test_a_client_that_waits_gets_the_reason(open_server):
    with opened(open_server, "/api/v1/stream", "Transfer-Encoding: chunked") as raw:
        raw.sendall(b"f4240\r\n" + MEGABYTE + b"\r\n1\r\nx\r\n")
        assert status_of(raw) == 413


def test_the_limit_itself_is_not_too_long(anyone):
    assert anyone.post("/api/v1/stream", content=MEGABYTE).json() == {"came": 1_000_000}
    assert anyone.post("/api/v1/stream", content=iter([MEGABYTE])).json() == {"came": 1_000_000}
    assert anyone.post("/api/v1/stream", content=iter([MEGABYTE, b"x"])).status_code == 413


def test_who_stays_silent_is_let_go(open_server):
    with opened(open_server, "/api/v1/echo", "Content-Type: application/json", "Content-Length: 20") as raw:
        raw.sendall(b'{"said": ')
        began = time.monotonic()
        assert status_of(raw) == 408
        assert 1.5 < time.monotonic() - began < 10


def test_who_brings_a_byte_now_and_then_is_let_go(open_server):
    with opened(open_server, "/api/v1/stream", "Content-Length: 1000") as raw:
        raw.settimeout(0.2)
        until = time.monotonic() + 15
        reply = b""
        while not reply and time.monotonic() < until:
            raw.sendall(b"x")
            try:
                reply = raw.recv(1000)
            except TimeoutError:
                continue
        assert reply.startswith(b"HTTP/1.1 408")


def test_others_are_answered_meanwhile(open_server, anyone):
    slow = [opened(open_server, "/api/v1/echo", "Content-Length: 20") for _ in range(50)]
    try:
        began = time.monotonic()
        assert anyone.get("/api/v1/ping").status_code == 200
        assert time.monotonic() - began < 8
    finally:
        for raw in slow:
            raw.close()


def test_who_leaves_halfway_leaves_no_trace(open_server, anyone):
    with opened(open_server, "/api/v1/uploads/raw/half.md", "Content-Length: 100000") as raw:
        raw.sendall(b"# Half")
        assert soon(lambda: half_written(open_server))
    assert soon(lambda: not half_written(open_server))
    assert anyone.get("/api/v1/ping").status_code == 200
    assert "Traceback" not in open_server.log.read_text()


FORM = "multipart/form-data; boundary=b"
MALFORMED = [
    ("multipart/form-data", b"x"),
    ("multipart/form-data; boundary=", b"x"),
    (FORM, b""),
    (FORM, b"--b"),
    (FORM, b"--b\r\n"),
    (FORM, b"--b--"),
    (FORM, b"garbage"),
    (FORM, b"--b\r\n\r\n\r\n--b--"),
    (FORM, b"--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--"),
    (FORM, b'--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nx\r\n--b--'),
    (FORM, b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\nx'),
    (FORM, b'--b\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\nx\r\n--b--'),
    (FORM, b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.exe"\r\n\r\nMZ\r\n--b--'),
    (FORM, b"--b\r\n" + b"X-H: y\r\n" * 20_000),
    (FORM, b"--b\r\nContent-Disposition: form-data; name=\"\xff\xfe\"; filename*=UTF-8''%ff\r\n\r\nx\r\n--b--"),
    (FORM, b"--b\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n" * 5_000 + b"--b--"),
    ("multipart/form-data; boundary=" + "b" * 5_000, b"x"),
    (
        "multipart/form-data; charset=nonsense; boundary=b",
        b'--b\r\nContent-Disposition: form-data; name="f"\r\n\r\n\xff\r\n--b--',
    ),
]


@pytest.mark.parametrize(("kind", "body"), MALFORMED, ids=range(len(MALFORMED)))
def test_a_malformed_form_is_the_callers_fault(anyone, kind, body):
    reply = anyone.post("/api/v1/uploads", content=body, headers={"Content-Type": kind})
    assert 400 <= reply.status_code < 500


def test_a_well_formed_one_is_kept(open_server, anyone):
    reply = anyone.post("/api/v1/uploads", files={"file": ("../../夜空.md", b"# Night")})
    assert reply.json()["name"] == "夜空.md"
    assert (open_server.uploads / reply.json()["id"] / "夜空.md").read_bytes() == b"# Night"


def test_too_large_a_file_is_refused_though_its_form_is_not(anyone):
    reply = anyone.post("/api/v1/uploads", files={"file": ("a.md", b"x" * 2_000_001)})
    assert reply.status_code == 422
    assert "2 MB" in reply.json()["detail"]


def test_refused_requests_cost_no_memory(open_server):
    before = open_server.most_memory()
    for _ in range(300):
        with opened(open_server, "/api/v1/uploads", f"Content-Length: {2**31}") as raw:
            assert status_of(raw) == 413
    assert open_server.most_memory() - before < 10
    assert httpx.get(f"{open_server.url}/api/v1/ping").status_code == 200
