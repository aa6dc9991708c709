"""A proposal as a form, where it is simple enough for one: texts, numbers, and lists of words."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

_LONG = 60
"""A text that may be longer than this gets several lines."""


@dataclass(frozen=True)
class Entry:
    """One entry of a form: where it stands in the proposal, and what was proposed for it."""

    path: tuple[str, ...]
    value: Any

    @property
    def label(self) -> str:
        """What a person calls it."""
        return self.path[-1].replace("_", " ").capitalize()

    @property
    def is_long(self) -> bool:
        """Whether it wants several lines: what stands under a name (a card's fields), and long texts."""
        return isinstance(self.value, str) and (len(self.path) > 1 or len(self.value) > _LONG or "\n" in self.value)

    def text_in(self, draft: Mapping[str, Any]) -> str:
        """What a draft says here, as it is typed."""
        value: Any = draft
        for name in self.path:
            value = value.get(name) if isinstance(value, Mapping) else None
        if isinstance(value, list):
            return ", ".join(map(str, value))
        return "" if value is None else str(value)

    def read(self, text: str) -> Any:
        """What was typed, as the proposal holds it; a number that is none stays text, which its schema will refuse."""
        if isinstance(self.value, list):
            return [word.strip() for word in text.split(",") if word.strip()]
        if isinstance(self.value, (int, float)) and not isinstance(self.value, bool):
            return _number(text)
        return None if self.value is None and not text else text


def entries_of(proposal: Mapping[str, Any]) -> list[Entry] | None:
    """The entries of the form for a proposal; None where only its text can be edited."""
    found = list(_entries(proposal, ()))
    simple = all(isinstance(each.value, (str, int, float)) or _is_words(each.value) for each in found)
    # What a card says comes before what it is filed under.
    return sorted(found, key=lambda each: -len(each.path)) if simple else None


def filled_in(proposal: Mapping[str, Any], entry: Entry, text: str) -> dict[str, Any]:
    """The proposal with what was typed into one entry."""
    changed = deepcopy(dict(proposal))
    place = changed
    for name in entry.path[:-1]:
        place = place.setdefault(name, {})
    place[entry.path[-1]] = entry.read(text)
    return changed


def _entries(proposal: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[Entry]:
    for name, value in proposal.items():
        if isinstance(value, dict) and not path:
            yield from _entries(value, (name,))
        else:
            yield Entry((*path, name), value)


def _is_words(value: object) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(each, str) for each in value))


def _number(text: str) -> float | int | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
