"""Tools, resources and prompts: what a feature offers to assistants, and how an answer is sent and shortened."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Annotated, Any

from mcp_types import CallToolResult, Prompt, PromptArgument, TextContent, ToolAnnotations
from mcp_types import Tool as Described
from pydantic import BaseModel, Field, ValidationError

from studium.core.domain.errors import BadInput, NotFound, StudiumError
from studium.core.features import all_features
from studium.core.jobs.job_types import JobRequest, ShortText, TextLine
from studium.core.jobs.problem_details import problem_details
from studium.core.jobs.service import Service
from studium.core.llm.prompts import fence
from studium.core.redaction import redact

Json = dict[str, Any]
"""A JSON object, as it is sent or received."""
ReportProgress = Callable[[float, float | None, str], Awaitable[None]]


@dataclass(frozen=True)
class ToolCall:
    """One call of a tool: the service, the progress callback, and the ids of running jobs."""

    service: Service
    report_progress: ReportProgress
    running_jobs: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class ToolResult:
    """The answer of a tool: a sentence, the data, and how to ask for the rest if the data is too long."""

    summary: str
    data: Json
    more: str = "Ask for fewer items, with `limit` and `offset`."
    failed: bool = False


@dataclass(frozen=True)
class McpTool:
    """A tool; `writes` says whether it changes things outside Studium, `reads` whether it changes nothing."""

    name: str
    description: str
    request: type[BaseModel]
    answer: Callable[[ToolCall, Any], Coroutine[Any, Any, ToolResult]]
    reads: bool = True
    writes: bool = False

    def described(self) -> Described:
        """The tool as the protocol lists it."""
        hints = ToolAnnotations(read_only_hint=self.reads, destructive_hint=self.writes, open_world_hint=False)
        return Described(
            name=self.name,
            description=self.description,
            input_schema=self.request.model_json_schema(),
            annotations=hints,
        )

    async def call(self, call: ToolCall, arguments: Json) -> CallToolResult:
        """Run the tool; an error is returned as an answer, so that the assistant can correct the call."""
        try:
            answer = await self.answer(call, _validated(self.request, arguments))
        except StudiumError as error:
            found = problem_details(error)
            answer = ToolResult(f"{found['detail']} {found['remedy']}", {"problem": found}, failed=True)
        return to_mcp_result(answer)


def to_mcp_result(answer: ToolResult) -> CallToolResult:
    """The answer as it is sent: as fenced text and as structured content, both truncated if too long."""
    data, left_out = truncate(answer.data)
    content: Json = data or {}
    if left_out:
        content = content | {"left_out": left_out, "more": answer.more}
    text = f"{redact(answer.summary)}\n{fence('source_material', as_json(content))}"
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=content, is_error=answer.failed
    )


def _validated(request: type[BaseModel], arguments: Json) -> BaseModel:
    try:
        return request.model_validate(arguments)
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, each['loc'])) or 'it'}: {each['msg']}" for each in error.errors())
        raise BadInput(
            f"The arguments are not valid: {faults}.", remedy="Fix these arguments and call the tool again."
        ) from error


Offset = Annotated[int, Field(ge=0, le=10_000_000)]


class PageRequest(JobRequest):
    """A page of a list."""

    limit: Annotated[int, Field(ge=1, le=100)] = 20
    """How many."""
    offset: Offset = 0
    """How many to skip."""


class ShowRequest(JobRequest):
    """One thing, or a part of it."""

    id: ShortText
    """Its id, or a unique beginning of it."""
    part: TextLine = ""
    """Only this part, as `left_out` names it: a JSON pointer like /result/documents/0."""
    offset: Offset = 0
    """How many items or characters of the part to skip."""


def in_thread(work: Callable[[Service, Any], ToolResult]) -> Callable[[ToolCall, Any], Coroutine[Any, Any, ToolResult]]:
    """Run a blocking answer in a thread."""

    async def answer(call: ToolCall, asked: Any) -> ToolResult:
        return await asyncio.to_thread(work, call.service, asked)

    return answer


def show_result(asked: ShowRequest, summary: str, data: Json) -> ToolResult:
    """All of the data, or the part that was asked for."""
    if not asked.part:
        return ToolResult(summary, data, more="Call again with a `part` (as in `left_out`) and an `offset`.")
    part = {"part": asked.part, "offset": asked.offset, "value": value_at(data, asked.part, asked.offset)}
    return ToolResult(summary, part, more="Call again with a larger `offset`, or with a part of this part.")


@dataclass(frozen=True)
class McpResource:
    """Something that an assistant can read: its address, what it is, and how it is read."""

    uri: str
    name: str
    summary: str
    read: Callable[[Service, Json], Json | str]
    more: str = ""
    """How to ask for the rest, if it is too long."""
    mime_type: str = "application/json"

    @property
    def is_template(self) -> bool:
        """Whether the address has parts that the assistant fills in."""
        return "{" in self.uri


@dataclass(frozen=True)
class McpPrompt:
    """A prompt that a person can start an assistant with, and its one argument."""

    name: str
    summary: str
    render: Callable[[Service, str], str]
    argument: str
    help: str
    required: bool = False

    def described(self) -> Prompt:
        """The prompt as the protocol lists it."""
        argument = PromptArgument(name=self.argument, description=self.help, required=self.required)
        return Prompt(name=self.name, description=self.summary, arguments=[argument])


@dataclass(frozen=True)
class McpParts:
    """What a feature offers to assistants, beside a tool for each of its job types."""

    tools: tuple[McpTool, ...] = ()
    resources: tuple[McpResource, ...] = ()
    prompts: tuple[McpPrompt, ...] = ()


def feature_parts() -> list[McpParts]:
    """What each feature offers to assistants."""
    return [feature.mcp.load() for feature in all_features() if feature.mcp]


MAX_CHARS = 40_000
"""The most characters of JSON in one answer."""

_LENGTHS = (1000, 300, 100, 30, 10, 3, 1)
_CHARS_PER_ITEM = 50
_MAX_REMARKS = 8


def truncate(value: Any, limit: int = MAX_CHARS) -> tuple[Any, list[str]]:
    """The value, shortened until it fits, and what was left out, each part by its JSON pointer."""
    if len(as_json(value)) <= limit:
        return value, []
    for length in _LENGTHS:
        cut = _Cut(length)
        shortened = cut.of(value, "")
        if len(as_json(shortened)) <= limit:
            return shortened, cut.left_out()
    return None, ["/: nothing of it fits"]


def value_at(value: Any, pointer: str, offset: int = 0) -> Any:
    """The value at a JSON pointer (`/result/documents/0`); of a list or a text, what comes after the offset."""
    for step in pointer.split("/")[1:] if pointer.startswith("/") else [pointer] if pointer else []:
        value = _step(value, step.replace("~1", "/").replace("~0", "~"), pointer)
    return value[offset:] if isinstance(value, list | str) else value


def as_json(value: Any) -> str:
    """The value as JSON that a model reads."""
    return json.dumps(value, ensure_ascii=False, indent=1, default=str)


def _step(value: Any, step: str, pointer: str) -> Any:
    if isinstance(value, dict) and step in value:
        return value[step]
    if isinstance(value, list) and step.isdecimal() and int(step) < len(value):
        return value[int(step)]
    raise NotFound(f"There is no part '{pointer}'.", remedy="Name a part as `left_out` does: /result/documents.")


class _Cut:
    """Cuts lists, objects and texts to a length, and remembers where."""

    def __init__(self, length: int) -> None:
        self._length = length
        self._remarks: list[str] = []

    def of(self, value: Any, at: str) -> Any:
        if isinstance(value, dict):
            kept = list(value.items())[: self._limit(value, at, self._length)]
            return {name: self.of(each, f"{at}/{_escaped(name)}") for name, each in kept}
        if isinstance(value, list | tuple):
            kept_items = value[: self._limit(value, at, self._length)]
            return [self.of(each, f"{at}/{number}") for number, each in enumerate(kept_items)]
        if isinstance(value, str):
            return value[: self._limit(value, at, self._length * _CHARS_PER_ITEM)]
        return value

    def left_out(self) -> list[str]:
        more = len(self._remarks) - _MAX_REMARKS
        return self._remarks[:_MAX_REMARKS] + ([f"and {more} more parts"] if more > 0 else [])

    def _limit(self, value: Any, at: str, length: int) -> int:
        if len(value) > length:
            self._remarks.append(f"{at or '/'}: the first {length} of {len(value)} are included")
        return length


def _escaped(name: Any) -> str:
    return str(name).replace("~", "~0").replace("/", "~1")
