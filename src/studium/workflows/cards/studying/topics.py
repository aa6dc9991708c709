"""What notes are about: their topic, subtopics and tags, and how many cards each has."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from studium.core.domain.value import Value


class Topic(Value):
    """A topic, a subtopic or a tag: how many notes are about it, and how many cards they hold."""

    name: str
    notes: int
    cards: int


def topics_of(frontmatter: Mapping[str, Any], tags: Sequence[str]) -> list[str]:
    """All that a note says it is about, the widest first, each once."""
    named = [*_words(frontmatter.get("topic")), *_words(frontmatter.get("subtopics")), *tags]
    spelled: dict[str, str] = {}
    for name in named:
        spelled.setdefault(name.casefold(), name)
    return list(spelled.values())


def main_topic(name: str, frontmatter: Mapping[str, Any], tags: Sequence[str]) -> str:
    """The one topic that a note is counted under: what it says first, or else its folder."""
    said = topics_of(frontmatter, tags)
    return said[0].partition("::")[0].casefold() if said else name.rpartition("/")[0]


def topics_with_cards(notes: Iterable[tuple[Sequence[str], int]]) -> tuple[Topic, ...]:
    """The topics of these notes, given with the number of their cards; those of most notes first."""
    found: dict[str, tuple[str, int, int]] = {}
    for topics, cards in notes:
        for name in topics:
            spelled, noted, counted = found.get(name.casefold(), (name, 0, 0))
            found[name.casefold()] = (spelled, noted + 1, counted + cards)
    ordered = sorted(found.values(), key=lambda topic: (-topic[1], topic[0]))
    return tuple(Topic(name=name, notes=noted, cards=cards) for name, noted, cards in ordered)


def _words(value: Any) -> Iterator[str]:
    for each in value if isinstance(value, list) else str(value or "").split(","):
        if isinstance(each, str | int | float) and (word := str(each).strip()):
            yield word
