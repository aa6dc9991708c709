"""The real LangChain clients hold whole conversations with the scripted server."""

import math

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import tool
from pydantic import BaseModel, Field

from studium.testing import Reply, WireServer

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


class Gloss(BaseModel):
    word: str
    meaning: str


class Vocabulary(BaseModel):
    """Words of a song."""

    title: str
    words: list[Gloss] = Field(min_length=1)


@tool
def look_up(word: str) -> str:
    """Look a word up."""
    return f"{word}: found"


async def test_a_question_gets_the_scripted_answer_and_its_token_counts(clients):
    with WireServer([Reply("Hello, learner.", input_tokens=321, output_tokens=12)]) as server:
        chat = clients.chat(server)
        answer = await chat.ainvoke([SystemMessage("Be kind."), HumanMessage("Hello?")])

    assert answer.text == "Hello, learner."
    assert answer.usage_metadata["input_tokens"] == 321
    assert answer.usage_metadata["output_tokens"] == 12
    [request] = server.requests
    assert (request.protocol, request.kind, request.schema) == (clients.protocol, "chat", None)
    assert request.model == chat._get_ls_params()["ls_model_name"]
    assert [(message.role, message.text) for message in request.messages] == [
        ("system", "Be kind."),
        ("user", "Hello?"),
    ]


async def test_a_structured_answer_arrives_as_the_model_asked_for(clients):
    scripted = Vocabulary(title="さくら", words=[Gloss(word="桜", meaning="cherry blossom")])
    with WireServer([Reply(scripted.model_dump_json())]) as server:
        asked = clients.chat(server).with_structured_output(Vocabulary, method="json_schema")
        assert await asked.ainvoke("Which words?") == scripted

    schema = server.requests[0].schema
    assert set(schema["properties"]) == {"title", "words"}
    assert set(schema["required"]) == {"title", "words"}


async def test_without_a_script_a_structured_answer_is_the_smallest_valid_one(clients):
    with WireServer() as server:
        asked = clients.chat(server).with_structured_output(Vocabulary, method="json_schema")
        answer = await asked.ainvoke("Which words?")

    assert answer == Vocabulary(title="", words=[Gloss(word="", meaning="")])


async def test_two_tools_called_at_once_and_their_replies_are_matched(clients):
    calls = (("look_up", {"word": "桜"}), ("look_up", {"word": "花"}))
    with WireServer([Reply("", calls), Reply("Both are flowers.")]) as server:
        chat = clients.chat(server).bind_tools([look_up])
        question = HumanMessage("What are 桜 and 花?")
        calling = await chat.ainvoke([question])
        replies = [ToolMessage(look_up.invoke(call["args"]), tool_call_id=call["id"]) for call in calling.tool_calls]
        for reply, call in zip(replies, calling.tool_calls, strict=True):
            reply.name = call["name"]
        answer = await chat.ainvoke([question, calling, *replies])

    assert [(call["name"], call["args"]) for call in calling.tool_calls] == list(calls)
    assert len({call["id"] for call in calling.tool_calls}) == 2
    assert answer.text == "Both are flowers."
    assert not answer.tool_calls
    first, second = server.requests
    assert first.tools == ("look_up",)
    said, called, *replied = second.messages
    assert (said.role, said.text) == ("user", "What are 桜 and 花?")
    assert (called.role, called.tool_calls) == ("assistant", calls)
    assert [(reply.role, reply.tool_name, reply.text) for reply in replied] == [
        ("tool", "look_up", "桜: found"),
        ("tool", "look_up", "花: found"),
    ]


async def test_an_answer_streams_in_pieces_and_ends_with_its_token_counts(clients):
    text = "A stub area has no external routes, ありがとう."
    with WireServer([Reply(text, input_tokens=40, output_tokens=16)]) as server:
        pieces = [piece async for piece in clients.chat(server).astream("What is a stub area?")]

    assert server.requests[0].stream
    assert len([piece for piece in pieces if piece.text]) > 3
    whole = sum(pieces[1:], start=pieces[0])
    assert whole.text == text
    assert (whole.usage_metadata["input_tokens"], whole.usage_metadata["output_tokens"]) == (40, 16)


async def test_tool_calls_stream_too(clients):
    calls = (("look_up", {"word": "桜"}), ("look_up", {"word": "花"}))
    with WireServer([Reply("Let me see.", calls)]) as server:
        pieces = [piece async for piece in clients.chat(server).bind_tools([look_up]).astream("桜?")]

    whole = sum(pieces[1:], start=pieces[0])
    assert whole.text == "Let me see."
    assert [(call["name"], call["args"]) for call in whole.tool_calls] == list(calls)


async def test_a_picture_in_a_message_is_counted(clients):
    question = [{"type": "text", "text": "What is this?"}, {"type": "image", "base64": PIXEL, "mime_type": "image/png"}]
    with WireServer([Reply("A pixel.")]) as server:
        answer = await clients.chat(server).ainvoke([HumanMessage(question)])

    assert answer.text == "A pixel."
    [message] = server.requests[0].messages
    assert (message.text.strip(), message.images) == ("What is this?", 1)


async def test_embeddings_are_unit_vectors_that_depend_on_the_text_alone(embedding_clients):
    with WireServer(dimensions=256) as server:
        embedder = embedding_clients.embedder(server)
        first, second = await embedder.aembed_documents(["桜", "flower"])
        again = await embedder.aembed_query("桜")

    assert len(first) == 256
    assert math.hypot(*first) == pytest.approx(1, abs=1e-5)
    assert again == pytest.approx(first)
    assert sum(a * b for a, b in zip(first, second, strict=True)) < 0.5
    assert [request.texts for request in server.requests] == [("桜", "flower"), ("桜",)]
    assert {(request.protocol, request.kind, request.model) for request in server.requests} == {
        (embedding_clients.protocol, "embed", "mxbai-embed-large")
    }


async def test_a_conversation_keeps_its_turns(clients):
    with WireServer([Reply("Go on.")]) as server:
        await clients.chat(server).ainvoke([HumanMessage("One."), AIMessage("Two."), HumanMessage("Three.")])

    assert [(message.role, message.text) for message in server.requests[0].messages] == [
        ("user", "One."),
        ("assistant", "Two."),
        ("user", "Three."),
    ]
