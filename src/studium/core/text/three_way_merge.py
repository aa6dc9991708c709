"""Merges two edited versions of a token sequence with their common base.

    base   the cat sat on the mat
    left   the cat sat quietly on the mat        (edited in Anki)
    right  the cat sat on the red mat            (edited in the note)
    ->     the cat sat quietly on the red mat

Changes that touch, or have only white space between them, are not merged.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from studium.core.text.html import HtmlToken, token_keys

_MAX_CELLS = 2_500  # a table of this size is filled in a millisecond
_SHINGLES = (1, 4, 16)


class Hunk(NamedTuple):
    """A change: tokens `start` to `end` of the base became tokens `left` to `right` of the side."""

    start: int
    end: int
    left: int
    right: int

    @property
    def growth(self) -> int:
        """How many tokens the side has more than the base."""
        return (self.right - self.left) - (self.end - self.start)

    @property
    def size(self) -> int:
        """The number of tokens of the longer of the two."""
        return max(self.right - self.left, self.end - self.start)


def merge_tokens(
    base: Sequence[HtmlToken], left: Sequence[HtmlToken], right: Sequence[HtmlToken]
) -> list[HtmlToken] | None:
    """The base with the changes of both sides, or None if they touch; unchanged tokens come from the left side."""
    known = token_keys(base)
    ours, theirs = diff_tokens(known, token_keys(left)), diff_tokens(known, token_keys(right))
    merged: list[HtmlToken] = []
    at = left_at = right_at = 0
    for start, end, mine, other in _clusters(known, ours, theirs):
        left_start, right_start = left_at + start - at, right_at + start - at
        merged += left[left_at:left_start]
        at = end
        left_at = left_start + end - start + sum(hunk.growth for hunk in mine)
        right_at = right_start + end - start + sum(hunk.growth for hunk in other)
        my_part, other_part = left[left_start:left_at], right[right_start:right_at]
        if mine and other and token_keys(my_part) != token_keys(other_part):
            return None
        merged += my_part if mine else other_part
    return [*merged, *left[left_at:]]


class _Cluster(NamedTuple):
    start: int
    end: int
    left: list[Hunk]
    right: list[Hunk]


def _clusters(base: Sequence[str], left: Sequence[Hunk], right: Sequence[Hunk]) -> Iterator[_Cluster]:
    """The changes of both sides in order; changes that touch form one cluster."""
    cluster: _Cluster | None = None
    for hunk, is_left in sorted([*((hunk, True) for hunk in left), *((hunk, False) for hunk in right)]):
        if cluster and hunk.start <= _past_space(base, cluster.end):
            cluster = cluster._replace(end=max(cluster.end, hunk.end))
        else:
            if cluster:
                yield cluster
            cluster = _Cluster(hunk.start, hunk.end, [], [])
        (cluster.left if is_left else cluster.right).append(hunk)
    if cluster:
        yield cluster


def _past_space(base: Sequence[str], at: int) -> int:
    while at < len(base) and base[at].isspace():
        at += 1
    return at


def diff_tokens(base: Sequence[str], side: Sequence[str]) -> list[Hunk]:
    """What a side changed, in order; a few unchanged words between two larger changes count as changed."""
    hunks: list[Hunk] = []
    at = side_at = 0
    for start, side_start, length in [*_matches(base, side), (len(base), len(side), 0)]:
        hunk = Hunk(at, start, side_at, side_start)
        at, side_at = start + length, side_start + length
        if not hunk.size:
            continue
        if hunks and hunk.start - hunks[-1].end < min(hunk.size, hunks[-1].size) and _is_stray(base, hunks[-1], hunk):
            hunk = Hunk(hunks[-1].start, hunk.end, hunks.pop().left, hunk.right)
        hunks.append(hunk)
    return hunks


def _is_stray(base: Sequence[str], before: Hunk, after: Hunk) -> bool:
    """Whether the unchanged tokens between two changes are plain text without tags."""
    return not any(key.startswith("<") for key in base[before.end : after.start])


def _matches(base: Sequence[str], side: Sequence[str]) -> list[tuple[int, int, int]]:
    """The common runs in order: start in the base, start in the side, length."""
    found: list[tuple[int, int, int]] = []
    blocks = [(0, len(base), 0, len(side))]
    while blocks:
        low, high, side_low, side_high = blocks.pop()
        start, side_start = low, side_low
        while low < high and side_low < side_high and base[low] == side[side_low]:
            low, side_low = low + 1, side_low + 1
        found.append((start, side_start, low - start))
        end = high
        while low < high and side_low < side_high and base[high - 1] == side[side_high - 1]:
            high, side_high = high - 1, side_high - 1
        found.append((high, side_high, end - high))
        if low < high and side_low < side_high:
            anchors = _anchors(base[low:high], side[side_low:side_high])
            # A block starts with its anchor, which then counts as its common start.
            starts = [(low, side_low), *((low + i, side_low + j) for i, j in anchors)] if anchors else []
            ends = [*starts[1:], (high, side_high)]
            blocks += [(i, i_end, j, j_end) for (i, j), (i_end, j_end) in zip(starts, ends, strict=False)]
    return sorted(run for run in found if run[2])


def _anchors(base: Sequence[str], side: Sequence[str]) -> list[tuple[int, int]]:
    """Positions that surely correspond: unique tokens, else the longest common subsequence, else unique phrases."""
    for length in _SHINGLES:
        if pairs := _unique_pairs(base, side, length):
            return _rising(pairs)
        if len(base) * len(side) <= _MAX_CELLS:
            return _common_subsequence(base, side)
    return []


def _unique_pairs(base: Sequence[str], side: Sequence[str], length: int) -> list[tuple[int, int]]:
    here, there = _unique(base, length), _unique(side, length)
    return [(at, there[phrase]) for phrase, at in here.items() if phrase in there]


def _unique(text: Sequence[str], length: int) -> dict[tuple[str, ...], int]:
    """The phrases of this length that occur once, with their positions."""
    phrases = list(zip(*(text[shift:] for shift in range(length)), strict=False))
    counts = Counter(phrases)
    return {phrase: at for at, phrase in enumerate(phrases) if counts[phrase] == 1}


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest subsequence of the pairs that is in order on both sides."""
    tails: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (_, at) in enumerate(pairs):
        place = bisect_left(tails, at)
        before.append(last[place - 1] if place else -1)
        tails[place : place + 1] = [at]
        last[place : place + 1] = [number]
    chain = []
    number = last[-1] if last else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]


def _common_subsequence(base: Sequence[str], side: Sequence[str]) -> list[tuple[int, int]]:
    lengths = [[0] * (len(side) + 1) for _ in range(len(base) + 1)]
    for i in range(len(base) - 1, -1, -1):
        row, below = lengths[i], lengths[i + 1]
        for j in range(len(side) - 1, -1, -1):
            row[j] = below[j + 1] + 1 if base[i] == side[j] else max(below[j], row[j + 1])
    pairs = []
    i = j = 0
    while i < len(base) and j < len(side):
        if base[i] == side[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs
