"""The tool loop: a model acts, sees what came of it, and acts again until it ends with a valid output."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, Protocol

from pydantic import BaseModel, ValidationError

from studium.domain.skill import Ending, Tool, ToolReply
from studium.minds.conversation import Conversation, Reading
from studium.minds.forms import callable_in
from studium.minds.messages import Message, Reply, user
from studium.minds.structured import describe


@dataclass(frozen=True)
class Request:
    """A call of a tool that a model asks for; `note` says what we made of it, `problem` why it cannot be read."""

    name: str
    arguments: dict[str, Any]
    id: str = ""
    note: str = ""
    problem: str | None = None


@dataclass(frozen=True)
class Step:
    """A request matched with what it calls, its arguments validated; or the `problem` to tell the model."""

    request: Request
    called: Tool | Ending | None = None
    value: BaseModel | None = None
    problem: str | None = None


class Manner(Protocol):
    """How a model asks for tools and is told what came of it: by native calls or in text."""

    nudge: str

    def read(self, reply: Reply) -> tuple[Request, ...]:
        """The calls in a reply."""
        ...

    def tell(self, steps: Sequence[Step], replies: Sequence[ToolReply]) -> Iterable[Message]:
        """The messages that carry the replies of the tools."""
        ...


async def answer_with_tools(conversation: Conversation, tools: Sequence[Tool], manner: Manner) -> BaseModel:
    """Let the model use the tools until one of its calls is a valid ending."""
    skill = conversation.skill
    known = callable_in(skill, tools)
    nudged = False
    for _ in range(skill.max_turns):
        reading = await conversation.ask(lambda reply: _read(reply, manner, known))
        for step in reading.value:
            if isinstance(step.called, Ending) and step.value is not None:
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


def _read(reply: Reply, manner: Manner, known: dict[str, Tool | Ending]) -> Reading[tuple[Step, ...]]:
    steps = tuple(_prepare(request, known) for request in manner.read(reply))
    if not steps:
        cut = "it was cut at the token limit (max_tokens)." if reply.cut else "there is no call of a tool in it."
        return Reading(steps, cut)
    usable = any(step.problem is None for step in steps)
    return Reading(steps, None if usable else "; ".join(step.problem or "" for step in steps))


def _prepare(request: Request, known: dict[str, Tool | Ending]) -> Step:
    if request.problem:
        return Step(request, problem=request.problem)
    called = known.get(request.name)
    if called is None:
        return Step(request, problem=f"There is no tool `{request.name}`; there are {', '.join(known)}.")
    arguments = called.arguments if isinstance(called, Tool) else called.output
    try:
        return Step(request, called, arguments.model_validate(request.arguments))
    except ValidationError as error:
        return Step(request, called, problem=f"The arguments of `{request.name}` are wrong: {describe(error)}")


async def _take(step: Step) -> ToolReply:
    """What comes of a step; a mistake of the model is told to it."""
    if step.problem or not isinstance(step.called, Tool):
        return ToolReply(step.problem or "")
    reply = step.called.run(step.value)
    return await reply if isawaitable(reply) else reply
