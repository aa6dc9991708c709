"""The keys and kinds of values that a `lab.yaml` has."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from studium.domain.lab import Cable, Hint, Lab, LabCheck, LabDevice, Port
from studium.readers.labs.tree import Mistake, Tree

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_BESIDE = {"instructions", "documents"}  # they lie beside lab.yaml, as instructions.md and docs/
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


def nearest(name: str, known: Iterable[str]) -> str:
    """A sentence that names the nearest known name, or all of them if none is near."""
    names = sorted(known)
    near = get_close_matches(name.lower(), [known.lower() for known in names], 1, cutoff=0.6)
    if near:
        return f"Did you mean `{next(name for name in names if name.lower() == near[0])}`?"
    return f"Known: {', '.join(names)}." if names else "There are none."


def make_lab(tree: Tree) -> tuple[Lab | None, list[Mistake]]:
    """The lab that a file describes, or every key and value in it that a lab cannot have."""
    if not isinstance(tree.value, dict):
        return None, [Mistake("form", tree.line, "A lab is written as `key: value` lines: id, title, goal, devices …")]
    beside = [
        Mistake("beside", child.line, f"`{name}` is no key: it lies beside lab.yaml, as instructions.md or in docs/.")
        for name, child in tree.items()
        if name in _BESIDE
    ]
    values = {name: value for name, value in tree.value.items() if name not in _BESIDE}
    try:
        lab = Lab.model_validate(values)
    except ValidationError as error:
        return None, [*beside, *_mistakes(error, tree)]
    return (None if beside else lab), beside


def _mistakes(error: ValidationError, tree: Tree) -> Iterator[Mistake]:
    for fault in error.errors():
        code, message = _said(fault)
        yield Mistake(code, tree.at(*fault["loc"]).line, message)


def _said(fault: "ErrorDetails") -> tuple[str, str]:
    """What is wrong with one value, as a code and a sentence."""
    *above, last = fault["loc"]
    if fault["type"] == "extra_forbidden":
        known = set(_model(above).model_fields) - _BESIDE
        return "unknown_key", f"There is no key `{last}` here. {nearest(str(last), known)}"
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
