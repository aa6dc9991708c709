"""Requests that nobody in good faith would send, to the whole of it: the API with the pages on top."""

import json
import time
from collections.abc import Iterator

import httpx
import pytest
from tests.real.studium_server import Site, serving
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Site]:
    """A `studium serve` that keeps next to nothing."""
    with serving(tmp_path_factory.mktemp("whole") / "home", STUDIUM_SERVE__MAX_UPLOADS="1") as site:
        yield site


@pytest.fixture
def whole(site) -> str:
    return site.url


@pytest.fixture
def client(whole) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=whole, timeout=30) as client:
        yield client


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "TRACE", "PATCH", "PROPFIND", "DELETE"])
def test_a_wrong_method_is_told_from_a_wrong_path(client, method):
    reply = client.request(method, "/api/v1/runs")
    assert (reply.status_code, reply.headers["allow"]) == (405, "GET")
    assert client.request(method, "/api/v1/nothing").status_code == 404


def test_a_method_cannot_be_overridden(client):
    headers = {"X-HTTP-Method-Override": "DELETE", "X-Method-Override": "DELETE"}
    assert "count" in client.get("/api/v1/cache?_method=DELETE", headers=headers).json()


@pytest.mark.parametrize(
    "path", ["/api//v1/runs", "/api/v1/../v2/x", "/api/v1/jobs/..%2f..%2fx", "/api/v1/labs/%2fetc", "/api/%00"]
)
def test_no_way_of_writing_a_path_leads_elsewhere(client, path):
    reply = client.get(path)
    assert reply.status_code == 404
    assert reply.json()["remedy"] == "See /docs for the available routes."


@pytest.mark.parametrize("path", ["/api/v1/runs", "/api/v1/nothing", "/nowhere"])
def test_a_socket_where_none_is_is_refused(whole, path):
    with pytest.raises(InvalidStatus) as refused, connect(whole.replace("http", "ws") + path, proxy=None):
        pass
    assert refused.value.response.status_code == 403


def test_a_refused_socket_is_no_fault_in_the_log(whole, site):
    for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {}):
        with (
            pytest.raises(InvalidStatus) as refused,
            connect(whole.replace("http", "ws") + "/nowhere", additional_headers=headers, proxy=None),
        ):
            pass
        assert refused.value.response.status_code == 403
    assert "handshake" not in site.printed


def test_too_many_keys_are_refused_quickly_and_shortly(client):
    body = json.dumps({f"key {number}": 1 for number in range(220_000)}).encode()
    assert 3_000_000 < len(body) < 4_000_000
    for path in ("/api/v1/tutor/diagnose", "/api/v1/vocabulary/song", "/mcp"):
        for headers in ({"Content-Type": "application/json"}, {}, {"Content-Type": "application/problem+json"}):
            began = time.monotonic()
            reply = client.post(path, content=body, headers=headers)
            assert reply.status_code == 422
            assert reply.headers["content-type"] == "application/problem+json"
            assert "more than 50,000 values" in reply.json()["detail"]
            assert time.monotonic() - began < 5


def test_few_of_many_faults_are_reported(client):
    reply = client.post("/api/v1/vocabulary/song", json={"song": "x"} | {f"{'k' * 500}{n}": 1 for n in range(2_000)})
    assert reply.status_code == 422
    assert len(reply.content) < 10_000
    assert "and 1,980 more" in reply.json()["detail"]


def test_a_form_of_too_many_parts_is_refused_at_once(client):
    part = b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'
    began = time.monotonic()
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    reply = client.post("/api/v1/uploads", content=part * 150_000 + b"--x--\r\n", headers=headers)
    assert reply.status_code == 422
    assert "more than 20 parts" in reply.json()["detail"]
    assert time.monotonic() - began < 5


DEEP = 100_000
HOSTILE = {
    "deep lists": b"[" * DEEP,
    "deep objects": b'{"a":' * DEEP,
    "deep and whole": b"[" * DEEP + b"]" * DEEP,
    "not a number": b'{"transcript": NaN}',
    "an endless number": b'{"transcript": ' + b"9" * 10_000 + b"}",
    "half a sign": b'{"transcript": "\\ud800"}',
    "no UTF-8": b'{"transcript": "\xff\xfe"}',
    "UTF-16": '{"transcript": "x"}'.encode("utf-16"),
    "compressed": bytes.fromhex("1f8b08000000000000038b8e0500290bb34c02000000"),
    "a bare word": b"null",
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_json_is_the_callers_fault(client, body):
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    reply = client.post("/api/v1/tutor/diagnose", content=body, headers=headers)
    assert reply.status_code in (400, 422)
    assert reply.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("length", [256, 60_000])
def test_a_long_idempotency_key_is_refused(client, length):
    reply = client.post("/api/v1/demo/forget", json={}, headers={"Idempotency-Key": "k" * length})
    assert reply.status_code == 400


def test_what_comes_in_the_place_of_a_head_is_cut_off(client):
    try:
        status = client.get("/api/v1/runs", headers={"X": "x" * 1_000_000}).status_code
    except httpx.TransportError:  # it hung up before all of it was sent
        status = 400
    assert status == 400
    assert client.get("/api/v1/health").status_code == 200


def test_all_uploads_together_have_a_limit(client):
    first = client.post("/api/v1/uploads", files={"file": ("a.md", b"x" * 900_000)})
    assert first.status_code == 201
    refused = client.post("/api/v1/uploads", files={"file": ("b.md", b"x" * 900_000)})
    assert refused.status_code == 507
    assert refused.headers["content-type"] == "application/problem+json"
    assert "serve.max_uploads" in refused.json()["remedy"]
    assert client.get("/api/v1/uploads").json()["items"] == [first.json()]
    assert client.delete(f"/api/v1/uploads/{first.json()['id']}").status_code == 204
    assert client.post("/api/v1/uploads", files={"file": ("b.md", b"x" * 900_000)}).status_code == 201
