"""Merges frontmatter key by key: what a reader wrote stays as it is written, what only we changed is renewed."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from studium.core.documents.markdown import split_frontmatter
from studium.workflows.concepts.notes.note import yaml_lines

KEPT = "uuid"
"""The key by which a note is found wherever it lies; it comes back when it was deleted."""

_KEY = re.compile(r"""(?P<quote>["']?)(?P<key>[^\s#"'\-\[\]{},&*!|>%@`][^:#"']*?)(?P=quote)\s*:(?=\s|$)""")

_COMMENT = re.compile(r"(?:^|\s)(#.*)")


class UnreadableHeader(ValueError):
    """The frontmatter is no YAML that we understand; it is left alone."""


def merge_header(
    base: Mapping[str, Any] | None, ours: Mapping[str, Any], lines: list[str]
) -> tuple[list[str], list[str]]:
    """The lines of the merged frontmatter, and the values of ours that do not stand in it, as YAML.

    Without a base, what is there is the reader's, and only missing keys are added.
    """
    theirs = read_values(lines)
    wanted = dict(theirs)
    refused: list[str] = []
    for key in dict.fromkeys([*ours, *(base or {})]):
        value, stands = _settled(key, base, ours, theirs)
        if not stands and ours.get(key) != (base or {}).get(key):
            refused.append(yaml_lines({key: ours.get(key)}).strip())
        if value is not None:
            wanted[key] = value
        elif theirs.get(key) is not None:
            del wanted[key]
    merged = list(_written(lines, theirs, wanted))
    if read_values(merged) != wanted:
        raise UnreadableHeader
    return merged, refused


def read_values(lines: list[str]) -> dict[str, Any]:
    """What a frontmatter says."""
    found = split_frontmatter("\n".join(["---", *lines, "---", ""]))
    if found.findings:
        raise UnreadableHeader
    return found.values


def _settled(
    key: str, base: Mapping[str, Any] | None, ours: Mapping[str, Any], theirs: Mapping[str, Any]
) -> tuple[Any, bool]:
    """The value that a key has now, and whether all of ours is in it."""
    mine, other = ours.get(key), theirs.get(key)
    if other == mine or (key == KEPT and other is None):
        return mine, True
    if base is None:
        return (mine, True) if key not in theirs else (other, True)
    before = base.get(key)
    if other == before:
        return mine, True
    if mine == before:
        return other, True
    if key in theirs and isinstance(other, list):
        return _merged_list(before or [], mine or [], other), True
    return other, False


def _merged_list(base: list[Any], ours: list[Any], theirs: list[Any]) -> list[Any]:
    gone = [each for each in base if each not in ours]
    new = [each for each in ours if each not in base and each not in theirs]
    return [*(each for each in theirs if each not in gone), *new]


def _written(lines: list[str], theirs: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterator[str]:
    """The lines as they were for what did not change, and ours for what did."""
    for key, block in _blocks(lines):
        if key is None or (key in wanted and wanted[key] == theirs.get(key)):
            yield from block
        else:
            yield from _yaml(key, wanted[key]) if key in wanted else ()
            yield from (found[1] for line in block if (found := _COMMENT.search(line)))
    for key, value in wanted.items():
        if key not in theirs:
            yield from _yaml(key, value)


def _yaml(key: str, value: Any) -> list[str]:
    return yaml_lines({key: value}).rstrip("\n").split("\n")


def _blocks(lines: list[str]) -> Iterator[tuple[str | None, list[str]]]:
    """Each key with the lines of its value; what comes before the first has none."""
    key: str | None = None
    block: list[str] = []
    for line in lines:
        if found := _KEY.match(line):
            if block:
                yield key, block
            key, block = found["key"], [line]
        else:
            block.append(line)
    if block:
        yield key, block
