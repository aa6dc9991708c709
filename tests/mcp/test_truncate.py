"""Answers always fit, and the part that was left out can be found."""

import json

import pytest

from studium.core.domain.errors import NotFound
from studium.mcp.tool import as_json, truncate, value_at


def test_what_fits_is_told_whole():
    value = {"cards": [1, 2, 3], "text": "短い"}
    assert truncate(value) == (value, [])


@pytest.mark.parametrize(
    "value",
    [
        {"text": "x" * 1_000_000},
        {"rows": [{"cells": list(range(300))} for _ in range(300)]},
        {f"key {number}": "word " * 100 for number in range(2_000)},
        {"deep": [[[["x" * 1_000] * 50] * 50] * 5]},
    ],
    ids=["text", "rows", "keys", "deep"],
)
def test_whatever_is_too_long_is_cut_until_it_fits(value):
    given, left_out = truncate(value, 5_000)
    assert len(as_json(given)) <= 5_000
    assert 1 <= len(left_out) <= 9
    assert all(" of " in remark or remark.startswith("and ") for remark in left_out)


def test_a_remark_names_the_part_that_can_be_asked_for():
    whole = {"a/b": {"pages": [f"page {number} " * 20 for number in range(500)]}}
    given, left_out = truncate(whole, 10_000)
    pointer, _, told = left_out[0].partition(": ")
    shown = len(given["a/b"]["pages"])
    assert (pointer, told) == ("/a~1b/pages", f"the first {shown} of 500 are included")
    assert value_at(whole, pointer, offset=shown) == whole["a/b"]["pages"][shown:]


@pytest.mark.parametrize("pointer", ["/none", "none", "/list/9", "/list/x", "/text/0", "/list/-1"])
def test_a_missing_part_is_reported(pointer):
    with pytest.raises(NotFound, match="There is no part"):
        value_at({"list": [1], "text": "abc"}, pointer)


def test_what_is_told_is_json():
    assert json.loads(as_json(truncate({"words": ["夜空"] * 100_000})[0]))["words"][0] == "夜空"
