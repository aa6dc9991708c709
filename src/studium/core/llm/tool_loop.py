"""The tool loop: a model calls tools, natively or as text, until it calls a final tool with a valid output."""

import ast
import asyncio
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from inspect import isawaitable
from typing import Any, Protocol

from pydantic import BaseModel, ValidationError

from studium.core.domain.skill import FinalTool, Image, Tool, ToolReply
from studium.core.json_files import UnreadableJson, check_json
from studium.core.llm.conversation import Conversation, ParsedReply, bare_text, describe_errors
from studium.core.llm.messages import Message, Reply, ToolDescription, callable_tools, describe_tool, tool_reply, user
from studium.core.llm.prompts import fence


@dataclass(frozen=True)
class ToolRequest:
    """A tool call that a model asks for; `note` says how we understood it, `problem` why it cannot be parsed."""

    name: str
    arguments: dict[str, Any]
    id: str = ""
    note: str = ""
    problem: str | None = None


@dataclass(frozen=True)
class ToolStep:
    """A request matched with its tool, with validated arguments; or the `problem` to tell the model."""

    request: ToolRequest
    called: Tool | FinalTool | None = None
    value: BaseModel | None = None
    problem: str | None = None


class ToolProtocol(Protocol):
    """How a model calls tools and gets their replies: natively or as text."""

    nudge: str

    def read(self, reply: Reply) -> tuple[ToolRequest, ...]:
        """The calls in a reply."""
        ...

    def tell(self, steps: Sequence[ToolStep], replies: Sequence[ToolReply]) -> Iterable[Message]:
        """The messages that carry the replies of the tools."""
        ...


async def answer_with_tools(conversation: Conversation, tools: Sequence[Tool], manner: ToolProtocol) -> BaseModel:
    """Let the model call tools until it calls a final tool with a valid output."""
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
    """The reply to a step; a mistake of the model is explained to it."""
    if step.problem or not isinstance(step.called, Tool):
        return ToolReply(step.problem or "")
    reply = step.called.run(step.value)
    return await reply if isawaitable(reply) else reply


_LABEL = re.compile(
    r"^(?:[^\S\n]|[>#*_`-])*+(?P<label>thought|action[ _-]?input|action|observation|final[ _-]?answer)"
    r"\s{0,20}\d{0,9}[\s*_`]{0,20}[:\uff1a][*_` ]*",
    re.IGNORECASE | re.MULTILINE,
)
_CALL = re.compile(r"^`{0,3}(?P<name>[A-Za-z_]\w*)\s*(?P<call>\(.*\)|\[.*\]|\{.*\})", re.DOTALL)
_NAME_KEYS = ("action", "tool", "name", "function")
_INPUT_KEYS = ("action_input", "tool_input", "arguments", "args", "input", "parameters")
_JSON_WORDS = {"true": "True", "false": "False", "null": "None"}
_JSON_WORD = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\b(true|false|null)\b""")


@dataclass(frozen=True)
class Arguments:
    """The arguments of an action: by name, or by position if the model named none."""

    named: dict[str, Any] = field(default_factory=dict)
    positional: tuple[Any, ...] = ()

    def fit(self, names: Sequence[str]) -> dict[str, Any]:
        """The arguments by name; positional ones take the names in order."""
        return {**dict(zip(names, self.positional, strict=False)), **self.named}


@dataclass(frozen=True)
class ReactStep:
    """One step: an action, the final answer, or only a `thought`."""

    thought: str = ""
    action: str = ""
    arguments: Arguments = field(default_factory=Arguments)
    is_final: bool = False


def parse_react_step(text: str) -> ReactStep:
    """Parse the first action or the final answer; an observation that the model invented is cut off."""
    text = bare_text(text)
    parts = _parts(text)
    thought = "\n".join(content for label, content in parts if label in ("", "thought")).strip()
    for index, (label, content) in enumerate(parts):
        if label == "final answer":
            return ReactStep(thought, "", _arguments(content), is_final=True)
        if label == "action":
            following = parts[index + 1] if index + 1 < len(parts) else ("", "")
            return _action(thought, content, following[1] if following[0] == "action input" else "")
        if label == "action input":
            name = thought.splitlines()[-1] if thought else ""
            return _action(thought, name if re.fullmatch(r"\W*\w+\W*", name) else "", content)
    return _unlabelled(text, thought)


def closest_name(name: str, known: Iterable[str]) -> str:
    """The tool closest to a misspelt name, or the name itself."""
    spelled = {_plain(each): each for each in known}
    close = get_close_matches(_plain(name), spelled, n=1, cutoff=0.6)
    return spelled[close[0]] if close else name


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def _parts(text: str) -> list[tuple[str, str]]:
    """The text split at its labels, up to the first observation; text before any label has the label ``""``."""
    found = list(_LABEL.finditer(text))
    ends = [label.start() for label in found[1:]] + [len(text)]
    parts = [("", text[: found[0].start()] if found else text)]
    for label, end in zip(found, ends, strict=False):
        name = re.sub(r"[_-]|(?<=n)(?=input)|(?<=l)(?=answer)", " ", label["label"].lower())
        if name == "observation":
            break
        parts.append((name, text[label.end() : end].strip()))
    return parts


def _action(thought: str, action: str, given: str) -> ReactStep:
    """The named action, with its input after it or inside it."""
    if (whole := _from_json(thought, action)) is not None:
        return whole
    call = _CALL.match(action)
    if call and not given:
        return ReactStep(thought, call["name"], _call_arguments(call["call"]))
    lines = action.strip().splitlines() or [""]
    name = lines[0].strip(" `*_\"'[]().,:")
    return ReactStep(thought, name, _arguments(given or "\n".join(lines[1:])))


def _unlabelled(text: str, thought: str) -> ReactStep:
    """A step without labels: JSON that names an action, or a call on a line of its own."""
    if (step := _from_json(thought, text)) is not None:
        return step
    for line in text.splitlines():
        call = _CALL.match(line.strip())
        if call and line.strip().strip("`").endswith((")", "]", "}")):
            return ReactStep(thought, call["name"], _call_arguments(call["call"]))
    return ReactStep(thought)


def _from_json(thought: str, text: str) -> ReactStep | None:
    """The step that a JSON object like `{"action": …, "action_input": …}` describes."""
    value = parse_loose_json(text) if "{" in text and not _CALL.match(text.strip()) else None
    if not isinstance(value, dict):
        return None
    final = next((value[key] for key in value if _plain(key) == "finalanswer"), None)
    name = next((value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)), None)
    given: Any = next((value[key] for key in _INPUT_KEYS if key in value), {})
    if final is not None or (name and _plain(name) == "finalanswer"):
        return ReactStep(thought, "", _as_arguments(given if final is None else final), is_final=True)
    return ReactStep(thought, name, _as_arguments(given)) if name else None


def _call_arguments(call: str) -> Arguments:
    """The arguments of `("x", limit=3)`, `[x]` or `{"query": "x"}` after a name."""
    if call.startswith("{"):
        return _arguments(call)
    inner = call[1:-1].strip()
    with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
        tree = ast.parse(f"f({inner})", mode="eval").body
        if isinstance(tree, ast.Call):
            named = {word.arg: ast.literal_eval(word.value) for word in tree.keywords if word.arg}
            positional = [ast.literal_eval(value) for value in tree.args]
            if len(positional) == 1 and isinstance(positional[0], dict):
                return Arguments({**positional[0], **named})
            return Arguments(named, tuple(positional))
    return _arguments(inner)


def _arguments(text: str) -> Arguments:
    value = parse_loose_json(text)
    return _as_arguments(text.strip().strip("`").strip().strip("\"'") if value is None else value)


def _as_arguments(value: Any) -> Arguments:
    if isinstance(value, str) and value.lstrip().startswith("{") and (inner := parse_loose_json(value)) is not None:
        value = inner
    if isinstance(value, dict):
        return Arguments({str(key): held for key, held in value.items()})
    return Arguments(positional=(value,) if value != "" else ())


def parse_loose_json(text: str) -> Any:
    """The first JSON object in a text, also with single quotes or trailing commas; `None` if there is none."""
    text = bare_text(text).strip()
    span = _object_span(text)
    try:
        check_json(span or text)
    except UnreadableJson:
        return None
    if span is None:
        with suppress(ValueError):
            return json.loads(text, strict=False)
        return None
    pythonic = _JSON_WORD.sub(lambda found: found[1] or _JSON_WORDS[found[2]], span)
    with suppress(ValueError):
        return json.loads(span, strict=False)
    with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
        return ast.literal_eval(pythonic)
    return None


def _object_span(text: str) -> str | None:
    """The text from the first brace to the one that closes it, ignoring braces in strings."""
    start = text.find("{")
    if start < 0:
        return None
    depth, quote, escaped = 0, "", False
    for index, character in enumerate(text[start:], start):
        if quote:
            escaped, quote = character == "\\" and not escaped, "" if character == quote and not escaped else quote
        elif character in "\"'":
            quote = character
        elif character in "{}":
            depth += 1 if character == "{" else -1
            if depth == 0:
                return text[start : index + 1]
    return None


REACT_STOP = ("\nObservation:",)


class NativeToolCalls:
    """Native tool calls; images follow in one message after all replies of the turn."""

    nudge = "Call one of the tools: one to find out more, or the one that gives the final answer."

    def read(self, reply: Reply) -> tuple[ToolRequest, ...]:
        """The calls in a reply, including unreadable ones."""
        good = [ToolRequest(call["name"], call["args"], call["id"] or "") for call in reply.tool_calls]
        bad = [
            ToolRequest(call["name"] or "", {}, call["id"] or "", problem="The arguments are not valid JSON.")
            for call in reply.broken_calls
        ]
        return (*good, *bad)

    def tell(self, steps: Sequence[ToolStep], replies: Sequence[ToolReply]) -> Iterator[Message]:
        """One message for each call, then the images."""
        for step, reply in zip(steps, replies, strict=True):
            yield tool_reply(step.request.id, step.request.name, _reply_text(step, reply))
        if images := _images(replies):
            yield user("These are the pictures of the tool replies above, in their order.", images)


class TextToolCalls:
    """Thought, Action, Action Input and Final Answer as lines of text."""

    nudge = "Go on with `Action:` and `Action Input:` lines, or end with a `Final Answer:` line followed by JSON."

    def __init__(self, tools: Sequence[Tool], endings: Sequence[FinalTool]) -> None:
        self._endings = endings
        self._fields = {
            **{tool.name: list(tool.arguments.model_fields) for tool in tools},
            **{ending.name: list(ending.output.model_fields) for ending in endings},
        }

    def read(self, reply: Reply) -> tuple[ToolRequest, ...]:
        """The one call in a reply."""
        step = parse_react_step(reply.text)
        if step.is_final:
            ending = self._ending(step.arguments)
            return (ToolRequest(ending.name, step.arguments.fit(self._fields[ending.name])),)
        if not step.action:
            return ()
        name = closest_name(step.action, self._fields)
        note = "" if name == step.action else f"There is no action `{step.action}`; `{name}` was taken. "
        return (ToolRequest(name, step.arguments.fit(self._fields.get(name, [])), note=note),)

    def tell(self, steps: Sequence[ToolStep], replies: Sequence[ToolReply]) -> Iterator[Message]:
        """One observation, with its images."""
        text = "\n".join(f"Observation: {_reply_text(*pair)}" for pair in zip(steps, replies, strict=True))
        yield user(text, _images(replies))

    def _ending(self, arguments: Arguments) -> FinalTool:
        """The final tool that an answer means: the one that shares the most fields with it."""
        return max(self._endings, key=lambda ending: len(arguments.named.keys() & set(self._fields[ending.name])))


def react_instructions(tools: Sequence[Tool], endings: Sequence[FinalTool]) -> str:
    """The instructions for a model without native tool calls."""
    actions: Sequence[Tool | FinalTool] = tools if len(endings) == 1 else (*tools, *endings)
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


def _listed(tool: ToolDescription) -> str:
    return f"- {tool['name']}: {tool['description']} {_compact(tool['parameters'])}"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _reply_text(step: ToolStep, reply: ToolReply) -> str:
    """A tool's reply is data, and fenced; our own message about a mistake is not."""
    return step.request.note + (reply.text if step.problem else fence(step.request.name, reply.text))


def _images(replies: Sequence[ToolReply]) -> list[Image]:
    return [image for reply in replies for image in reply.images]
