"""Messages, replies and response formats as plain JSON, which is hashed and cached; calls use LangChain's."""

import json
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal, Required, TypedDict

from studium.core.domain.skill import FinalTool, Image, Skill, Tool
from studium.core.llm.providers import ModelSpec

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, BaseMessage
    from langchain_core.runnables import Runnable


class ToolCall(TypedDict):
    """A tool call in a reply."""

    name: str
    args: dict[str, Any]
    id: str | None


class BrokenCall(TypedDict):
    """A tool call whose arguments are not valid JSON; `args` is their text."""

    name: str | None
    args: str | None
    id: str | None


class ReplyJson(TypedDict):
    """A reply as it is cached, and as it is part of later messages."""

    content: Any
    tool_calls: list[ToolCall]
    broken_calls: list[BrokenCall]
    extras: dict[str, Any]
    cut: bool


class Message(TypedDict, total=False):
    """A message to a model. `id` and `name` are of the tool that answers, `reply` of an earlier reply of the model.

    Each of `images` is a media type and the picture in Base64.
    """

    role: Required[Literal["system", "user", "tool", "assistant"]]
    text: str
    images: list[list[str]]
    id: str
    name: str
    reply: ReplyJson


class ToolDescription(TypedDict):
    """A tool as every provider's client takes it; `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """A model's reply: text or blocks, and its tool calls; `cut` says whether the token limit ended it."""

    content: Any = ""
    tool_calls: tuple[ToolCall, ...] = ()
    broken_calls: tuple[BrokenCall, ...] = ()
    extras: dict[str, Any] = field(default_factory=dict)
    cut: bool = False

    @property
    def text(self) -> str:
        """The text of the reply, without thinking and images."""
        if isinstance(self.content, str):
            return self.content
        texts = (block if isinstance(block, str) else block.get("text", "") for block in self.content)
        return "".join(texts)

    @property
    def is_empty(self) -> bool:
        """Whether there is neither text nor a tool call."""
        return not (self.text.strip() or self.tool_calls or self.broken_calls)

    def to_json(self) -> ReplyJson:
        """The JSON form that is cached."""
        return {
            "content": self.content,
            "tool_calls": list(self.tool_calls),
            "broken_calls": list(self.broken_calls),
            "extras": self.extras,
            "cut": self.cut,
        }

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "Reply":
        """The reply from its cached JSON form."""
        return cls(
            kept.get("content", ""),
            tuple(kept.get("tool_calls", ())),
            tuple(kept.get("broken_calls", ())),
            kept.get("extras", {}),
            kept.get("cut", False),
        )


def system(text: str) -> Message:
    """A system message."""
    return {"role": "system", "text": text}


def user(text: str, images: Sequence[Image] = ()) -> Message:
    """A user message, with images."""
    return {"role": "user", "text": text, "images": [[image.media_type, image.base64] for image in images]}


def tool_reply(call_id: str, name: str, text: str) -> Message:
    """The answer of a tool."""
    return {"role": "tool", "id": call_id, "name": name, "text": text}


def assistant(reply: Reply) -> Message:
    """An earlier reply of the model."""
    return {"role": "assistant", "reply": reply.to_json()}


def to_langchain(messages: Iterable[Message]) -> "list[BaseMessage]":
    """The messages as LangChain's types."""
    from langchain_core.messages import SystemMessage, ToolMessage

    made: list[BaseMessage] = []
    for message in messages:
        match message["role"]:
            case "system":
                made.append(SystemMessage(message["text"]))
            case "user":
                made.append(_human(message))
            case "tool":
                made.append(ToolMessage(message["text"], tool_call_id=message["id"], name=message["name"]))
            case _:
                made.append(_ai(Reply.from_json(message["reply"])))
    return made


def _human(message: Message) -> "BaseMessage":
    from langchain_core.messages import HumanMessage

    if not message["images"]:
        return HumanMessage(message["text"])
    pictures: list[str | dict[str, Any]] = [
        {"type": "image_url", "image_url": {"url": f"data:{media_type};base64,{data}"}}
        for media_type, data in message["images"]
    ]
    return HumanMessage([{"type": "text", "text": message["text"]}, *pictures])


def _ai(reply: Reply) -> "BaseMessage":
    from langchain_core.messages import AIMessage

    return AIMessage(
        # Some servers refuse an empty message.
        "(empty)" if reply.is_empty else reply.content,
        tool_calls=[{**call, "type": "tool_call"} for call in reply.tool_calls],
        invalid_tool_calls=[{**call, "type": "invalid_tool_call", "error": None} for call in reply.broken_calls],
        additional_kwargs=reply.extras,
    )


def from_langchain(message: "AIMessage") -> Reply:
    """The part of LangChain's message that we keep."""
    ended = message.response_metadata
    reason = ended.get("finish_reason") or ended.get("done_reason") or ended.get("stop_reason") or ""
    return Reply(
        message.content,
        tuple(ToolCall(name=call["name"], args=call["args"], id=call["id"]) for call in message.tool_calls),
        tuple(BrokenCall(name=call["name"], args=call["args"], id=call["id"]) for call in message.invalid_tool_calls),
        # A server that sends thought signatures wants them back.
        {name: value for name, value in message.additional_kwargs.items() if value and _is_json(value)},
        str(reason).lower() in {"length", "max_tokens"},
    )


def _is_json(value: Any) -> bool:
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        return False
    return True


@dataclass(frozen=True)
class ResponseFormat:
    """What a reply must look like; `fingerprint` identifies it, the skill and the model in cache keys."""

    fingerprint: bytes
    schema: Mapping[str, Any] | None = None
    tools: tuple[ToolDescription, ...] = ()
    stop: tuple[str, ...] = ()
    is_text: bool = False

    def bind(self, model: "BaseChatModel", spec: ModelSpec) -> "Runnable[Any, Any]":
        """The model, bound to this format. The copies are needed: clients modify the schemas they are given."""
        if self.schema:
            return _bind_schema(model, spec, deepcopy(dict(self.schema)))
        if self.tools:
            return model.bind_tools([deepcopy(dict(tool)) for tool in self.tools])
        return model.bind(stop=list(self.stop)) if self.stop else model


def schema_format(skill: Skill[Any], spec: ModelSpec) -> ResponseFormat:
    """The format of a skill with one final tool and no others: JSON of its schema."""
    return _form(skill, spec, schema=_schema(skill.final_tools[0].output))


def tools_format(skill: Skill[Any], spec: ModelSpec, tools: Sequence[Tool]) -> ResponseFormat:
    """The format of a skill whose model calls tools; the final tools are among them."""
    return _form(skill, spec, tools=tuple(describe_tool(each) for each in callable_tools(skill, tools).values()))


def text_format(skill: Skill[Any], spec: ModelSpec) -> ResponseFormat:
    """The format of a skill that is answered in plain text."""
    return _form(skill, spec, is_text=True)


def react_format(skill: Skill[Any], spec: ModelSpec, stop: tuple[str, ...]) -> ResponseFormat:
    """The format of a skill whose model writes its tool calls as text."""
    return _form(skill, spec, stop=stop)


def describe_tool(tool: Tool | FinalTool) -> ToolDescription:
    """Name, description and arguments of a tool."""
    arguments = tool.arguments if isinstance(tool, Tool) else tool.output
    return {"name": tool.name, "description": tool.description, "parameters": _schema(arguments)}


def callable_tools(skill: Skill[Any], tools: Sequence[Tool]) -> dict[str, Tool | FinalTool]:
    """What a model may call, by name: the tools, and the final tools of the skill."""
    return {**{tool.name: tool for tool in tools}, **{ending.name: ending for ending in skill.final_tools}}


def _schema(model: Any) -> dict[str, Any]:
    schema: dict[str, Any] = model.model_json_schema()
    return schema


def _form(skill: Skill[Any], spec: ModelSpec, **parts: Any) -> ResponseFormat:
    settings = [spec.name, spec.base_url, spec.temperature, spec.max_tokens, spec.structured]
    text = json.dumps([skill.name, skill.version, settings, parts], sort_keys=True)
    return ResponseFormat(sha256(text.encode()).digest(), **parts)


def _bind_schema(model: "BaseChatModel", spec: ModelSpec, schema: dict[str, Any]) -> "Runnable[Any, Any]":
    """The client's structured output without its parser: we read the reply ourselves, live or replayed."""
    chain: Any = model.with_structured_output(schema, method=spec.structured)
    asked: dict[str, Any] = dict(chain.first.kwargs)
    if spec.provider == "openai" and "response_format" in asked:
        # Under its own name the client would parse the reply too, slowly, and fail where it is cut short.
        asked["extra_body"] = {"response_format": asked.pop("response_format")}
    return model.bind(**asked)
