"""OpenAI's protocol: /v1/chat/completions and /v1/embeddings, streamed as server-sent events."""

import json
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from typing import Any

from studium.testing.script import (
    MOMENT,
    Json,
    Refusal,
    Reply,
    ToolCall,
    WireMessage,
    WireRequest,
    encode_text,
    event,
    packed,
    pieces,
    token_count,
)

STREAM_TYPE = "text/event-stream"
REFUSALS = {
    "too_many": Refusal(429, "rate_limit_exceeded", "Rate limit reached for {model}. Please try again later."),
    "server_error": Refusal(500, "server_error", "The server had an error while processing your request."),
    "missing_model": Refusal(404, "model_not_found", "The model `{model}` does not exist or you do not have access."),
    "unauthorized": Refusal(401, "invalid_api_key", "Incorrect API key provided."),
}


def read(path: str, headers: dict[str, str], body: Json) -> WireRequest | None:
    """The request as a `WireRequest`, or None if the path is not OpenAI's."""
    if path == "/v1/embeddings":
        given = body.get("input", [])
        return WireRequest(
            "openai",
            "embed",
            body.get("model", ""),
            texts=(given,) if isinstance(given, str) else tuple(map(str, given)),
            dimensions=body.get("dimensions"),
            headers=headers,
            body=body,
        )
    if path != "/v1/chat/completions":
        return None
    return WireRequest(
        "openai",
        "chat",
        body.get("model", ""),
        messages=tuple(_messages(body.get("messages", []))),
        tools=tuple(tool["function"]["name"] for tool in body.get("tools") or ()),
        schema=_schema(body.get("response_format") or {}),
        stream=bool(body.get("stream")),
        headers=headers,
        body=body,
    )


def _schema(response_format: Json) -> Json | None:
    match response_format.get("type"):
        case "json_schema":
            return dict(response_format["json_schema"].get("schema", {}))
        case "json_object":
            return {"type": "object"}
    return None


def _messages(messages: list[Json]) -> Iterator[WireMessage]:
    names: dict[str, str] = {}
    for message in messages:
        calls = message.get("tool_calls") or ()
        names |= {call["id"]: call["function"]["name"] for call in calls}
        content = message.get("content") or ""
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        role = message["role"]
        yield WireMessage(
            role="system" if role == "developer" else role,
            text="\n".join(part["text"] for part in parts if part["type"] == "text"),
            images=sum(part["type"] == "image_url" for part in parts),
            tool_calls=tuple(_call(call["function"]) for call in calls),
            tool_name=names.get(message.get("tool_call_id", "")),
        )


def _call(function: Json) -> ToolCall:
    return function["name"], json.loads(function["arguments"] or "{}")


def whole(request: WireRequest, reply: Reply) -> Json:
    """The reply in one body."""
    message: Json = {"role": "assistant", "content": reply.text or None, "refusal": None}
    if reply.tool_calls:
        message["tool_calls"] = _tool_calls(request, reply)
    elif not reply.text:
        message["content"] = ""
    choice = {"index": 0, "message": message, "finish_reason": _finish(reply), "logprobs": None}
    return _body(request, "chat.completion", [choice]) | {"usage": _usage(reply)}


def stream(request: WireRequest, reply: Reply) -> list[bytes]:
    """The reply in events: the role, its text piece by piece, its tool calls, the end, and the counts if wanted."""
    deltas: list[Json] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": piece} for piece in pieces(reply.text)]
    deltas += [{"tool_calls": [{"index": at, **call}]} for at, call in enumerate(_tool_calls(request, reply))]
    choices: list[Json] = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    choices.append({"index": 0, "delta": {}, "finish_reason": _finish(reply)})
    events = [event(_body(request, "chat.completion.chunk", [choice])) for choice in choices]
    if (request.body.get("stream_options") or {}).get("include_usage"):
        events.append(event(_body(request, "chat.completion.chunk", []) | {"usage": _usage(reply)}))
    return [*events, b"data: [DONE]\n\n"]


def _body(request: WireRequest, kind: str, choices: list[Json]) -> Json:
    return {"id": "chatcmpl-0", "object": kind, "created": MOMENT, "model": request.model, "choices": choices}


def _tool_calls(request: WireRequest, reply: Reply) -> list[Json]:
    # The turn is part of the id, so that ids are unique in a conversation.
    turn = len(request.messages)
    return [
        {"id": f"call_{turn}_{at}", "type": "function", "function": {"name": name, "arguments": encode_text(arguments)}}
        for at, (name, arguments) in enumerate(reply.tool_calls)
    ]


def _finish(reply: Reply) -> str:
    return "length" if reply.cut_short else "tool_calls" if reply.tool_calls else "stop"


def _usage(reply: Reply) -> Json:
    total = reply.input_tokens + reply.output_tokens
    return {"prompt_tokens": reply.input_tokens, "completion_tokens": reply.output_tokens, "total_tokens": total}


def embeddings(request: WireRequest, vectors: Sequence[list[float]]) -> Json:
    """The vectors of the request's texts, in base64 if asked for."""
    tokens = token_count(request.texts)
    in_base64 = request.body.get("encoding_format") == "base64"
    written: list[Any] = [packed(vector) if in_base64 else vector for vector in vectors]
    return {
        "object": "list",
        "data": [{"object": "embedding", "index": at, "embedding": vector} for at, vector in enumerate(written)],
        "model": request.model,
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }


def error_body(refusal: Refusal) -> Json:
    """The body of an error."""
    kind = "server_error" if refusal.status >= HTTPStatus.INTERNAL_SERVER_ERROR else "invalid_request_error"
    return {"error": {"message": refusal.message, "type": kind, "param": None, "code": refusal.code}}


def catalogue(path: str, models: Sequence[str]) -> Json | None:
    """The models, as /v1/models lists them."""
    if path != "/v1/models":
        return None
    listed = [{"id": name, "object": "model", "created": MOMENT, "owned_by": "studium"} for name in models]
    return {"object": "list", "data": listed}
