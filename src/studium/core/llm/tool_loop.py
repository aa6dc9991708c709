"""The tool loop: a model acts, sees what came of it, and acts again until it ends with a valid output."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, Protocol

from pydantic import BaseModel, ValidationError

from studium.core.domain.skill import FinalTool, Tool, ToolReply
from studium.core.llm.conversation import Conversation, ParsedReply
from studium.core.llm.messages import Message, Reply, user
from studium.core.llm.response_format import callable_tools
from studium.core.llm.structured_output import describe_errors


@dataclass(frozen=True)
class ToolRequest:
    """A call of a tool that a model asks for; `note` says what we made of it, `problem` why it cannot be read."""

    name: str
    arguments: dict[str, Any]
    id: str = ""
    note: str = ""
    problem: str | None = None


@dataclass(frozen=True)
class ToolStep:
    """A request matched with what it calls, its arguments validated; or the `problem` to tell the model."""

    request: ToolRequest
    called: Tool | FinalTool | None = None
    value: BaseModel | None = None
    problem: str | None = None


class ToolProtocol(Protocol):
    """How a model asks for tools and is told what came of it: by native calls or in text."""

    nudge: str

    def read(self, reply: Reply) -> tuple[ToolRequest, ...]:
        """The calls in a reply."""
        ...

    def tell(self, steps: Sequence[ToolStep], replies: Sequence[ToolReply]) -> Iterable[Message]:
        """The messages that carry the replies of the tools."""
        ...


async def answer_with_tools(conversation: Conversation, tools: Sequence[Tool], manner: ToolProtocol) -> BaseModel:
    """Let the model use the tools until one of its calls is a valid ending."""
    skill = conversation.skill
    known = callable_tools(skill, tools)
    nudged = False
    for _ in range(skill.max_turns):
        reading = await conversation.ask(lambda reply: _read(reply, manner, known))
        for step in reading.value:
            if isinstance(step.called, FinalTool) and step.value is not None:
                return step.value
        if reading.value:
            replies = await asyncio.gather(*map(_take, reading.value))
            conversation.say(*manner.tell(reading.value, replies))
        elif nudged:
            raise conversation.fail("mind.invalid_output", f"neither used a tool nor answered: {reading.problem}")
        else:
            conversation.say(user(manner.nudge))
        nudged = not reading.value
    raise conversation.fail("mind.max_turns", f"did not finish {skill.name} in {skill.max_turns} turns")


def _read(reply: Reply, manner: ToolProtocol, known: dict[str, Tool | FinalTool]) -> ParsedReply[tuple[ToolStep, ...]]:
    steps = tuple(_prepare(request, known) for request in manner.read(reply))
    if not steps:
        cut = "it was cut at the token limit (max_tokens)." if reply.cut else "there is no call of a tool in it."
        return ParsedReply(steps, cut)
    usable = any(step.problem is None for step in steps)
    return ParsedReply(steps, None if usable else "; ".join(step.problem or "" for step in steps))


def _prepare(request: ToolRequest, known: dict[str, Tool | FinalTool]) -> ToolStep:
    if request.problem:
        return ToolStep(request, problem=request.problem)
    called = known.get(request.name)
    if called is None:
        return ToolStep(request, problem=f"There is no tool `{request.name}`; there are {', '.join(known)}.")
    arguments = called.arguments if isinstance(called, Tool) else called.output
    try:
        return ToolStep(request, called, arguments.model_validate(request.arguments))
    except ValidationError as error:
        return ToolStep(
            request, called, problem=f"The arguments of `{request.name}` are wrong: {describe_errors(error)}"
        )


async def _take(step: ToolStep) -> ToolReply:
    """What comes of a step; a mistake of the model is told to it."""
    if step.problem or not isinstance(step.called, Tool):
        return ToolReply(step.problem or "")
    reply = step.called.run(step.value)
    return await reply if isawaitable(reply) else reply
