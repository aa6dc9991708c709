"""Answers that list things: the items are the same in any order, but none may be missing."""

import re

from studium.workflows.questions.comparing.lexicon import lexicon
from studium.workflows.questions.comparing.statement import Statement, states

_JOIN = lexicon("comparing").any_of("list_joins")
_SPLIT = re.compile(rf"\s*[,;]\s*(?:(?:{_JOIN})\s+)?|\s+(?:{_JOIN})\s+|\n+")
_JOINED = re.compile(rf"\s(?:{_JOIN})\s|\n|[,;].*[,;]|;", re.DOTALL)
_LEAD = re.compile(r"^[^,;:]{1,80}:\s+")
LONGEST_ITEM = 6


def items_of(text: str, language: str) -> tuple[Statement, ...]:
    """The items of an answer that is a list; nothing where it is none."""
    if not _JOINED.search(text):
        return ()
    parts = [states(part.strip(" .;,"), language) for part in _SPLIT.split(_LEAD.sub("", text)) if part.strip(" .;,")]
    short = all(0 < len(part.words) <= LONGEST_ITEM or part.has_facts for part in parts)
    return tuple(parts) if len(parts) > 1 and short else ()


def same_items(one: str, other: str, language: str) -> bool:
    """Whether two lists name the same, each item once."""
    mine, theirs = list(items_of(one, language)), list(items_of(other, language))
    if not mine or len(mine) != len(theirs):
        return False
    for item in mine:
        match = next((each for each in theirs if _same(item, each)), None)
        if match is None:
            return False
        theirs.remove(match)
    return True


def _same(item: Statement, other: Statement) -> bool:
    if not item.agrees(other):
        return False
    shorter, longer = sorted((item.keys, other.keys), key=len)
    return shorter == longer or (bool(shorter) and shorter < longer and len(longer) - len(shorter) <= 1)
