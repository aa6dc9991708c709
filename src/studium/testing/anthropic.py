"""Anthropic's protocol: /v1/messages, streamed as named server-sent events. It has no embeddings."""

from collections.abc import Iterator
from typing import Any

from studium.testing.script import Json, Refusal, Reply, WireMessage, WireRequest, encode_text, event, pieces

STREAM_TYPE = "text/event-stream"
REFUSALS = {
    "too_many": Refusal(429, "rate_limit_error", "This request would exceed your organization's rate limit."),
    "server_error": Refusal(500, "api_error", "Internal server error"),
    "missing_model": Refusal(404, "not_found_error", "model: {model}"),
    "unauthorized": Refusal(401, "authentication_error", "invalid x-api-key"),
}


def read(path: str, headers: dict[str, str], body: Json) -> WireRequest | None:
    """The request as a `WireRequest`, or None if the path is not Anthropic's."""
    if path != "/v1/messages":
        return None
    form = (body.get("output_config") or {}).get("format") or {}
    return WireRequest(
        "anthropic",
        "chat",
        body.get("model", ""),
        messages=tuple(_messages(body)),
        tools=tuple(tool["name"] for tool in body.get("tools") or ()),
        schema=form.get("schema"),
        stream=bool(body.get("stream")),
        headers=headers,
        body=body,
    )


def _messages(body: Json) -> Iterator[WireMessage]:
    if body.get("system"):
        yield WireMessage("system", _text(_blocks(body["system"])))
    names: dict[str, str] = {}
    for message in body.get("messages", []):
        blocks = _blocks(message["content"])
        calls = [block for block in blocks if block["type"] == "tool_use"]
        names |= {call["id"]: call["name"] for call in calls}
        for block in blocks:
            if block["type"] == "tool_result":
                text = _text(_blocks(block.get("content", "")))
                yield WireMessage("tool", text, tool_name=names.get(block["tool_use_id"]))
        said = [block for block in blocks if block["type"] != "tool_result"]
        if said:
            yield WireMessage(
                role=message["role"],
                text=_text(said),
                images=sum(block["type"] == "image" for block in said),
                tool_calls=tuple((call["name"], call["input"]) for call in calls),
            )


def _blocks(content: Any) -> list[Json]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _text(blocks: list[Json]) -> str:
    return "\n".join(block["text"] for block in blocks if block["type"] == "text")


def whole(request: WireRequest, reply: Reply) -> Json:
    """The reply in one body."""
    text = [{"type": "text", "text": reply.text}] if reply.text else []
    usage = {"input_tokens": reply.input_tokens, "output_tokens": reply.output_tokens}
    return _message(request) | {"content": [*text, *_tool_uses(request, reply)], "usage": usage, **_ending(reply)}


def stream(request: WireRequest, reply: Reply) -> list[bytes]:
    """The reply in events: one block of text, one a tool call, then the end and the counts."""
    usage = {"input_tokens": reply.input_tokens, "output_tokens": reply.output_tokens}
    message = _message(request) | {"usage": usage | {"output_tokens": 1}}
    events: list[Json] = [{"type": "message_start", "message": message}]
    if reply.text:
        deltas = [{"type": "text_delta", "text": piece} for piece in pieces(reply.text)]
        events += _block(0, {"type": "text", "text": ""}, deltas)
    for at, use in enumerate(_tool_uses(request, reply), start=1 if reply.text else 0):
        arguments = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces(encode_text(use["input"]))]
        events += _block(at, use | {"input": {}}, arguments)
    events.append({"type": "message_delta", "delta": _ending(reply), "usage": usage})
    events.append({"type": "message_stop"})
    return [b"event: " + each["type"].encode() + b"\n" + event(each) for each in events]


def _block(at: int, start: Json, deltas: list[Json]) -> list[Json]:
    return [
        {"type": "content_block_start", "index": at, "content_block": start},
        *({"type": "content_block_delta", "index": at, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": at},
    ]


def _message(request: WireRequest) -> Json:
    empty: Json = {"content": [], "stop_reason": None, "stop_sequence": None}
    return {"id": "msg_0", "type": "message", "role": "assistant", "model": request.model, **empty}


def _tool_uses(request: WireRequest, reply: Reply) -> list[Json]:
    # The turn is part of the id, so that ids are unique in a conversation.
    turn = len(request.messages)
    return [
        {"type": "tool_use", "id": f"toolu_{turn}_{at}", "name": name, "input": arguments}
        for at, (name, arguments) in enumerate(reply.tool_calls)
    ]


def _ending(reply: Reply) -> Json:
    reason = "max_tokens" if reply.cut_short else "tool_use" if reply.tool_calls else "end_turn"
    return {"stop_reason": reason, "stop_sequence": None}


def error_body(refusal: Refusal) -> Json:
    """The body of an error."""
    return {"type": "error", "error": {"type": refusal.code, "message": refusal.message}}
