"""Three-way merging of lines: where both sides changed the same ones, the reader's stay, and ours are told."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple


class Settled(NamedTuple):
    """The lines that stand now, and what of ours does not, place by place."""

    lines: list[str]
    refused: list[str]


class _Change(NamedTuple):
    start: int
    end: int
    lines: list[str]
    ours: bool


def merge_lines(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> Settled:
    """Both sides' changes to the base in one; of changes that meet, theirs."""
    lines: list[str] = []
    refused: list[str] = []
    at = 0
    changes = sorted([*_changes(base, ours, ours=True), *_changes(base, theirs, ours=False)])
    for group in _meeting(changes):
        start, end = group[0].start, max(change.end for change in group)
        mine = _applied(base, start, end, [change for change in group if change.ours])
        other = _applied(base, start, end, [change for change in group if not change.ours])
        lines += [*base[at:start], *(mine if all(change.ours for change in group) else other)]
        at = end
        if mine != other and len({change.ours for change in group}) > 1:
            refused.append("\n".join(mine).strip())
    return Settled([*lines, *base[at:]], refused)


def _changes(base: Sequence[str], side: Sequence[str], *, ours: bool) -> Iterator[_Change]:
    for kind, start, end, side_start, side_end in SequenceMatcher(None, base, side, autojunk=False).get_opcodes():
        if kind != "equal":
            yield _Change(start, end, list(side[side_start:side_end]), ours)


def _meeting(changes: Sequence[_Change]) -> Iterator[list[_Change]]:
    """The changes in order, those together that concern the same lines or write at the same place."""
    group: list[_Change] = []
    for change in changes:
        if group and not _meets(group, change):
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _meets(group: Sequence[_Change], change: _Change) -> bool:
    inserts_there_too = change.start == change.end == group[-1].start == group[-1].end
    return inserts_there_too or change.start < max(each.end for each in group)


def _applied(base: Sequence[str], start: int, end: int, changes: Sequence[_Change]) -> list[str]:
    lines: list[str] = []
    for change in changes:
        lines += [*base[start : change.start], *change.lines]
        start = change.end
    return [*lines, *base[start:end]]
