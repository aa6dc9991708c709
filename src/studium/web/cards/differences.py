"""What changes in a field, word by word."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from studium.domain.locating import UNSPACED
from studium.domain.markup import visible_text

_TOKEN = re.compile(rf"\s+|[{UNSPACED}]|[^\W{UNSPACED}]+|.", re.DOTALL)
_MOST = 3_000
"""So many words are compared one by one; comparing takes the square of it."""


class Part(NamedTuple):
    """A piece of text that stays, goes or comes."""

    kind: Literal["same", "gone", "new"]
    text: str


def differences(old: str, new: str) -> list[Part]:
    """How one text becomes another, told in what a person reads; where that is the same, in the HTML."""
    before, after = visible_text(old), visible_text(new)
    if before == after:
        before, after = old, new
    return list(_parts(_TOKEN.findall(before), _TOKEN.findall(after)))


def _parts(before: list[str], after: list[str]) -> Iterator[Part]:
    if len(before) + len(after) > _MOST:
        yield from (Part("gone", "".join(before)), Part("new", "".join(after)))
        return
    for what, start, end, left, right in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if what == "equal":
            yield Part("same", "".join(before[start:end]))
            continue
        if start < end:
            yield Part("gone", "".join(before[start:end]))
        if left < right:
            yield Part("new", "".join(after[left:right]))
