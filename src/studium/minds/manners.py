"""The two manners of calling tools: native calls, and text for models that have none."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from studium.domain.skill import Ending, Image, Tool, ToolReply
from studium.minds.fences import fence
from studium.minds.forms import describe_tool
from studium.minds.messages import Message, Reply, tool_reply, user
from studium.minds.react import Arguments, nearest, parse_step
from studium.minds.toolloop import Request, Step

STOP = ("\nObservation:",)


class NativeCalls:
    """The model's own tool calls; pictures follow in one message once all replies of the turn are in."""

    nudge = "Call one of the tools: one to find out more, or the one that gives the final answer."

    def read(self, reply: Reply) -> tuple[Request, ...]:
        """The calls in a reply, those that cannot be read too."""
        good = [Request(call["name"], call["args"], call["id"] or "") for call in reply.tool_calls]
        bad = [
            Request(call["name"] or "", {}, call["id"] or "", problem="The arguments are not valid JSON.")
            for call in reply.broken_calls
        ]
        return (*good, *bad)

    def tell(self, steps: Sequence[Step], replies: Sequence[ToolReply]) -> Iterator[Message]:
        """One message a call, then the pictures."""
        for step, reply in zip(steps, replies, strict=True):
            yield tool_reply(step.request.id, step.request.name, _told(step, reply))
        if images := _images(replies):
            yield user("These are the pictures of the tool replies above, in their order.", images)


class TextCalls:
    """Thought, Action, Action Input and Final Answer as lines of text."""

    nudge = "Go on with `Action:` and `Action Input:` lines, or end with a `Final Answer:` line followed by JSON."

    def __init__(self, tools: Sequence[Tool], endings: Sequence[Ending]) -> None:
        self._endings = endings
        self._fields = {
            **{tool.name: list(tool.arguments.model_fields) for tool in tools},
            **{ending.name: list(ending.output.model_fields) for ending in endings},
        }

    def read(self, reply: Reply) -> tuple[Request, ...]:
        """The one call in a reply."""
        step = parse_step(reply.text)
        if step.is_final:
            ending = self._ending(step.arguments)
            return (Request(ending.name, step.arguments.fit(self._fields[ending.name])),)
        if not step.action:
            return ()
        name = nearest(step.action, self._fields)
        note = "" if name == step.action else f"There is no action `{step.action}`; `{name}` was taken. "
        return (Request(name, step.arguments.fit(self._fields.get(name, [])), note=note),)

    def tell(self, steps: Sequence[Step], replies: Sequence[ToolReply]) -> Iterator[Message]:
        """One observation, with its pictures."""
        told = "\n".join(f"Observation: {_told(*pair)}" for pair in zip(steps, replies, strict=True))
        yield user(told, _images(replies))

    def _ending(self, arguments: Arguments) -> Ending:
        """The ending that a final answer means: the one with the most of its fields."""
        return max(self._endings, key=lambda ending: len(arguments.named.keys() & set(self._fields[ending.name])))


def text_rules(tools: Sequence[Tool], endings: Sequence[Ending]) -> str:
    """What a model without tools of its own is told about using ours."""
    actions: Sequence[Tool | Ending] = tools if len(endings) == 1 else (*tools, *endings)
    listed = "\n".join(_listed(describe_tool(action)) for action in actions) or "(none)"
    if len(endings) == 1:
        schema = _compact(describe_tool(endings[0])["parameters"])
        end = f"To end, write `Final Answer:` and JSON of this schema: {schema}"
    else:
        end = f"To end, use one of the actions {', '.join(ending.name for ending in endings)}."
    return _TEXT_RULES.format(actions=listed, end=end)


_TEXT_RULES = """You can act before you answer. The actions, each with the JSON schema of its input:
{actions}

Write one step at a time, in exactly these lines:
Thought: what you think
Action: the name of one action
Action Input: its input as one JSON object

Then stop; the reply comes to you as an Observation. {end}"""


def _listed(tool: dict[str, Any]) -> str:
    return f"- {tool['name']}: {tool['description']} {_compact(tool['parameters'])}"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _told(step: Step, reply: ToolReply) -> str:
    """A tool's words are data, and fenced; our own about a mistake are not."""
    return step.request.note + (reply.text if step.problem else fence(step.request.name, reply.text))


def _images(replies: Sequence[ToolReply]) -> list[Image]:
    return [image for reply in replies for image in reply.images]
