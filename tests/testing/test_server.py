"""The scripted server itself: scripts, catalogues, plain HTTP, speed, and its life as a process."""

import asyncio
import json
import subprocess
import sys
import time

import httpx
import pytest

import studium.testing
from studium.testing import Fault, Reply, WireServer


def ask(server: WireServer, text: str = "Hello?", **more: object) -> httpx.Response:
    body = {"model": "any", "messages": [{"role": "user", "content": text}], "stream": False, **more}
    return httpx.post(f"{server.address}/api/chat", json=body)


def test_the_package_exports_what_a_test_needs():
    assert set(studium.testing.__all__) == {"Fault", "Reply", "WireMessage", "WireRequest", "WireServer"}


def test_a_sequence_is_used_up_in_order_and_a_request_too_many_is_reported_and_recorded():
    with WireServer([Reply("one"), Reply("two")]) as server:
        answers = [ask(server) for _ in range(3)]

    assert [answer.json().get("message", {}).get("content") for answer in answers] == ["one", "two", None]
    assert answers[2].status_code == 599
    assert "The script is used up: it has 2 lines" in answers[2].json()["error"]
    assert len(server.requests) == 3


def test_a_function_answers_by_what_was_asked():
    with WireServer(lambda request: Reply(request.messages[-1].text.upper())) as server:
        assert ask(server, "hello").json()["message"]["content"] == "HELLO"


def test_what_a_script_raises_is_raised_when_the_server_closes():
    def script(_request):
        raise AssertionError("asked too soon")

    with pytest.raises(AssertionError, match="asked too soon"), WireServer(script) as server:
        assert "asked too soon" in ask(server).json()["error"]


def test_a_request_that_breaks_the_protocol_is_raised_when_the_server_closes():
    nobody = {"content": "Who speaks?"}
    raised = pytest.raises(httpx.TransportError)
    with pytest.raises(KeyError, match="role"), WireServer() as server, raised:
        httpx.post(f"{server.address}/api/chat", json={"model": "any", "messages": [nobody]})


def test_a_failing_test_is_not_hidden_by_a_failing_script():
    def script(_request):
        raise AssertionError("asked too soon")

    def failing_test():
        with WireServer(script) as server:
            raise LookupError(ask(server).status_code)

    with pytest.raises(LookupError, match="599"):
        failing_test()


def test_json_mode_is_answered_with_an_object():
    with WireServer() as server:
        assert json.loads(ask(server, format="json").json()["message"]["content"]) == {}


def test_too_many_requests_say_when_to_come_back():
    with WireServer([Fault.too_many(retry_after=1.5)]) as server:
        assert ask(server).headers["Retry-After"] == "1.5"


def test_the_catalogues_list_the_models():
    with (
        WireServer(models=["qwen3:14b", "mxbai-embed-large:latest"]) as server,
        httpx.Client(base_url=server.address) as client,
    ):
        assert client.get("/api/version").json()["version"]
        assert [model["name"] for model in client.get("/api/tags").json()["models"]] == [
            "qwen3:14b",
            "mxbai-embed-large:latest",
        ]
        assert client.post("/api/show", json={"model": "mxbai-embed-large"}).status_code == 200
        assert client.post("/api/show", json={"model": "llama3"}).status_code == 404
        assert client.get("/v1/models").json()["data"][0]["id"] == "qwen3:14b"
    assert server.requests == []


def test_what_it_does_not_know_it_refuses():
    with WireServer() as server:
        assert httpx.get(f"{server.address}/api/nothing").status_code == 404
        assert httpx.post(f"{server.address}/api/chat", content=b"{not json").status_code == 400


def test_headers_are_recorded_with_small_names():
    with WireServer() as server:
        body = {"model": "any", "messages": []}
        httpx.post(f"{server.address}/v1/chat/completions", json=body, headers={"Authorization": "Bearer made-up"})
    assert server.requests[0].headers["authorization"] == "Bearer made-up"
    assert server.requests[0].body == body


def test_a_connection_is_kept_for_the_next_request():
    ports = set()
    with WireServer() as server, httpx.Client(base_url=server.address) as client:
        for _ in range(3):
            with client.stream("POST", "/api/chat", json={"model": "any", "messages": []}) as response:
                ports.add(response.extensions["network_stream"].get_extra_info("client_addr"))
                response.read()
    assert len(ports) == 1


async def test_it_answers_many_at_once_for_little():
    body = {"model": "any", "messages": [{"role": "user", "content": "Hello?"}], "stream": False}
    with WireServer(lambda _request: Reply("ok", delay=0.2)) as server:
        async with httpx.AsyncClient(base_url=server.address, limits=httpx.Limits(max_connections=32)) as client:
            begun = time.monotonic()
            answers = await asyncio.gather(*(client.post("/api/chat", json=body) for _ in range(64)))
            took = time.monotonic() - begun

    assert {answer.status_code for answer in answers} == {200}
    # Two rounds of 32 at 0.2 s; one after the other they would take 12.8 s.
    assert 0.4 <= took < 8


def test_as_a_process_it_prints_its_address_and_ends_with_its_input():
    command = [sys.executable, "-m", "studium.testing", "--delay", "0.1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        address = process.stdout.readline().strip()
        begun = time.monotonic()
        answer = httpx.post(f"{address}/v1/chat/completions", json={"model": "any", "messages": []})
        assert time.monotonic() - begun >= 0.1
        process.stdin.close()
        assert process.wait(timeout=10) == 0

    assert answer.json()["choices"][0]["message"]["content"] == "ok"
