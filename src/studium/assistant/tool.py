"""A tool: what an assistant may ask for, and how it is told the answer."""

from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from mcp_types import CallToolResult, TextContent, ToolAnnotations
from mcp_types import Tool as Described
from pydantic import BaseModel, ValidationError

from studium.app.service import Service
from studium.assistant.fitting import as_json, fitted
from studium.core.domain.errors import BadInput, StudiumError
from studium.core.jobs.problem_details import problem_details
from studium.core.llm.prompts import fence
from studium.core.telemetry.redaction import redact

Tell = Callable[[float, float | None, str], Awaitable[None]]


@dataclass(frozen=True)
class Call:
    """One call of a tool: the service behind it, who hears how far it is, and the orders that go on."""

    service: Service
    tell: Tell
    under_way: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Answer:
    """What a tool answers: a sentence, the whole of it, and how to ask for what is too long to be told."""

    said: str
    whole: dict[str, Any]
    more: str = "Ask for less at once, with `limit` and `offset`."
    failed: bool = False


@dataclass(frozen=True)
class Tool:
    """A tool; `writes` says whether it changes what is not Studium's own, `reads` whether it changes nothing."""

    name: str
    told: str
    request: type[BaseModel]
    answer: Callable[[Call, Any], Coroutine[Any, Any, Answer]]
    reads: bool = True
    writes: bool = False

    def described(self) -> Described:
        """The tool as an assistant is shown it."""
        hints = ToolAnnotations(read_only_hint=self.reads, destructive_hint=self.writes, open_world_hint=False)
        return Described(
            name=self.name, description=self.told, input_schema=self.request.model_json_schema(), annotations=hints
        )

    async def call(self, call: Call, arguments: dict[str, Any]) -> CallToolResult:
        """What comes of it; what went wrong is an answer too, so that the assistant can do better."""
        try:
            answer = await self.answer(call, _understood(self.request, arguments))
        except StudiumError as error:
            found = problem_details(error)
            answer = Answer(f"{found['detail']} {found['remedy']}", {"problem": found}, failed=True)
        return told(answer)


def told(answer: Answer) -> CallToolResult:
    """An answer as it is sent: fenced as data in the text, and whole as an object, both as far as they fit."""
    whole, left_out = fitted(answer.whole)
    content: dict[str, Any] = whole or {}
    if left_out:
        content = content | {"left_out": left_out, "more": answer.more}
    text = f"{redact(answer.said)}\n{fence('source_material', as_json(content))}"
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=content, is_error=answer.failed
    )


def _understood(request: type[BaseModel], arguments: dict[str, Any]) -> BaseModel:
    try:
        return request.model_validate(arguments)
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, each['loc'])) or 'it'}: {each['msg']}" for each in error.errors())
        raise BadInput(f"The arguments cannot be used: {faults}.", remedy="Correct them and call again.") from error
