"""Text ReAct: reads one step from what a model without tool calls writes, as leniently as can be done without guessing.

Thought: I must see the neighbours.
Action: search
Action Input: {"query": "OSPF neighbours"}
"""

import ast
import json
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from studium.minds.structured import bare_text

_LABEL = re.compile(
    r"^[\s>#*_`-]*(?P<label>thought|action[ _-]?input|action|observation|final[ _-]?answer)"
    r"\s*\d*[\s*_`]*[:\uff1a][*_` ]*",
    re.IGNORECASE | re.MULTILINE,
)
_CALL = re.compile(r"^`{0,3}(?P<name>[A-Za-z_]\w*)\s*(?P<call>\(.*\)|\[.*\]|\{.*\})", re.DOTALL)
_NAME_KEYS = ("action", "tool", "name", "function")
_INPUT_KEYS = ("action_input", "tool_input", "arguments", "args", "input", "parameters")
_JSON_WORDS = {"true": "True", "false": "False", "null": "None"}
_JSON_WORD = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\b(true|false|null)\b""")


@dataclass(frozen=True)
class Arguments:
    """What an action is given: values by name, or by position when the model named none."""

    named: dict[str, Any] = field(default_factory=dict)
    positional: tuple[Any, ...] = ()

    def fit(self, names: Sequence[str]) -> dict[str, Any]:
        """The values by name, those by position put under the names in their order."""
        return {**dict(zip(names, self.positional, strict=False)), **self.named}


@dataclass(frozen=True)
class TextStep:
    """One step: an action or the final answer; with neither, `thought` is all there is."""

    thought: str = ""
    action: str = ""
    arguments: Arguments = field(default_factory=Arguments)
    is_final: bool = False


def parse_step(text: str) -> TextStep:
    """Read the first action or the final answer; an observation that the model made up is cut off."""
    text = bare_text(text)
    parts = _parts(text)
    thought = "\n".join(content for label, content in parts if label in ("", "thought")).strip()
    for index, (label, content) in enumerate(parts):
        if label == "final answer":
            return TextStep(thought, "", _arguments(content), is_final=True)
        if label == "action":
            following = parts[index + 1] if index + 1 < len(parts) else ("", "")
            return _action(thought, content, following[1] if following[0] == "action input" else "")
        if label == "action input":
            name = thought.splitlines()[-1] if thought else ""
            return _action(thought, name if re.fullmatch(r"\W*\w+\W*", name) else "", content)
    return _unlabelled(text, thought)


def nearest(name: str, known: Iterable[str]) -> str:
    """The tool that is meant by a name that is not quite right, or the name itself."""
    spelled = {_plain(each): each for each in known}
    close = get_close_matches(_plain(name), spelled, n=1, cutoff=0.6)
    return spelled[close[0]] if close else name


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def _parts(text: str) -> list[tuple[str, str]]:
    """The text cut at its labels, up to the first observation; what stands before a label has the label ``""``."""
    found = list(_LABEL.finditer(text))
    ends = [label.start() for label in found[1:]] + [len(text)]
    parts = [("", text[: found[0].start()] if found else text)]
    for label, end in zip(found, ends, strict=False):
        name = re.sub(r"[_-]|(?<=n)(?=input)|(?<=l)(?=answer)", " ", label["label"].lower())
        if name == "observation":
            break
        parts.append((name, text[label.end() : end].strip()))
    return parts


def _action(thought: str, action: str, given: str) -> TextStep:
    """The action named, its input given after it or written into it."""
    if (whole := _from_json(thought, action)) is not None:
        return whole
    call = _CALL.match(action)
    if call and not given:
        return TextStep(thought, call["name"], _call_arguments(call["call"]))
    lines = action.strip().splitlines() or [""]
    name = lines[0].strip(" `*_\"'[]().,:")
    return TextStep(thought, name, _arguments(given or "\n".join(lines[1:])))


def _unlabelled(text: str, thought: str) -> TextStep:
    """A step without labels: JSON that names an action, or a call on a line of its own."""
    if (step := _from_json(thought, text)) is not None:
        return step
    for line in text.splitlines():
        call = _CALL.match(line.strip())
        if call and line.strip().strip("`").endswith((")", "]", "}")):
            return TextStep(thought, call["name"], _call_arguments(call["call"]))
    return TextStep(thought)


def _from_json(thought: str, text: str) -> TextStep | None:
    """The step that a JSON object like `{"action": …, "action_input": …}` describes."""
    value = read_value(text) if "{" in text and not _CALL.match(text.strip()) else None
    if not isinstance(value, dict):
        return None
    final = next((value[key] for key in value if _plain(key) == "finalanswer"), None)
    name = next((value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)), None)
    given: Any = next((value[key] for key in _INPUT_KEYS if key in value), {})
    if final is not None or (name and _plain(name) == "finalanswer"):
        return TextStep(thought, "", _as_arguments(given if final is None else final), is_final=True)
    return TextStep(thought, name, _as_arguments(given)) if name else None


def _call_arguments(call: str) -> Arguments:
    """The arguments of `("x", limit=3)`, `[x]` or `{"query": "x"}` after a name."""
    if call.startswith("{"):
        return _arguments(call)
    inner = call[1:-1].strip()
    with suppress(ValueError, SyntaxError):
        tree = ast.parse(f"f({inner})", mode="eval").body
        if isinstance(tree, ast.Call):
            named = {word.arg: ast.literal_eval(word.value) for word in tree.keywords if word.arg}
            positional = [ast.literal_eval(value) for value in tree.args]
            if len(positional) == 1 and isinstance(positional[0], dict):
                return Arguments({**positional[0], **named})
            return Arguments(named, tuple(positional))
    return _arguments(inner)


def _arguments(text: str) -> Arguments:
    value = read_value(text)
    return _as_arguments(text.strip().strip("`").strip().strip("\"'") if value is None else value)


def _as_arguments(value: Any) -> Arguments:
    if isinstance(value, str) and value.lstrip().startswith("{") and (inner := read_value(value)) is not None:
        value = inner
    if isinstance(value, dict):
        return Arguments({str(key): held for key, held in value.items()})
    return Arguments(positional=(value,) if value != "" else ())


def read_value(text: str) -> Any:
    """The first object in a text, be it JSON or nearly so (single quotes, trailing commas); `None` if there is none."""
    text = bare_text(text).strip()
    span = _object_span(text)
    if span is None:
        with suppress(ValueError):
            return json.loads(text, strict=False)
        return None
    pythonic = _JSON_WORD.sub(lambda found: found[1] or _JSON_WORDS[found[2]], span)
    with suppress(ValueError):
        return json.loads(span, strict=False)
    with suppress(ValueError, SyntaxError):
        return ast.literal_eval(pythonic)
    return None


def _object_span(text: str) -> str | None:
    """The text from the first brace to the one that closes it, braces in strings aside."""
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
