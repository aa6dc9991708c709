"""Each fault of the scripted server makes the real LangChain clients fail as they would in the field."""

import asyncio
import time

import aiohttp
import httpx
import httpx2
import ollama
import openai
import pytest
from langchain_core.exceptions import (
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelInvalidRequestError,
    ModelNotFoundError,
    ModelRateLimitError,
)
from pydantic import BaseModel

from studium.testing import Fault, Reply, WireServer


class Note(BaseModel):
    title: str
    lines: list[int]


REFUSALS = [
    (Fault.too_many(), 429, ModelRateLimitError),
    (Fault.server_error(), 500, ModelAPIError),
    (Fault.missing_model(), 404, ModelNotFoundError),
    (Fault.unauthorized(), 401, ModelAuthenticationError),
]
# What the clients raise for a connection that broke; Ollama's and Gemini's let the error of their HTTP library through.
BROKEN = (ModelConnectionError, httpx.TransportError, httpx2.TransportError, aiohttp.ClientError)
# LangChain's and pydantic's parsing errors are ValueErrors; OpenAI's client has its own for an answer cut short.
UNREADABLE = (ValueError, openai.LengthFinishReasonError)


@pytest.mark.parametrize(("fault", "status", "error"), REFUSALS, ids=lambda value: getattr(value, "kind", ""))
async def test_a_refusal_carries_its_status(clients, fault, status, error):
    if clients.protocol == "gemini" and fault.kind == "unauthorized":
        status, error = 400, ModelInvalidRequestError
    expected = ollama.ResponseError if clients.protocol == "ollama" else error

    with WireServer([fault, Reply("again")]) as server:
        chat = clients.chat(server)
        with pytest.raises(expected, match=str(status)):
            await chat.ainvoke("Hello?")
        assert (await chat.ainvoke("Hello?")).text == "again"


async def test_a_missing_model_is_named(clients):
    with WireServer([Fault.missing_model()]) as server:
        with pytest.raises(Exception, match=r"not found|does not exist|model: ") as raised:
            await clients.chat(server).ainvoke("Hello?")
        assert server.requests[0].model in str(raised.value)


@pytest.mark.parametrize("fault", [Fault.drop(), Fault.cut_body()], ids=lambda fault: fault.kind)
async def test_a_broken_connection_is_an_error_and_the_next_one_works(clients, fault):
    with WireServer([fault, fault, Reply("again")]) as server:
        chat = clients.chat(server)
        with pytest.raises(BROKEN):
            await chat.ainvoke("Hello?")
        with pytest.raises(BROKEN):
            [piece async for piece in chat.astream("Hello?")]
        assert (await chat.ainvoke("Hello?")).text == "again"


async def test_a_server_that_hangs_is_left_and_closes_at_once(clients):
    with WireServer([Fault.hang(30)]) as server:
        chat = clients.chat(server)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(chat.ainvoke("Hello?"), 0.3)
        assert len(server.requests) == 1
        closing = time.monotonic()
    assert time.monotonic() - closing < 5


@pytest.mark.parametrize(
    "fault", [Fault.truncated(), Fault.wrong_schema(), Fault.empty()], ids=lambda fault: fault.kind
)
async def test_an_unusable_answer_is_not_taken_for_a_note(clients, fault):
    with WireServer([fault]) as server:
        asked = clients.chat(server).with_structured_output(Note, method="json_schema")
        with pytest.raises(UNREADABLE):
            await asked.ainvoke("Which note?")


async def test_a_truncated_answer_says_that_the_limit_was_reached(clients):
    with WireServer([Fault.truncated()]) as server:
        answer = await clients.chat(server).ainvoke("Answer in JSON.")

    assert answer.text == '{"answer'
    told = answer.response_metadata
    reason = told.get("done_reason") or told.get("finish_reason") or told.get("stop_reason")
    assert reason in ("length", "MAX_TOKENS", "max_tokens")


async def test_an_empty_answer_has_neither_text_nor_calls(clients):
    with WireServer([Fault.empty()]) as server:
        answer = await clients.chat(server).ainvoke("Hello?")

    assert not answer.text
    assert not answer.tool_calls


async def test_a_slow_stream_comes_whole_but_late(clients):
    with WireServer([Reply("ok"), Fault.slow_stream(0.05)]) as server:
        chat = clients.chat(server)
        await chat.ainvoke("Warm up.")
        begun = time.monotonic()
        text = "".join([piece.text async for piece in chat.astream("Hello?")])

    assert text == "ok"
    assert time.monotonic() - begun > 0.1


async def test_embeddings_are_refused_as_chats_are(embedding_clients):
    with WireServer([Fault.missing_model()]) as server, pytest.raises(Exception, match="mxbai-embed-large"):
        await embedding_clients.embedder(server).aembed_query("桜")
