"""Gemini's protocol: models/NAME:generateContent and its kin, streamed as server-sent events."""

import json
import re
from collections.abc import Iterator, Sequence

from studium.testing.script import Json, Refusal, Reply, WireMessage, WireRequest, event, pieces

STREAM_TYPE = "text/event-stream"
REFUSALS = {
    "too_many": Refusal(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."),
    "server_error": Refusal(500, "INTERNAL", "An internal error has occurred."),
    "missing_model": Refusal(404, "NOT_FOUND", "models/{model} is not found for API version v1beta."),
    # Gemini calls a bad key a bad argument.
    "unauthorized": Refusal(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
}
_PATH = re.compile(r"/v1(?:beta)?/models/(?P<model>[^:]+):(?P<verb>\w+)")
_EMBEDDING = ("embedContent", "batchEmbedContents")
_CHATTING = ("generateContent", "streamGenerateContent")


def read(path: str, headers: dict[str, str], body: Json) -> WireRequest | None:
    """The request as a `WireRequest`, or None if the path is not Gemini's."""
    address = _PATH.fullmatch(path)
    verb = address["verb"] if address else ""
    if address and verb in _EMBEDDING:
        asked = body.get("requests", [body])
        return WireRequest(
            "gemini",
            "embed",
            address["model"],
            texts=tuple(_text(each["content"]["parts"]) for each in asked),
            dimensions=asked[0].get("outputDimensionality") if asked else None,
            headers=headers,
            body=body,
        )
    if not address or verb not in _CHATTING:
        return None
    return WireRequest(
        "gemini",
        "chat",
        address["model"],
        messages=tuple(_messages(body)),
        tools=tuple(each["name"] for tool in body.get("tools") or () for each in tool.get("functionDeclarations", ())),
        schema=_schema(body.get("generationConfig") or {}),
        stream=verb == "streamGenerateContent",
        headers=headers,
        body=body,
    )


def _schema(config: Json) -> Json | None:
    schema = config.get("responseJsonSchema") or config.get("responseSchema")
    wants_json = config.get("responseMimeType") == "application/json"
    return schema or ({"type": "object"} if wants_json else None)


def _text(parts: list[Json]) -> str:
    return "\n".join(part["text"] for part in parts if "text" in part)


def _messages(body: Json) -> Iterator[WireMessage]:
    if "systemInstruction" in body:
        yield WireMessage("system", _text(body["systemInstruction"]["parts"]))
    for content in body.get("contents", []):
        parts = content["parts"]
        for part in parts:
            if response := part.get("functionResponse"):
                yield WireMessage("tool", _tool_text(response["response"]), tool_name=response["name"])
        said = [part for part in parts if "functionResponse" not in part]
        calls = [part["functionCall"] for part in said if "functionCall" in part]
        if said:
            yield WireMessage(
                role="assistant" if content.get("role") == "model" else "user",
                text=_text(said),
                images=sum("inlineData" in part or "fileData" in part for part in said),
                tool_calls=tuple((call["name"], call.get("args", {})) for call in calls),
            )


def _tool_text(response: Json) -> str:
    """A tool's text, which clients wrap as `{"output": text}` unless it is an object itself."""
    output = response.get("output")
    return output if isinstance(output, str) else json.dumps(response)


def whole(request: WireRequest, reply: Reply) -> Json:
    """The reply in one body."""
    return _body(request, reply, _parts(reply, [reply.text] if reply.text else []), reply.output_tokens, last=True)


def stream(request: WireRequest, reply: Reply) -> list[bytes]:
    """The reply in events, each with the tokens so far; the last one has the tool calls and the reason of the end."""
    texts = pieces(reply.text)
    events = []
    for at, text in enumerate(texts[:-1]):
        tokens = reply.output_tokens * (at + 1) // len(texts)
        events.append(event(_body(request, reply, [{"text": text}], tokens, last=False)))
    ending = _body(request, reply, _parts(reply, texts[-1:]), reply.output_tokens, last=True)
    return [*events, event(ending)]


def _parts(reply: Reply, texts: list[str]) -> list[Json]:
    calls = [{"functionCall": {"name": name, "args": arguments}} for name, arguments in reply.tool_calls]
    return [*({"text": text} for text in texts), *calls]


def _body(request: WireRequest, reply: Reply, parts: list[Json], tokens: int, *, last: bool) -> Json:
    # An empty answer has no parts at all.
    content = {"role": "model", **({"parts": parts} if parts else {})}
    candidate: Json = {"content": content, "index": 0}
    if last:
        candidate["finishReason"] = "MAX_TOKENS" if reply.cut_short else "STOP"
    return {
        "candidates": [candidate],
        "usageMetadata": {
            "promptTokenCount": reply.input_tokens,
            "candidatesTokenCount": tokens,
            "totalTokenCount": reply.input_tokens + tokens,
        },
        "modelVersion": request.model,
        "responseId": "scripted",
    }


def embeddings(request: WireRequest, vectors: Sequence[list[float]]) -> Json:
    """The vectors of the request's texts."""
    values = [{"values": vector} for vector in vectors]
    return {"embeddings": values} if "requests" in request.body else {"embedding": values[0]}


def error_body(refusal: Refusal) -> Json:
    """The body of an error."""
    error: Json = {"code": refusal.status, "message": refusal.message, "status": refusal.code}
    if refusal.retry_after:
        again = f"{refusal.retry_after}s"
        error["details"] = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": again}]
    return {"error": error}
