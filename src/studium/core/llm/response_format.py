"""Forms: what a model is asked for besides the messages (a JSON schema, tools, a stop word), made once a skill."""

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from studium.core.domain.skill import FinalTool, Skill, Tool
from studium.core.llm.providers import ModelSpec

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.runnables import Runnable


@dataclass(frozen=True)
class ResponseFormat:
    """What a reply must look like. `fingerprint` stands for it, the skill and the model in the key of every turn."""

    fingerprint: bytes
    schema: Mapping[str, Any] | None = None
    tools: tuple[Mapping[str, Any], ...] = ()
    stop: tuple[str, ...] = ()
    prose: bool = False

    def bind(self, model: "BaseChatModel", spec: ModelSpec) -> "Runnable[Any, Any]":
        """The model, asked for exactly this. The copies are needed: clients write into the schemas they are given."""
        if self.schema:
            return _bind_schema(model, spec, deepcopy(dict(self.schema)))
        if self.tools:
            return model.bind_tools([deepcopy(dict(tool)) for tool in self.tools])
        return model.bind(stop=list(self.stop)) if self.stop else model


def schema_format(skill: Skill[Any], spec: ModelSpec) -> ResponseFormat:
    """The form of a skill that ends in one way and uses no tools: JSON of that ending's schema."""
    return _form(skill, spec, schema=_schema(skill.endings[0].output))


def tools_format(skill: Skill[Any], spec: ModelSpec, tools: Sequence[Tool]) -> ResponseFormat:
    """The form of a skill whose model calls tools; each ending is a tool too."""
    return _form(skill, spec, tools=tuple(describe_tool(each) for each in callable_tools(skill, tools).values()))


def text_format(skill: Skill[Any], spec: ModelSpec) -> ResponseFormat:
    """The form of a skill that is answered in plain words."""
    return _form(skill, spec, prose=True)


def react_format(skill: Skill[Any], spec: ModelSpec, stop: tuple[str, ...]) -> ResponseFormat:
    """The form of a skill whose model writes its tool calls as text."""
    return _form(skill, spec, stop=stop)


def describe_tool(tool: Tool | FinalTool) -> dict[str, Any]:
    """Name, description and arguments of a tool, as every provider's client takes them."""
    arguments = tool.arguments if isinstance(tool, Tool) else tool.output
    return {"name": tool.name, "description": tool.description, "parameters": _schema(arguments)}


def callable_tools(skill: Skill[Any], tools: Sequence[Tool]) -> dict[str, Tool | FinalTool]:
    """What a model may call, by name: the tools, and the endings of the skill."""
    return {**{tool.name: tool for tool in tools}, **{ending.name: ending for ending in skill.endings}}


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
