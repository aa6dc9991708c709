"""The smallest instance of a JSON schema, so that a server without a model can answer validly.

    {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer", "minimum": 3}}}  ->  {"n": 3}

Reads the dialects of Ollama, OpenAI and Gemini: `$ref`, `anyOf`, `nullable`, and type names in capitals.
A `pattern` is not understood.
"""

import json
from typing import Any

Schema = dict[str, Any]

_FORMATS = {
    "date": "2000-01-01",
    "date-time": "2000-01-01T00:00:00Z",
    "time": "00:00:00Z",
    "duration": "PT0S",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "uri": "http://a",
    "email": "a@b.cd",
}


class UnsatisfiableError(ValueError):
    """No finite instance exists: the schema contradicts itself, or requires itself."""


def smallest_instance(schema: Schema) -> Any:
    """A valid instance with as little in it as possible, always the same for the same schema."""
    return _instance(schema, schema, frozenset())


def properties_of(schema: Schema) -> Schema:
    """The properties of an object schema, looked up where it refers elsewhere."""
    return dict(_flat(schema, schema).get("properties", {}))


def _instance(schema: Any, root: Schema, inside: frozenset[str]) -> Any:
    if not isinstance(schema, dict):
        return None
    reference = schema.get("$ref")
    if reference in inside:
        raise UnsatisfiableError(f"{reference} requires itself")
    if reference:
        inside |= {reference}
    schema = _flat(schema, root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return min(schema["enum"], key=_size)
    if schema.get("nullable"):
        return None
    for word in ("anyOf", "oneOf"):
        if word in schema:
            return _smallest_option(schema[word], root, inside)
    return _of_type(_type(schema), schema, root, inside)


def _flat(schema: Schema, root: Schema) -> Schema:
    """The schema with its reference followed and its `allOf` folded in."""
    parts = [_follow(schema["$ref"], root)] if "$ref" in schema else []
    parts += schema.get("allOf", [])
    flat: Schema = {}
    for part in [*(_flat(part, root) for part in parts), schema]:
        required = [*flat.get("required", []), *part.get("required", [])]
        properties = {**flat.get("properties", {}), **part.get("properties", {})}
        flat |= part
        flat |= {key: value for key, value in (("required", required), ("properties", properties)) if value}
    return flat


def _follow(reference: str, root: Schema) -> Schema:
    target: Any = root
    for step in reference.removeprefix("#").split("/")[1:]:
        target = target[step.replace("~1", "/").replace("~0", "~")]
    return dict(target)


def _smallest_option(options: list[Any], root: Schema, inside: frozenset[str]) -> Any:
    instances = []
    for option in options:
        try:
            instances.append(_instance(option, root, inside))
        except UnsatisfiableError:
            continue
    if not instances:
        raise UnsatisfiableError("none of the options has a finite instance")
    return min(instances, key=_size)


def _type(schema: Schema) -> str:
    named = schema.get("type") or ("object" if "properties" in schema else "array" if "items" in schema else "null")
    names = [named] if isinstance(named, str) else named
    return "null" if "null" in names else str(names[0]).lower()


def _of_type(name: str, schema: Schema, root: Schema, inside: frozenset[str]) -> Any:
    match name:
        case "object":
            properties = schema.get("properties", {})
            return {key: _instance(properties.get(key), root, inside) for key in schema.get("required", [])}
        case "array":
            items = list(schema.get("prefixItems", []))
            items += [schema.get("items")] * (int(schema.get("minItems", 0)) - len(items))
            return [_instance(item, root, inside) for item in items]
        case "string":
            return _FORMATS.get(schema.get("format", ""), "").ljust(int(schema.get("minLength", 0)), "a")
        case "integer" | "number":
            return _number(schema, whole=name == "integer")
        case "boolean":
            return False
        case _:
            return None


def _number(schema: Schema, *, whole: bool) -> float:
    at_least, above = schema.get("minimum"), schema.get("exclusiveMinimum")
    at_most, below = schema.get("maximum"), schema.get("exclusiveMaximum")
    low = at_least if above is None else above
    high = at_most if below is None else below
    candidates = [0]
    candidates += [] if low is None else [low, low + 1]
    candidates += [] if high is None else [high, high - 1]
    candidates += [] if low is None or high is None else [(low + high) / 2]
    for number in candidates:
        inside = (at_least is None or number >= at_least) and (at_most is None or number <= at_most)
        between = (above is None or number > above) and (below is None or number < below)
        if inside and between and (not whole or number == int(number)):
            return int(number) if whole else number
    raise UnsatisfiableError(f"no number is allowed by {json.dumps(schema)}")


def _size(instance: Any) -> int:
    return 0 if instance is None else len(json.dumps(instance))
