"""Requests to the API: bodies for every route that takes one, with the fields that it has and others."""

import json
from functools import cache
from typing import Any
from urllib.parse import quote

from hypothesis import strategies as st
from tests.fuzz.pieces import FILLERS, TIMES, Case, damaged, encode, encoded, nested, pumped, repeated, seldom

_JSON_MARKS = ("[", "{", '{"a":', "[[", '"', "9", "-", "0", " ", "\\u", '"a",', "[],", "\t", "1e", "null,", '{"a":1,')
_TEXT_MARKS = (
    "|",
    "| ",
    "[",
    "(",
    " ",
    "\n",
    "a",
    "a ",
    "#",
    "R1#",
    "%",
    ".*",
    "..",
    "../",
    "/",
    "夢",
    "\x00",
    "<p>",
    "'",
    '"',
    "\ud800",
    "9",
)
_KINDS = (
    "application/json",
    "application/json",
    "application/json",
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json; charset=utf-16",
    "",
)
_MULTIPART = "multipart/form-data; boundary=b"


Operation = tuple[str, str, tuple[str, ...]]
"""A method, a path, and the fields of the body."""


@cache
def _operations() -> list[Operation]:
    """Every operation that changes something."""
    from studium.core.config import Settings
    from studium.http.app import create_app

    described = create_app(Settings()).openapi()
    found = []
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            if method in ("post", "put", "patch", "delete"):
                found.append((method.upper(), path, _fields(operation, described)))
    return sorted(found)


def _fields(operation: dict[str, Any], described: dict[str, Any]) -> tuple[str, ...]:
    content = operation.get("requestBody", {}).get("content", {})
    schema: dict[str, Any] = next(iter(content.values()), {}).get("schema", {})
    name = schema.get("$ref", "").rpartition("/")[2]
    known = described["components"]["schemas"].get(name, schema)
    return tuple(known.get("properties", {}))


_LONG = st.one_of(pumped(_TEXT_MARKS), nested(_TEXT_MARKS), FILLERS, FILLERS)
_PLAIN = st.one_of(_LONG, _LONG, st.none(), st.booleans(), st.integers(), st.just(10**400), st.floats())
_VALUES = st.one_of(_PLAIN, _PLAIN, st.lists(_PLAIN, max_size=3), st.dictionaries(FILLERS, _PLAIN, max_size=2))


@st.composite
def _object(draw: st.DrawFn, fields: tuple[str, ...]) -> str:
    """An object with fields of the request and others, or very many of them."""
    names = st.sampled_from([*fields, *fields, "x"]) if fields else FILLERS
    written = {draw(names): draw(_VALUES) for _ in range(draw(st.integers(0, 4)))}
    if draw(seldom(9)):
        written |= {f"k{n}": n for n in range(draw(TIMES))}
    body = json.dumps(written)
    return repeated(body, 1 + draw(TIMES)) if draw(seldom(7)) else body


@st.composite
def _parts(draw: st.DrawFn) -> bytes:
    name = draw(st.sampled_from(["file", "files", "x", "", "../x"]))
    file = draw(st.sampled_from(["a.md", "a.pdf", "../../a", "", "a" * 300, "\x00", "a.exe"]))
    part = f'--b\r\nContent-Disposition: form-data; name="{name}"; filename="{file}"\r\n\r\n{draw(_LONG)}\r\n'
    return encode(repeated(part, 1 + draw(TIMES)) + draw(st.sampled_from(["--b--\r\n", "", "--b"])))


@st.composite
def _requests(draw: st.DrawFn, operations: list[Operation]) -> Case:
    method, path, fields = draw(st.sampled_from(operations))
    address = path
    while "{" in address:
        before, _, rest = address.partition("{")
        word = quote(draw(st.sampled_from(["x", "08-subnetting", "r1", "..", "\x00", "a" * 300, "é", "%"])), safe="")
        address = before + word + rest.partition("}")[2]
    if draw(seldom(12)) or ("upload" in path and draw(st.booleans())):
        return f"{method} {address} {_MULTIPART}", draw(damaged(_parts()))
    text = st.one_of(_object(fields), _object(fields), _object(fields), nested(_JSON_MARKS), pumped(_JSON_MARKS))
    kind = draw(st.sampled_from(_KINDS[:1] * 8 + _KINDS))
    return f"{method} {address} {kind}", draw(damaged(encoded(text), often=5))


def requests() -> st.SearchStrategy[Case]:
    """Requests of every kind."""
    return _requests(_operations())
