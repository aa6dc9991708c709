"""Templates of patterns: text with `{name}` and `{function:name,name}` in it."""

import re
from collections.abc import Iterable, Mapping

from studium.workflows.tutor.error_detection import addresses

_FIELD = re.compile(r"\{\{|\}\}|\{([a-z_]\w*)(?::([\w,]+))?\}")
_BRACES = {"{{": "{", "}}": "}"}


def filled(template: str, values: Mapping[str, str | None]) -> str | None:
    """The template with its values, or None if one of them is not known."""
    unknown = False

    def value(field: re.Match[str]) -> str:
        nonlocal unknown
        if field[0] in _BRACES:
            return _BRACES[field[0]]
        found = _value(field, values)
        unknown = unknown or found is None
        return found or ""

    text = _FIELD.sub(value, template)
    return None if unknown else text


def first_filled(templates: Iterable[str], values: Mapping[str, str | None]) -> str | None:
    """The first of the templates that can be filled."""
    return next((text for template in templates if (text := filled(template, values)) is not None), None)


def names_in(template: str) -> set[str]:
    """The values a template asks for."""
    fields = [field for field in _FIELD.finditer(template) if field[1]]
    return {name for field in fields for name in (field[2].split(",") if field[2] else [field[1]])}


def functions_in(template: str) -> set[str]:
    """The functions a template calls."""
    return {field[1] for field in _FIELD.finditer(template) if field[2]}


def is_function(name: str) -> bool:
    """Whether templates may call it."""
    return not name.startswith("_") and getattr(getattr(addresses, name, None), "__module__", "") == addresses.__name__


def _value(field: re.Match[str], values: Mapping[str, str | None]) -> str | None:
    if not field[2]:
        return values.get(field[1])
    given = [values.get(name) for name in field[2].split(",")]
    if None in given:
        return None
    answer = getattr(addresses, field[1])(*given)
    return None if answer is None else str(answer)
