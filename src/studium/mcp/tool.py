"""Tools, resources and prompts: what a feature offers to assistants, and how an answer is sent."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Annotated, Any

from mcp_types import CallToolResult, Prompt, PromptArgument, TextContent, ToolAnnotations
from mcp_types import Tool as Described
from pydantic import BaseModel, Field, ValidationError

from studium.core.domain.errors import BadInput, StudiumError
from studium.core.features import all_features
from studium.core.jobs.job_types import JobRequest, ShortText, TextLine
from studium.core.jobs.problem_details import problem_details
from studium.core.jobs.service import Service
from studium.core.llm.prompts import fence
from studium.core.telemetry.redaction import redact
from studium.mcp.truncate import as_json, truncate, value_at

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
