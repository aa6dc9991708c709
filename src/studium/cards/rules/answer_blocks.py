"""The blocks of an answer, and what a summary can take of them: passages, lists, code and tables."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from studium.cards.rules.text_features import coverage, text_features
from studium.core.documents.markdown import split_blocks
from studium.core.documents.plain_text import split_lines
from studium.core.text.sentences import first_sentence

GAP = "\n\n"
SHORT_PARAGRAPH = 240
ASKED_FOR, ABOUT_IT = 0.2, 0.5
"""The share of a question's words that code or a table must have, if the question asks for it and if not."""

_ITEM = re.compile(r"(?P<indent>[ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+")
_PICTURE_ONLY = re.compile(r"\s*!(?:\[\[[^\]]*\]\]|\[[^\]]*\]\([^)]*\))\s*")
SNIPPETS = {
    "table": re.compile(r"differ|compar|\bvs\b|versus|разниц|отлич|сравн", re.IGNORECASE),
    "code": re.compile(
        r"\b(?:implement|write|show|code|syntax|command)|реализ|напиш|напис|покаж|\b(?:код|команд)", re.IGNORECASE
    ),
}
"""The kinds of snippets, and how a question asks for them."""


class SummaryText(NamedTuple):
    """The chosen text, and the passages of the answer that it consists of."""

    text: str
    quotes: tuple[str, ...]


@dataclass(frozen=True)
class AnswerBlock:
    """A block of the answer: its kind, heading, position and text."""

    kind: str
    heading: str
    start: int
    end: int
    text: str

    @property
    def is_prose(self) -> bool:
        """Whether it is a paragraph that does not merely announce what follows."""
        return self.kind in ("text", "quote") and not self.announces

    @property
    def announces(self) -> bool:
        """Whether it ends in a colon."""
        return self.text.rstrip("*_ ").endswith(":")


@dataclass(frozen=True)
class SummaryOption:
    """Something to choose: its use (one for each use is enough), its position, and its versions, longest first."""

    use: str
    at: int
    versions: tuple[SummaryText, ...]


class ListItem(NamedTuple):
    """An item of a list: its first sentence, its text, and what is nested under it."""

    head: str
    text: str
    nested: str


def take_whole(text: str) -> SummaryText:
    """A passage, unchanged."""
    return SummaryText(text, (text,))


def list_heads(text: str) -> tuple[str, ...]:
    """The first sentence of each item of a list, without nested items."""
    return tuple(item.head.removesuffix(":") for item in list_items(text))


def list_items(text: str) -> list[ListItem]:
    """The outermost items of a list."""
    lines = text.splitlines()
    outermost = min((len(found["indent"]) for line in lines if (found := _ITEM.match(line))), default=0)
    items: list[tuple[list[str], list[str]]] = []
    reading = False
    for line in lines:
        item = _ITEM.match(line)
        if item and len(item["indent"]) == outermost:
            items.append(([line], []))
            reading = True
        elif items:
            reading = reading and not item and bool(line.strip())
            items[-1][0 if reading else 1].append(line)
    return [ListItem(_head("\n".join(own)), "\n".join(own), "\n".join(nested)) for own, nested in items]


def _head(item: str) -> str:
    marker = _ITEM.match(item)
    start = marker.end() if marker else 0
    return (item[:start] + first_sentence(item[start:], markdown=True)).rstrip()


def answer_blocks(answer: str) -> list[AnswerBlock]:
    """The blocks of an answer, without those that are only a picture."""
    blocks = [
        AnswerBlock(block.kind, block.heading, *block.span, answer[block.span.start : block.span.end].strip("\r\n"))
        for block in split_blocks(split_lines(answer))
    ]
    return [part for part in blocks if not _PICTURE_ONLY.fullmatch(part.text)]


def title_of(heading: str) -> str:
    """The last heading of a trail."""
    return heading.rpartition(" > ")[2]


def asked_snippets(parts: Sequence[AnswerBlock], question: str) -> Iterator[AnswerBlock]:
    """The tables and code blocks that the question is about, the most similar first."""
    asked = text_features(question).content
    for kind, wanted in SNIPPETS.items():
        shared = {part: coverage(asked, text_features(part.text).everything) for part in parts if part.kind == kind}
        least = ASKED_FOR if wanted.search(question) else ABOUT_IT
        yield from sorted(
            (part for part in shared if shared[part] >= least), key=lambda part: (-shared[part], part.start)
        )
