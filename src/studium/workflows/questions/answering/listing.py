"""Lists as answers: those that stand as lists, and those within a sentence."""

import re
from collections.abc import Iterator

from studium.workflows.questions.answering.kinds import WORDS
from studium.workflows.questions.answering.lookup import Found, Lookup, Match
from studium.workflows.questions.comparing.items import items_of

_HEAD = re.compile(r"^(?P<head>[^:–—]{2,60}?)\s*(?::|\s[–—-])\s+\S")
_OPENS = re.compile(rf":\s+|\b(?:{WORDS.any_of('list_openings')})\s+", re.IGNORECASE)


def listings(lookup: Lookup) -> Iterator[Found]:
    """The lists that the question asks for."""
    for each in lookup.lists():
        items = tuple(_head(item) for item in each.items) if all(map(_HEAD.match, each.items)) else each.items
        if lookup.asked.count in (None, len(items)):
            own = [bool(forms & each.keys) for forms in lookup.forms.values()]
            yield Found(", ".join(items), each.quote, sum(1.0 if here else 0.8 for here in own) / len(own))


def enumerations(lookup: Lookup, match: Match) -> Iterator[Found]:
    """The things that a sentence enumerates behind what the question asks about."""
    text = match.line.text.rstrip(" .。")
    for opening in reversed(list(_OPENS.finditer(text))):
        items = items_of(text[opening.end() :], lookup.asked.language)
        before = [word for word in match.line.words if word.telling and word.start < opening.start()]
        if len(items) > 1 and any(map(match.is_said, before)) and lookup.asked.count in (None, len(items)):
            yield Found(text[opening.end() :], match.line.quote, match.fit)
            return


def _head(item: str) -> str:
    found = _HEAD.match(item)
    return found["head"] if found else item
