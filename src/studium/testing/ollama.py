"""Ollama's protocol: /api/chat and /api/embed, streamed as lines of JSON, and its catalogue."""

from collections import deque
from collections.abc import Iterator, Sequence

from studium.testing.script import Json, Refusal, Reply, WireMessage, WireRequest, encode, pieces, token_count

STREAM_TYPE = "application/x-ndjson"
REFUSALS = {
    "too_many": Refusal(429, "", "too many requests, please try again later"),
    "server_error": Refusal(500, "", "llama runner process has terminated: exit status 2"),
    "missing_model": Refusal(404, "", 'model "{model}" not found, try pulling it first'),
    "unauthorized": Refusal(401, "", "unauthorized"),
}
_MOMENT = "2026-01-01T00:00:00Z"
_DETAILS = {"format": "gguf", "family": "scripted", "parameter_size": "0B", "quantization_level": "Q4_K_M"}


def read(path: str, headers: dict[str, str], body: Json) -> WireRequest | None:
    """The request as a `WireRequest`, or None if the path is not Ollama's."""
    if path == "/api/embed":
        texts = body.get("input", [])
        return WireRequest(
            "ollama",
            "embed",
            body.get("model", ""),
            texts=(texts,) if isinstance(texts, str) else tuple(texts),
            dimensions=body.get("dimensions"),
            headers=headers,
            body=body,
        )
    if path != "/api/chat":
        return None
    form = body.get("format")
    return WireRequest(
        "ollama",
        "chat",
        body.get("model", ""),
        messages=tuple(_messages(body.get("messages", []))),
        tools=tuple(tool["function"]["name"] for tool in body.get("tools") or ()),
        schema=form if isinstance(form, dict) else {"type": "object"} if form == "json" else None,
        stream=body.get("stream", True),
        headers=headers,
        body=body,
    )


def _messages(messages: list[Json]) -> Iterator[WireMessage]:
    # A tool's reply may come without the tool's name: replies come in the order of the calls.
    called: deque[str] = deque()
    for message in messages:
        functions = [call["function"] for call in message.get("tool_calls") or ()]
        called.extend(function["name"] for function in functions)
        named = None
        if message["role"] == "tool":
            in_turn = called.popleft() if called else None
            named = message.get("tool_name") or in_turn
        yield WireMessage(
            role=message["role"],
            text=message.get("content") or "",
            images=len(message.get("images") or ()),
            tool_calls=tuple((function["name"], function["arguments"]) for function in functions),
            tool_name=named,
        )


def whole(request: WireRequest, reply: Reply) -> Json:
    """The reply in one body."""
    return _line(request, reply.text, reply) | _ending(reply)


def stream(request: WireRequest, reply: Reply) -> list[bytes]:
    """The reply in lines: its text piece by piece, its tool calls, and the counts."""
    lines = [_line(request, piece) for piece in pieces(reply.text)]
    if reply.tool_calls:
        lines.append(_line(request, "", reply))
    lines.append(_line(request, "") | _ending(reply))
    return [encode(line) + b"\n" for line in lines]


def _line(request: WireRequest, text: str, calling: Reply | None = None) -> Json:
    message: Json = {"role": "assistant", "content": text}
    if calling and calling.tool_calls:
        message["tool_calls"] = [{"function": {"name": name, "arguments": args}} for name, args in calling.tool_calls]
    return {"model": request.model, "created_at": _MOMENT, "message": message, "done": False}


def _ending(reply: Reply) -> Json:
    return {
        "done": True,
        "done_reason": "length" if reply.cut_short else "stop",
        "total_duration": 1_000_000,
        "load_duration": 100_000,
        "prompt_eval_count": reply.input_tokens,
        "prompt_eval_duration": 400_000,
        "eval_count": reply.output_tokens,
        "eval_duration": 500_000,
    }


def embeddings(request: WireRequest, vectors: Sequence[list[float]]) -> Json:
    """The vectors of the request's texts."""
    count = token_count(request.texts)
    return {"model": request.model, "embeddings": vectors, "total_duration": 1_000_000, "prompt_eval_count": count}


def error_body(refusal: Refusal) -> Json:
    """The body of an error."""
    return {"error": refusal.message}


def catalogue(path: str, body: Json, models: Sequence[str]) -> tuple[int, Json] | None:
    """What Ollama says about itself: its version, its models, and one model."""
    match path:
        case "/api/version":
            return 200, {"version": "0.12.0"}
        case "/api/tags":
            return 200, {"models": [{"name": name, "model": name, "details": _DETAILS} for name in models]}
        case "/api/show":
            name = body.get("model") or body.get("name", "")
            if name in models or f"{name}:latest" in models:
                return 200, {"details": _DETAILS, "model_info": {}, "capabilities": ["completion", "tools", "vision"]}
            return 404, {"error": f"model '{name}' not found"}
    return None
