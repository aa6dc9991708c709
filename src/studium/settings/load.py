"""Loading: the layers laid over each other and checked, with every problem told at once and where it stands."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin

from pydantic import BaseModel, ValidationError

from studium.domain.errors import BadSettings
from studium.observe.redact import hide, redact
from studium.settings.sections import Settings
from studium.settings.sources import Key, Layer, find_file, laid_over, read_environment, read_file, read_flags

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


def load_settings(config: Path | None = None, overrides: Sequence[str] = ()) -> Settings:
    """The settings of this machine and command: the file, then STUDIUM_* variables, then `key=value` overrides."""
    environment, flags = read_environment(), read_flags(overrides)
    file = find_file(config, _home(environment, flags))
    settings = _checked([read_file(file) if file else Layer(), environment, flags])
    for model in settings.models.values():
        if model.api_key:
            hide(model.api_key.get_secret_value())
    return settings


def valid_keys(section: type[BaseModel] = Settings, above: str = "") -> Iterator[str]:
    """Every key there is, dotted; `NAME` stands for the name of a model."""
    for name, field in section.model_fields.items():
        key = above + (field.alias or name)
        yield key
        if inner := section_of(field.annotation):
            yield from valid_keys(inner, f"{key}.NAME." if get_origin(field.annotation) is dict else f"{key}.")


def section_of(annotation: Any) -> type[BaseModel] | None:
    """The section that a field holds: itself, as `Section | None`, or one by name."""
    found = (each for each in (annotation, *get_args(annotation)) if isinstance(each, type))
    return next((each for each in found if issubclass(each, BaseModel)), None)


def _home(*layers: Layer) -> Path:
    """Where to look for a settings file: the home that variables and flags name, which the file cannot change."""
    named = [layer.values["home"] for layer in layers if isinstance(layer.values.get("home"), str)]
    return Path(named[-1]).expanduser() if named else Settings().home


def _checked(layers: Sequence[Layer]) -> Settings:
    values: dict[str, Any] = {}
    places: dict[Key, str] = {}
    problems = [problem for layer in layers for problem in layer.problems]
    for layer in layers:
        values = laid_over(values, layer.values)
        places |= layer.places
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        problems += [_told(each, places) for each in error.errors()]
    if problems:
        raise BadSettings("\n".join(redact(problem) for problem in problems))
    return settings


def _told(error: "ErrorDetails", places: dict[Key, str]) -> str:
    """One problem in a line: where, which key, what is wrong."""
    key = tuple(str(part) for part in error["loc"] if part != "[key]")
    place = next((places[key[:end]] for end in range(len(key), 0, -1) if key[:end] in places), "settings")
    if error["type"] == "extra_forbidden":
        return f"{place}: unknown key `{'.'.join(key)}`{_nearest(key)}"
    if error["type"] == "model_type":
        return f"{place}: `{'.'.join(key)}` holds keys of its own; write them below it, or leave it out."
    expected = error["msg"].removeprefix("Value error, ").removeprefix("Input ")
    shown = isinstance(error["input"], str | int | float) and key[-1] != "api_key"
    return f"{place}: `{'.'.join(key)}` {expected}" + (f", not {error['input']!r}." if shown else ".")


def _nearest(key: Key) -> str:
    """`; did you mean …?`: the same name elsewhere, or a key spelt nearly so."""
    keys = list(valid_keys())
    model = key[1] if key[0] == "models" and len(key) > 1 else "NAME"
    dotted = ".".join("NAME" if part == model else part for part in key)
    elsewhere = [each for each in keys if each.rpartition(".")[2] == key[-1]]
    near = elsewhere or get_close_matches(dotted, keys, 1)
    return f"; did you mean `{near[0].replace('NAME', model)}`?" if near else "."
