"""Where settings come from: a file, the environment, flags; each value with its place, for the messages."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from studium.domain.errors import BadSettings
from studium.observe.redact import redact

Key = tuple[str, ...]
PREFIX = "STUDIUM_"
_FILE_VARIABLE = "STUDIUM_CONFIG"


@dataclass
class Layer:
    """Settings as they were given, and where each key stands: `studium.yaml:7`, `STUDIUM_HOME`, `--set`."""

    values: dict[str, Any] = field(default_factory=dict)
    places: dict[Key, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def put(self, key: Key, value: Any, place: str) -> None:
        """Lay a value under its key, over what is there."""
        for length in range(1, len(key) + 1):
            self.places[key[:length]] = place
        for part in reversed(key):
            value = {part: value}
        self.values = laid_over(self.values, value)


def laid_over(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Two nested mappings as one, in which `over` wins."""
    merged = dict(under)
    for key, value in over.items():
        both = isinstance(merged.get(key), dict) and isinstance(value, dict)
        merged[key] = laid_over(merged[key], value) if both else value
    return merged


def find_file(config: Path | None, home: Path) -> Path | None:
    """The settings file: `--config`, else STUDIUM_CONFIG, else ./studium.yaml, else HOME/studium.yaml."""
    if named := config or os.environ.get(_FILE_VARIABLE):
        path = Path(named).expanduser()
        if not path.is_file():
            raise BadSettings(f"There is no settings file {path}.", remedy="Check --config or STUDIUM_CONFIG.")
        return path
    return next((path for path in (Path("studium.yaml"), home / "studium.yaml") if path.is_file()), None)


def read_file(path: Path) -> Layer:
    """The settings in a YAML file."""
    try:
        loader = yaml.SafeLoader(path.read_text("utf-8-sig"))
        root = loader.get_single_node()
        layer = Layer()
        if root is None:
            return layer
        if not isinstance(root, yaml.MappingNode):
            raise BadSettings(f"{path}:1: expected `key: value` lines.")
        for key, line in _keys(root):
            if key in layer.places:
                layer.problems.append(f"{path}:{line}: `{'.'.join(key)}` is set twice.")
            layer.places[key] = f"{path}:{line}"
        layer.values = _with_text_keys(loader.construct_document(root))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise BadSettings(f"{path}:{line}: not readable as YAML: {error.problem}.") from error
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        why = " ".join(redact(str(error)).split())
        raise BadSettings(f"{path} cannot be read: {why}.") from error
    return layer


def read_environment() -> Layer:
    """The settings in STUDIUM_* variables: `STUDIUM_ROLES__DEFAULT` is `roles.default`."""
    layer = Layer()
    for name, text in sorted(os.environ.items()):
        if name.startswith(PREFIX) and name != _FILE_VARIABLE and text:
            key = tuple(name.removeprefix(PREFIX).lower().split("__"))
            _put_text(layer, key, text, name)
    return layer


def read_flags(overrides: Sequence[str]) -> Layer:
    """The settings in `--set key=value`; a part of a key that has dots in it is quoted."""
    layer = Layer()
    for override in overrides:
        dotted, equals, text = override.partition("=")
        key = tuple(quoted or plain for quoted, plain in re.findall(r'"([^"]+)"|([^."]+)', dotted.strip()))
        if equals and key:
            _put_text(layer, key, text, "--set")
        else:
            layer.problems.append(f"--set {redact(override)}: expected key=value.")
    return layer


def _put_text(layer: Layer, key: Key, text: str, place: str) -> None:
    """Lay a value given as text: `null`, a `{…}` or `[…]` in YAML, or the text as it stands."""
    value: Any = text
    if text == "null":
        value = None
    elif text[:1] in {"{", "["}:
        try:
            value = _with_text_keys(yaml.safe_load(text))
        except yaml.YAMLError:
            layer.problems.append(f"{place}: the value of `{'.'.join(key)}` is not readable as YAML.")
            return
    layer.put(key, value, place)


def _keys(node: yaml.MappingNode, above: Key = ()) -> Iterator[tuple[Key, int]]:
    """Every key in the file with its line."""
    for name, value in node.value:
        key = (*above, str(name.value))
        yield key, name.start_mark.line + 1
        if isinstance(value, yaml.MappingNode):
            yield from _keys(value, key)


def _with_text_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _with_text_keys(held) for key, held in value.items()}
    return value
