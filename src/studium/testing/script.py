"""What a test says to the wire: the requests it sees, the replies it gives, and the faults it plays."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from studium.testing.instance import properties_of, smallest_instance

ProtocolName = Literal["ollama", "openai", "gemini", "anthropic"]
ToolCall = tuple[str, dict[str, Any]]


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
    schema: dict[str, Any] | None = None
    stream: bool = False
    texts: tuple[str, ...] = ()
    dimensions: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    body: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Reply:
    """What the model says; `cut_short` marks a text that the token limit ended, `vectors` are embeddings."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    input_tokens: int = 10
    output_tokens: int = 5
    delay: float = 0.0
    cut_short: bool = False
    vectors: tuple[list[float], ...] = ()


@dataclass(frozen=True)
class Fault:
    """What goes wrong instead, or while a valid reply is given."""

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
        """404, as each server says it of a model that it does not have."""
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
        """A valid reply that comes in pieces, `delay` seconds before each."""
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
        """The reply that this fault spoils or slows down."""
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


def _wrong_shape(schema: dict[str, Any]) -> dict[str, Any]:
    """Every property the schema names, each holding what hardly any schema allows."""
    return {name: [{"wrong": "shape"}] for name in properties_of(schema)} or {"wrong": "shape"}
