"""What changes in a field, word by word."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from studium.core.text.html import visible_text
from studium.core.text.locate import UNSPACED
from studium.domain.threeway import changes

_TOKEN = re.compile(rf"\s+|[{UNSPACED}]|[^\W{UNSPACED}]+|.", re.DOTALL)


class Part(NamedTuple):
    """A piece of text that stays, goes or comes."""

    kind: Literal["same", "gone", "new"]
    text: str


def differences(old: str, new: str) -> list[Part]:
    """How one text becomes another, told in what a person reads; where that is the same, in the HTML."""
    before, after = visible_text(old), visible_text(new)
    if before == after:
        before, after = old, new
    return [part for part in _parts(_TOKEN.findall(before), _TOKEN.findall(after)) if part.text]


def _parts(before: list[str], after: list[str]) -> Iterator[Part]:
    at = 0
    for hunk in changes(before, after):
        yield Part("same", "".join(before[at : hunk.start]))
        yield Part("gone", "".join(before[hunk.start : hunk.end]))
        yield Part("new", "".join(after[hunk.left : hunk.right]))
        at = hunk.end
    yield Part("same", "".join(before[at:]))
