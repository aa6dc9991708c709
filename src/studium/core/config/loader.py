"""Loads the settings from files, variables and flags, and reports all problems at once with their places."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin

import yaml
from pydantic import BaseModel, ValidationError

from studium.core.config.settings import Settings
from studium.core.domain.errors import BadSettings
from studium.core.redaction import redact, register_secret
from studium.core.yaml_files import UnreadableYaml, load_yaml

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


Key = tuple[str, ...]
PREFIX = "STUDIUM_"
_FILE_VARIABLE = "STUDIUM_CONFIG"


@dataclass
class SettingsLayer:
    """Settings from one source, and where each key is set: `studium.yaml:7`, `STUDIUM_HOME`, `--set`."""

    values: dict[str, Any] = field(default_factory=dict)
    places: dict[Key, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def put(self, key: Key, value: Any, place: str) -> None:
        """Set a key, replacing its value."""
        for length in range(1, len(key) + 1):
            self.places[key[:length]] = place
        for part in reversed(key):
            value = {part: value}
        self.values = merge_settings(self.values, value)


def merge_settings(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Merge nested mappings; `over` wins."""
    merged = dict(under)
    for key, value in over.items():
        both = isinstance(merged.get(key), dict) and isinstance(value, dict)
        merged[key] = merge_settings(merged[key], value) if both else value
    return merged


def find_file(config: Path | None, home: Path) -> Path | None:
    """The settings file: `--config`, else STUDIUM_CONFIG, else ./studium.yaml, else HOME/studium.yaml."""
    if named := config or os.environ.get(_FILE_VARIABLE):
        path = Path(named).expanduser()
        if not path.is_file():
            raise BadSettings(f"There is no settings file {path}.", remedy="Check --config or STUDIUM_CONFIG.")
        return path
    return next((path for path in (Path("studium.yaml"), home / "studium.yaml") if path.is_file()), None)


def read_file(path: Path) -> SettingsLayer:
    """The settings in a YAML file."""
    try:
        text = path.read_text("utf-8-sig")
        values = load_yaml(text)
    except UnreadableYaml as error:
        raise BadSettings(f"{path}:{error.line}: not readable as YAML: {redact(error.reason)}.") from error
    except (OSError, UnicodeDecodeError) as error:
        why = " ".join(redact(str(error)).split())
        raise BadSettings(f"{path} cannot be read: {why}.") from error
    layer = SettingsLayer()
    if values is None:
        return layer
    root = yaml.compose(text, Loader=yaml.CSafeLoader)
    if not isinstance(root, yaml.MappingNode):
        raise BadSettings(f"{path}:1: expected `key: value` lines.")
    for key, line in _keys(root):
        if key in layer.places:
            layer.problems.append(f"{path}:{line}: `{'.'.join(key)}` is set twice.")
        layer.places[key] = f"{path}:{line}"
    layer.values = _with_text_keys(values)
    return layer


def read_environment() -> SettingsLayer:
    """The settings in STUDIUM_* variables: `STUDIUM_ROLES__DEFAULT` is `roles.default`."""
    layer = SettingsLayer()
    for name, text in sorted(os.environ.items()):
        if name.startswith(PREFIX) and name != _FILE_VARIABLE and text:
            key = tuple(name.removeprefix(PREFIX).lower().split("__"))
            _put_text(layer, key, text, name)
    return layer


def read_flags(overrides: Sequence[str]) -> SettingsLayer:
    """The settings in `--set key=value`; a part of a key that has dots in it is quoted."""
    layer = SettingsLayer()
    for override in overrides:
        dotted, equals, text = override.partition("=")
        key = tuple(quoted or plain for quoted, plain in re.findall(r'"([^"]+)"|([^."]+)', dotted.strip()))
        if equals and key:
            _put_text(layer, key, text, "--set")
        else:
            layer.problems.append(f"--set {redact(override)}: expected key=value.")
    return layer


def _put_text(layer: SettingsLayer, key: Key, text: str, place: str) -> None:
    """Set a value given as text: `null`, YAML in `{…}` or `[…]`, or the text itself."""
    value: Any = text
    if text == "null":
        value = None
    elif text[:1] in {"{", "["}:
        try:
            value = _with_text_keys(load_yaml(text))
        except UnreadableYaml:
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


def load_settings(config: Path | None = None, overrides: Sequence[str] = ()) -> Settings:
    """The settings of this machine and command: the file, then STUDIUM_* variables, then `key=value` overrides."""
    environment, flags = read_environment(), read_flags(overrides)
    file = find_file(config, _home(environment, flags))
    settings = _validate([read_file(file) if file else SettingsLayer(), environment, flags])
    for model in settings.models.values():
        if model.api_key:
            register_secret(model.api_key.get_secret_value())
    return settings


def valid_keys(section: type[BaseModel] = Settings, above: str = "") -> Iterator[str]:
    """Every valid key, dotted; `NAME` is a placeholder for a model's name."""
    for name, setting in section.model_fields.items():
        key = above + (setting.alias or name)
        yield key
        if inner := section_of(setting.annotation):
            yield from valid_keys(inner, f"{key}.NAME." if get_origin(setting.annotation) is dict else f"{key}.")


def section_of(annotation: Any) -> type[BaseModel] | None:
    """The section that a setting holds: itself, as `Section | None`, or one by name."""
    found = (each for each in (annotation, *get_args(annotation)) if isinstance(each, type))
    return next((each for each in found if issubclass(each, BaseModel)), None)


def _home(*layers: SettingsLayer) -> Path:
    """The home that variables and flags name; the file in it cannot change it."""
    named = [layer.values["home"] for layer in layers if isinstance(layer.values.get("home"), str)]
    return Path(named[-1]).expanduser() if named else Settings().home


def _rename_key(layer: SettingsLayer, old: str, new: str) -> None:
    """Accept a setting under its former name."""
    if old in layer.values and new not in layer.values:
        layer.values = {new if key == old else key: value for key, value in layer.values.items()}
        layer.places[(new,)] = layer.places.get((old,), "settings")


_SHOWN_PROBLEMS = 50


def _validate(layers: Sequence[SettingsLayer]) -> Settings:
    values: dict[str, Any] = {}
    places: dict[Key, str] = {}
    problems = [problem for layer in layers for problem in layer.problems]
    for layer in layers:
        _rename_key(layer, "ledger", "database")
        values = merge_settings(values, layer.values)
        places |= layer.places
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        room = max(_SHOWN_PROBLEMS - len(problems), 1)
        found = error.errors()
        problems += [_describe_problem(each, places) for each in found[:room]]
        problems += [f"… and {len(found) - room} more."] if len(found) > room else []
    if problems:
        raise BadSettings("\n".join(redact(problem) for problem in problems))
    return settings


def _describe_problem(error: "ErrorDetails", places: dict[Key, str]) -> str:
    """A problem in one line: where, which key, what is wrong."""
    key = tuple(str(part) for part in error["loc"] if part != "[key]")
    place = next((places[key[:end]] for end in range(len(key), 0, -1) if key[:end] in places), "settings")
    if error["type"] == "extra_forbidden":
        return f"{place}: unknown key `{'.'.join(key)}`{_suggestion(key)}"
    if error["type"] == "model_type":
        return f"{place}: `{'.'.join(key)}` is a section; write its keys below it, or leave it out."
    expected = error["msg"].removeprefix("Value error, ").removeprefix("Input ")
    shown = isinstance(error["input"], str | int | float) and key[-1] != "api_key"
    return f"{place}: `{'.'.join(key)}` {expected}" + (f", not {error['input']!r}." if shown else ".")


def _suggestion(key: Key) -> str:
    """`; did you mean …?`: the same name in another section, or a similar key."""
    keys = list(valid_keys())
    model = key[1] if key[0] == "models" and len(key) > 1 else "NAME"
    dotted = ".".join("NAME" if part == model else part for part in key)
    elsewhere = [each for each in keys if each.rpartition(".")[2] == key[-1]]
    near = elsewhere or get_close_matches(dotted, keys, 1)
    return f"; did you mean `{near[0].replace('NAME', model)}`?" if near else "."
