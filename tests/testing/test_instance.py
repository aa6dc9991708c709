"""The smallest instance of a schema is valid, and small."""

from datetime import date
from enum import StrEnum
from typing import Annotated, Any, Literal

import jsonschema
import pytest
from pydantic import BaseModel, Field, TypeAdapter

from studium.testing.script import UnsatisfiableError, smallest_instance


class Kind(StrEnum):
    basic = "basic"
    cloze = "cloze"


class Evidence(BaseModel):
    quote: str = Field(min_length=3)
    line: int = Field(ge=1)


class Cloze(BaseModel):
    type: Literal["cloze"]
    text: str


class Basic(BaseModel):
    type: Literal["basic"]
    front: str
    back: str


class Tree(BaseModel):
    label: str
    parent: "Tree | None"
    children: list["Tree"]


class Everything(BaseModel):
    kind: Kind
    card: Annotated[Cloze | Basic, Field(discriminator="type")]
    evidence: list[Evidence] = Field(min_length=2)
    score: float = Field(gt=0, lt=1)
    offset: int = Field(le=-3)
    day: date
    pair: tuple[int, str]
    tags: set[str]
    by_name: dict[str, int]
    anything: Any
    sure: bool
    note: str | None
    left_out: str = "default"


@pytest.mark.parametrize("model", [Everything, Tree, Evidence, list[Evidence], int | str, dict[str, int]], ids=str)
def test_it_satisfies_what_pydantic_asks(model):
    adapter = TypeAdapter(model)
    schema = adapter.json_schema()
    instance = smallest_instance(schema)
    jsonschema.validate(instance, schema)
    adapter.validate_python(instance)


def test_it_is_as_small_as_can_be():
    instance = smallest_instance(Everything.model_json_schema())

    assert "left_out" not in instance
    assert instance["evidence"] == [{"quote": "aaa", "line": 1}] * 2
    assert (instance["card"], instance["note"], instance["offset"]) == ({"type": "cloze", "text": ""}, None, -3)


def test_it_reads_the_dialect_of_gemini():
    schema = {
        "type": "OBJECT",
        "required": ["word", "reading"],
        "properties": {"word": {"type": "STRING"}, "reading": {"type": "STRING", "nullable": True}},
    }
    assert smallest_instance(schema) == {"word": "", "reading": None}


def test_conditions_that_are_joined_all_hold():
    schema = {
        "$defs": {"Named": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}},
        "allOf": [{"$ref": "#/$defs/Named"}, {"required": ["age"], "properties": {"age": {"type": "integer"}}}],
    }
    assert smallest_instance(schema) == {"name": "", "age": 0}


@pytest.mark.parametrize(
    "schema",
    [
        {
            "$ref": "#/$defs/Endless",
            "$defs": {"Endless": {"required": ["next"], "properties": {"next": {"$ref": "#/$defs/Endless"}}}},
        },
        {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
    ],
    ids=["requires itself", "nothing in between"],
)
def test_what_has_no_instance_is_an_error(schema):
    with pytest.raises(UnsatisfiableError):
        smallest_instance(schema)
