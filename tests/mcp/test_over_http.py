"""Assistants over HTTP pass the same guard as everybody."""

import httpx
import pytest
from tests.http.conftest import served
from tests.mcp.conftest import answer, assistant_app, connect

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
}
ACCEPTED = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def closed(tmp_path_factory):
    """Where only those are heard who know the token."""
    with served(assistant_app(tmp_path_factory.mktemp("closed"), "serve.token=open-sesame")) as address:
        yield f"{address}/mcp"


@pytest.mark.parametrize("headers", [{"Origin": "https://evil.example"}, {"Host": "evil.example"}])
def test_a_foreign_page_is_not_heard(address, headers):
    assert httpx.post(address, json=HELLO, headers=ACCEPTED | headers).status_code in (403, 421)
    assert httpx.post(address, json=HELLO, headers=ACCEPTED).status_code == 200


def test_without_the_token_nobody_is_heard(closed):
    assert httpx.post(closed, json=HELLO, headers=ACCEPTED).status_code == 401


async def test_with_the_token_an_assistant_is_heard(closed):
    from mcp.client.streamable_http import streamable_http_client

    async with (
        httpx.AsyncClient(headers={"Authorization": "Bearer open-sesame"}, timeout=30) as known,
        connect(streamable_http_client(closed, http_client=known)) as client,
    ):
        assert (await answer(client, "list_runs"))["total"] == 0


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call"}', b"\xff" * 99]
)
def test_what_is_no_talk_is_refused_and_the_next_is_heard(address, body):
    refused = httpx.post(address, content=body, headers=ACCEPTED | {"Content-Type": "application/json"})
    assert 400 <= refused.status_code < 500
    assert httpx.post(address, json=HELLO, headers=ACCEPTED).status_code == 200
