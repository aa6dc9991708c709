"""Parse lab YAML with line numbers, and build a lab from it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from studium.core.yaml_files import AliasUsed, UnreadableYaml, check_yaml, yaml_errors
from studium.tutor.domain import Cable, Hint, Lab, LabCheck, LabDevice, Port

if TYPE_CHECKING:
    import yaml
    from pydantic_core import ErrorDetails


Key = str | int


@dataclass(frozen=True)
class LabMistake:
    """A mistake in a lab file with its line number."""

    code: str
    line: int
    message: str


@dataclass(frozen=True)
class YamlNode:
    """A YAML value with its line; a missing value is an empty node on its parent's line."""

    value: Any = None
    line: int = 1
    children: "dict[Key, YamlNode]" = field(default_factory=dict)
    text_line: int = 1

    def at(self, *keys: Key) -> "YamlNode":
        """The value under these keys."""
        tree = self
        for key in keys:
            tree = tree.children.get(key, YamlNode(line=tree.line))
        return tree

    def items(self) -> "Iterator[tuple[str, YamlNode]]":
        """The named values below."""
        return ((str(key), child) for key, child in self.children.items())

    def each(self) -> "Iterator[YamlNode]":
        """The values below, in order."""
        return iter(self.children.values())

    @property
    def text(self) -> str:
        """The value if it is text, else nothing."""
        return self.value.strip() if isinstance(self.value, str) else ""


def parse_yaml(text: str) -> tuple[YamlNode | None, list[LabMistake]]:
    """Parse a YAML text; return its root node, or None, and its syntax errors."""
    import yaml

    mistakes: list[LabMistake] = []
    try:
        check_yaml(text, aliases=False)
        with yaml_errors():
            loader = yaml.CSafeLoader(text)
            try:
                root = loader.get_single_node()
                return (_build_node(root, loader, mistakes) if root else YamlNode()), mistakes
            finally:
                loader.dispose()
    except AliasUsed as error:
        return None, [LabMistake("alias", error.line, "Aliases (`*name`) are not used in labs. Write the value out.")]
    except UnreadableYaml as error:
        return None, [LabMistake("yaml", error.line, f"Not readable as YAML: {error.reason}.")]


def _build_node(node: "yaml.Node", loader: "yaml.CSafeLoader", mistakes: list[LabMistake]) -> YamlNode:
    import yaml

    line = node.start_mark.line + 1
    children: dict[Key, YamlNode] = {}
    if isinstance(node, yaml.MappingNode):
        for key, below in node.value:
            name, key_line = str(key.value), key.start_mark.line + 1
            if name in children:
                first = children[name].line
                mistakes.append(LabMistake("twice", key_line, f"`{name}` is defined twice, first on line {first}."))
                continue
            grown = _build_node(below, loader, mistakes)
            children[name] = YamlNode(grown.value, key_line, grown.children, grown.text_line)
        return YamlNode({name: child.value for name, child in children.items()}, line, children)
    if isinstance(node, yaml.SequenceNode):
        children = {place: _build_node(below, loader, mistakes) for place, below in enumerate(node.value)}
        return YamlNode([child.value for child in children.values()], line, children)
    # The text of a block begins on the line after its `|`.
    begins = line + 1 if isinstance(node, yaml.ScalarNode) and node.style in {"|", ">"} else line
    return YamlNode(loader.construct_object(node), line, {}, begins)


_BESIDE = {"instructions", "documents"}  # they are files beside lab.yaml: instructions.md and docs/
_MODELS: dict[tuple[str, ...], type[BaseModel]] = {
    (): Lab,
    ("devices",): LabDevice,
    ("devices", "ports"): Port,
    ("cables",): Cable,
    ("checks",): LabCheck,
    ("hints",): Hint,
}
_SAID = {
    "string_type": "must be text; put it in quotes",
    "tuple_type": "must be a list, one `- …` a line",
    "dict_type": "must be `name: …` lines",
    "model_type": "must be `key: value` lines",
}


def nearest_name(name: str, known: Iterable[str]) -> str:
    """A sentence that suggests the nearest known name, or lists all of them."""
    names = sorted(known)
    near = get_close_matches(name.lower(), [known.lower() for known in names], 1, cutoff=0.6)
    if near:
        return f"Did you mean `{next(name for name in names if name.lower() == near[0])}`?"
    return f"Known: {', '.join(names)}." if names else "There are none."


def build_lab(tree: YamlNode) -> tuple[Lab | None, list[LabMistake]]:
    """Build the lab of a file, or return every invalid key and value."""
    if not isinstance(tree.value, dict):
        return None, [
            LabMistake("form", tree.line, "A lab is written as `key: value` lines: id, title, goal, devices …")
        ]
    beside = [
        LabMistake(
            "beside", child.line, f"`{name}` is not a key: put it beside lab.yaml, as instructions.md or in docs/."
        )
        for name, child in tree.items()
        if name in _BESIDE
    ]
    values = {name: value for name, value in tree.value.items() if name not in _BESIDE}
    try:
        lab = Lab.model_validate(values)
    except ValidationError as error:
        return None, [*beside, *_mistakes(error, tree)]
    return (None if beside else lab), beside


def _mistakes(error: ValidationError, tree: YamlNode) -> Iterator[LabMistake]:
    for fault in error.errors():
        code, message = _said(fault)
        yield LabMistake(code, tree.at(*fault["loc"]).line, message)


def _said(fault: "ErrorDetails") -> tuple[str, str]:
    """The code and message for one invalid value."""
    *above, last = fault["loc"]
    if fault["type"] == "extra_forbidden":
        known = set(_model(above).model_fields) - _BESIDE
        return "unknown_key", f"Unknown key `{last}`. {nearest_name(str(last), known)}"
    if fault["type"] == "missing":
        return "missing", f"`{last}` is missing."
    if fault["type"] == "literal_error":
        return "value", f"`{last}` is `{fault['input']}`; it can be {_choices(fault)}."
    name = last if isinstance(last, str) else f"entry {last + 1} of `{above[-1]}`"
    if fault["input"] is None:
        return "missing", f"`{name}` has no value."
    return "value", f"`{name}` {_SAID.get(fault['type'], fault['msg'])}."


def _model(above: list[Any]) -> type[BaseModel]:
    return _MODELS[tuple(key for key in above if isinstance(key, str))]


def _choices(fault: "ErrorDetails") -> str:
    return str(fault["ctx"]["expected"]).replace("'", "`")
