"""The script of a test server: the requests it gets, the replies it sends, and the faults it simulates."""

import base64
import hashlib
import json
import math
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

Json = dict[str, Any]
"""A JSON object, as it is sent or received."""
Schema = Json
"""A JSON schema."""

_FORMATS = {
    "date": "2000-01-01",
    "date-time": "2000-01-01T00:00:00Z",
    "time": "00:00:00Z",
    "duration": "PT0S",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "uri": "http://a",
    "email": "a@b.cd",
}


class UnsatisfiableError(ValueError):
    """No finite instance exists: the schema contradicts itself, or requires itself."""


def smallest_instance(schema: Schema) -> Any:
    """A valid instance with as little in it as possible, always the same for the same schema."""
    return _instance(schema, schema, frozenset())


def properties_of(schema: Schema) -> Schema:
    """The properties of an object schema, looked up where it refers elsewhere."""
    return dict(_flat(schema, schema).get("properties", {}))


def _instance(schema: Any, root: Schema, inside: frozenset[str]) -> Any:
    if not isinstance(schema, dict):
        return None
    reference = schema.get("$ref")
    if reference in inside:
        raise UnsatisfiableError(f"{reference} requires itself")
    if reference:
        inside |= {reference}
    schema = _flat(schema, root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return min(schema["enum"], key=_size)
    if schema.get("nullable"):
        return None
    for word in ("anyOf", "oneOf"):
        if word in schema:
            return _smallest_option(schema[word], root, inside)
    return _of_type(_type(schema), schema, root, inside)


def _flat(schema: Schema, root: Schema) -> Schema:
    """The schema with its reference followed and its `allOf` folded in."""
    parts = [_follow(schema["$ref"], root)] if "$ref" in schema else []
    parts += schema.get("allOf", [])
    flat: Schema = {}
    for part in [*(_flat(part, root) for part in parts), schema]:
        required = [*flat.get("required", []), *part.get("required", [])]
        properties = {**flat.get("properties", {}), **part.get("properties", {})}
        flat |= part
        flat |= {key: value for key, value in (("required", required), ("properties", properties)) if value}
    return flat


def _follow(reference: str, root: Schema) -> Schema:
    target: Any = root
    for step in reference.removeprefix("#").split("/")[1:]:
        target = target[step.replace("~1", "/").replace("~0", "~")]
    return dict(target)


def _smallest_option(options: list[Any], root: Schema, inside: frozenset[str]) -> Any:
    instances = []
    for option in options:
        try:
            instances.append(_instance(option, root, inside))
        except UnsatisfiableError:
            continue
    if not instances:
        raise UnsatisfiableError("none of the options has a finite instance")
    return min(instances, key=_size)


def _type(schema: Schema) -> str:
    named = schema.get("type") or ("object" if "properties" in schema else "array" if "items" in schema else "null")
    names = [named] if isinstance(named, str) else named
    return "null" if "null" in names else str(names[0]).lower()


def _of_type(name: str, schema: Schema, root: Schema, inside: frozenset[str]) -> Any:
    match name:
        case "object":
            properties = schema.get("properties", {})
            return {key: _instance(properties.get(key), root, inside) for key in schema.get("required", [])}
        case "array":
            items = list(schema.get("prefixItems", []))
            items += [schema.get("items")] * (int(schema.get("minItems", 0)) - len(items))
            return [_instance(item, root, inside) for item in items]
        case "string":
            return _FORMATS.get(schema.get("format", ""), "").ljust(int(schema.get("minLength", 0)), "a")
        case "integer" | "number":
            return _number(schema, whole=name == "integer")
        case "boolean":
            return False
        case _:
            return None


def _number(schema: Schema, *, whole: bool) -> float:
    at_least, above = schema.get("minimum"), schema.get("exclusiveMinimum")
    at_most, below = schema.get("maximum"), schema.get("exclusiveMaximum")
    low = at_least if above is None else above
    high = at_most if below is None else below
    candidates = [0]
    candidates += [] if low is None else [low, low + 1]
    candidates += [] if high is None else [high, high - 1]
    candidates += [] if low is None or high is None else [(low + high) / 2]
    for number in candidates:
        inside = (at_least is None or number >= at_least) and (at_most is None or number <= at_most)
        between = (above is None or number > above) and (below is None or number < below)
        if inside and between and (not whole or number == int(number)):
            return int(number) if whole else number
    raise UnsatisfiableError(f"no number is allowed by {json.dumps(schema)}")


def _size(instance: Any) -> int:
    return 0 if instance is None else len(json.dumps(instance))


ProtocolName = Literal["ollama", "openai", "gemini", "anthropic"]
ToolCall = tuple[str, Json]


@dataclass(frozen=True)
class WireMessage:
    """One message of a conversation, alike for all protocols; roles are system, user, assistant and tool."""

    role: str
    text: str = ""
    images: int = 0
    tool_calls: tuple[ToolCall, ...] = ()
    tool_name: str | None = None


@dataclass(frozen=True)
class WireRequest:
    """What a client asked, alike for all protocols; `body` is what it really sent."""

    protocol: ProtocolName
    kind: Literal["chat", "embed"]
    model: str
    messages: tuple[WireMessage, ...] = ()
    tools: tuple[str, ...] = ()
    schema: Schema | None = None
    stream: bool = False
    texts: tuple[str, ...] = ()
    dimensions: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    body: Json = field(default_factory=dict)


@dataclass(frozen=True)
class Reply:
    """The reply of the model; `cut_short` marks a text that the token limit ended, `vectors` are embeddings."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    input_tokens: int = 10
    output_tokens: int = 5
    delay: float = 0.0
    cut_short: bool = False
    vectors: tuple[list[float], ...] = ()


@dataclass(frozen=True)
class Fault:
    """A fault instead of a reply, or during a valid one."""

    kind: str
    seconds: float = 0.0
    message: str = ""

    @classmethod
    def too_many(cls, retry_after: float = 0.05) -> "Fault":
        """429, with the time after which to try again."""
        return cls("too_many", retry_after)

    @classmethod
    def server_error(cls) -> "Fault":
        """500."""
        return cls("server_error")

    @classmethod
    def missing_model(cls) -> "Fault":
        """404, as each server reports an unknown model."""
        return cls("missing_model")

    @classmethod
    def unauthorized(cls) -> "Fault":
        """The key is refused: 401, but 400 from Gemini."""
        return cls("unauthorized")

    @classmethod
    def hang(cls, seconds: float = 30) -> "Fault":
        """Silence, then the connection is closed."""
        return cls("hang", seconds)

    @classmethod
    def drop(cls) -> "Fault":
        """The connection is closed at once, with no reply."""
        return cls("drop")

    @classmethod
    def cut_body(cls) -> "Fault":
        """The connection is closed in the middle of a valid reply."""
        return cls("cut_body")

    @classmethod
    def slow_stream(cls, delay: float) -> "Fault":
        """A valid reply in pieces, `delay` seconds before each."""
        return cls("slow_stream", delay)

    @classmethod
    def truncated(cls) -> "Fault":
        """The JSON in the answer's text stops in the middle, since the token limit was reached."""
        return cls("truncated")

    @classmethod
    def wrong_schema(cls) -> "Fault":
        """The answer's text is valid JSON of the wrong shape."""
        return cls("wrong_schema")

    @classmethod
    def empty(cls) -> "Fault":
        """The answer has neither text nor tool calls."""
        return cls("empty")

    @classmethod
    def unscripted(cls, message: str) -> "Fault":
        """599: the script has no answer, and the message says why."""
        return cls("unscripted", message=message)

    def reply_to(self, request: WireRequest) -> Reply:
        """The reply that this fault corrupts or slows down."""
        valid = valid_reply(request)
        match self.kind:
            case "empty":
                return Reply()
            case "wrong_schema":
                return Reply(json.dumps(_wrong_shape(request.schema or {})))
            case "truncated":
                # A little JSON of its own where the valid text is too short to have a middle.
                text = valid.text if len(valid.text) > len('{"":0}') else '{"answer": "cut"}'
                return Reply(text[: len(text) // 2], cut_short=True)
            case _:
                return valid


Outcome = Reply | Fault
Script = Callable[[WireRequest], Outcome] | Sequence[Outcome] | None


def valid_reply(request: WireRequest, delay: float = 0.0) -> Reply:
    """The smallest answer that the request allows: an instance of its schema, or "ok"."""
    text = "ok" if request.schema is None else json.dumps(smallest_instance(request.schema))
    return Reply(text, delay=delay)


def player(script: Script) -> Callable[[WireRequest], Outcome]:
    """The script as a function: a sequence is used up in order, no script at all answers everything validly."""
    if script is None:
        return valid_reply
    if callable(script):
        return script
    lines = iter(script)
    used_up = Fault.unscripted(f"The script is used up: it has {len(script)} lines and this request came after them.")
    return lambda _request: next(lines, used_up)


def _wrong_shape(schema: Schema) -> Json:
    """Every property the schema names, each holding what hardly any schema allows."""
    return {name: [{"wrong": "shape"}] for name in properties_of(schema)} or {"wrong": "shape"}


# Enough pieces to be a stream, few enough to be cheap.
_PIECES = 8
# One moment for every reply, so that the same script gives the same bytes.
MOMENT = 1767225600


class Refusal(NamedTuple):
    """An error response; `code` is its own word for the status, and `{model}` in the message is filled in."""

    status: int
    code: str
    message: str
    retry_after: float = 0.0


class WireProtocol(Protocol):
    """One protocol. Its modules are written as functions and satisfy this as they are."""

    STREAM_TYPE: str
    REFUSALS: dict[str, Refusal]

    def read(self, path: str, headers: dict[str, str], body: Json) -> WireRequest | None:
        """The request as a `WireRequest`, or None if the path is not this protocol's."""
        ...

    def whole(self, request: WireRequest, reply: Reply) -> Json:
        """The reply in one body."""
        ...

    def stream(self, request: WireRequest, reply: Reply) -> list[bytes]:
        """The reply in framed pieces."""
        ...

    def error_body(self, refusal: Refusal) -> Json:
        """The body of an error."""
        ...


def encode(value: Any) -> bytes:
    """Compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def encode_text(value: Any) -> str:
    """The same as text, for JSON inside JSON."""
    return encode(value).decode()


def event(value: Any) -> bytes:
    """One server-sent event."""
    return b"data: " + encode(value) + b"\n\n"


def token_count(texts: Sequence[str]) -> int:
    """About as many tokens as a tokeniser would count."""
    return sum(len(text) // 4 + 1 for text in texts)


def pieces(text: str) -> list[str]:
    """The text as a stream gives it, a few characters at a time."""
    step = -(-len(text) // _PIECES) or 1
    return [text[start : start + step] for start in range(0, len(text), step)]


def unit_vector(text: str, dimensions: int) -> list[float]:
    """A direction drawn from the hash of the text."""
    noise = struct.unpack(f"<{dimensions}h", hashlib.shake_256(text.encode()).digest(2 * dimensions))
    length = math.hypot(*noise)
    return [number / length for number in noise]


def packed(vector: list[float]) -> str:
    """The vector as OpenAI sends it when asked for base64: little-endian float32."""
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
