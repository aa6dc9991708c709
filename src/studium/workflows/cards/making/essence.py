"""The essential part of a long answer: nothing is reworded, only chosen, and nothing is cut in half.

What stands before the first section answers the question: its first paragraph, its lists, its other paragraphs, its
code and tables. Where it has neither list nor table, the sections are the key points, each by its first sentence. A
snippet from further down is taken only if the question is about it. What is chosen keeps its order; each part is whole,
or a list by its heads, or whole sentences.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from studium.core.documents.markdown import split_blocks
from studium.core.documents.plain_text import split_lines
from studium.workflows.cards.making.sentences import first_sentence, leading_sentences
from studium.workflows.cards.words import covered, text_of

GAP = "\n\n"
SHORT_PARAGRAPH = 240
ASKED_FOR, ABOUT_IT = 0.2, 0.5
"""Which share of a question's words a snippet must hold, where the question asks to see one and where it does not."""

_ITEM = re.compile(r"(?P<indent>[ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+")
_PICTURE_ONLY = re.compile(r"\s*!(?:\[\[[^\]]*\]\]|\[[^\]]*\]\([^)]*\))\s*")
SNIPPETS = {
    "table": re.compile(r"differ|compar|\bvs\b|versus|разниц|отлич|сравн", re.IGNORECASE),
    "code": re.compile(
        r"\b(?:implement|write|show|code|syntax|command)|реализ|напиш|напис|покаж|\b(?:код|команд)", re.IGNORECASE
    ),
}
"""What can be shown, and what a question says that asks to see it."""


class Chosen(NamedTuple):
    """What was chosen of an answer, and the passages of the answer it consists of."""

    text: str
    quotes: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """A block of the answer: what it is, the heading over it, where it stands and what it says."""

    kind: str
    heading: str
    start: int
    end: int
    text: str

    @property
    def is_prose(self) -> bool:
        """Whether it says something by itself: a paragraph that does not merely announce what follows."""
        return self.kind in ("text", "quote") and not self.announces

    @property
    def announces(self) -> bool:
        """Whether it ends in a colon."""
        return self.text.rstrip("*_ ").endswith(":")


@dataclass(frozen=True)
class Choice:
    """Something to choose: its use (one choice for each is enough), its place, and its readings, fullest first."""

    use: str
    at: int
    readings: tuple[Chosen, ...]


def essential(answer: str, limit: int, question: str = "") -> Chosen:
    """The part of an answer that fits the limit; nothing if no part of it fits whole."""
    if len(answer) <= limit:
        return whole(answer)
    taken: dict[str, tuple[int, Chosen]] = {}
    room = limit
    for choice in _choices(answer, limit, question):
        if choice.use in taken:
            continue
        margin = len(GAP) if taken else 0
        fitting = next((each for each in choice.readings if each.text and len(each.text) + margin <= room), None)
        if fitting:
            taken[choice.use] = (choice.at, fitting)
            room -= len(fitting.text) + margin
    ordered = [chosen for _, chosen in sorted(taken.values(), key=lambda each: each[0])]
    return Chosen(GAP.join(each.text for each in ordered), tuple(q for each in ordered for q in each.quotes))


def whole(text: str) -> Chosen:
    """A passage as it stands."""
    return Chosen(text, (text,))


def list_heads(text: str) -> tuple[str, ...]:
    """The first sentence of each item of a list, without what is nested under it."""
    lines = text.splitlines()
    outermost = min((len(found["indent"]) for line in lines if (found := _ITEM.match(line))), default=0)
    heads: list[str] = []
    reading = False
    for line in lines:
        item = _ITEM.match(line)
        if item and len(item["indent"]) == outermost:
            heads.append(line)
            reading = True
        elif item or not line.strip():
            reading = False
        elif reading:
            heads[-1] += "\n" + line
    return tuple(_head(head) for head in heads)


def _head(item: str) -> str:
    marker = _ITEM.match(item)
    start = marker.end() if marker else 0
    return (item[:start] + first_sentence(item[start:])).rstrip().removesuffix(":")


def _parts(answer: str) -> list[Part]:
    """The blocks of an answer but for those that are only a picture."""
    blocks = [
        Part(block.kind, block.heading, *block.span, answer[block.span.start : block.span.end].strip("\r\n"))
        for block in split_blocks(split_lines(answer))
    ]
    return [part for part in blocks if not _PICTURE_ONLY.fullmatch(part.text)]


def _choices(answer: str, limit: int, question: str) -> Iterator[Choice]:
    """What may be chosen, the most telling first."""
    parts = _parts(answer)
    opening = [part for part in parts if part.heading == parts[0].heading]
    later = [part for part in parts if part.heading != parts[0].heading]
    lead = next((part for part in parts if part.is_prose), None)
    if lead:
        # A long lead leaves half of the room to the key points.
        yield _sentences(lead, "lead", limit // 2 if len(parts) > 1 else limit, limit)
    yield from _snippets(parts, question)
    yield from _lists(answer, opening)
    yield from (
        _sentences(part, f"prose {part.start}", limit) for part in opening if part.is_prose and part is not lead
    )
    yield from (Choice(part.kind, part.start, (whole(part.text),)) for part in opening if part.kind in SNIPPETS)
    if not any(part.kind in ("list", "table") for part in opening):
        yield from _sections([part for part in later if part is not lead])
    if not lead:
        yield from (Choice("lead", each.at, each.readings) for each in _lists(answer, later))


def _sentences(part: Part, use: str, *limits: int) -> Choice:
    """A paragraph whole, or as many of its first sentences as keep one of the limits."""
    shorter = (whole(leading_sentences(part.text, limit)) for limit in limits)
    return Choice(use, part.start, (whole(part.text), *shorter))


def _lists(answer: str, parts: Sequence[Part]) -> Iterator[Choice]:
    """Lists in full or by their heads, each with the line that announces it."""
    before: Part | None = None
    for part in parts:
        if part.kind == "list":
            announced = before if before and before.announces and before.heading == part.heading else None
            start = announced.start if announced else part.start
            brief = (*([announced.text] if announced else []), *list_heads(part.text))
            gap = GAP if announced else "\n"
            heads = Chosen(gap.join([*brief[:1], "\n".join(brief[1:])]).strip(), brief)
            yield Choice(f"list {start}", start, (whole(answer[start : part.end].strip("\r\n")), heads))
        before = part


def _sections(later: Sequence[Part]) -> Iterator[Choice]:
    """All further sections that begin with something to say, each by its first sentence; never only some of them."""
    groups = [list(group) for _, group in groupby(later, key=lambda part: part.heading)]
    sections = [group[0] for group in groups if group[0].is_prose or group[0].kind == "list"]
    if sections:
        told = [_told(part) for part in sections]
        brief = Chosen(GAP.join(each.text for each in told), tuple(q for each in told for q in each.quotes))
        titles = tuple(_title(part.heading) for part in sections)
        named = Chosen("- " + "\n- ".join(titles), titles)
        yield Choice("sections", sections[0].start, (brief, named))


def _told(part: Part) -> Chosen:
    """A section in brief: its heading, and its first paragraph, first sentence or list heads."""
    if part.kind == "list":
        quotes = list_heads(part.text)
    else:
        quotes = (part.text if len(part.text) <= SHORT_PARAGRAPH else first_sentence(part.text),)
    return Chosen(f"**{_title(part.heading)}**{GAP}" + "\n".join(quotes), quotes)


def _title(heading: str) -> str:
    return heading.rpartition(" > ")[2]


def _snippets(parts: Sequence[Part], question: str) -> Iterator[Choice]:
    """The tables and code blocks that the question is about, those first that share most with it."""
    asked = text_of(question).content
    for kind, wanted in SNIPPETS.items():
        shared = {part: covered(asked, text_of(part.text).everything) for part in parts if part.kind == kind}
        least = ASKED_FOR if wanted.search(question) else ABOUT_IT
        found = sorted((part for part in shared if shared[part] >= least), key=lambda part: (-shared[part], part.start))
        yield from (Choice(kind, part.start, (whole(part.text),)) for part in found)
