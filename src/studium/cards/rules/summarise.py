"""Summarises a long answer by choosing parts of it: nothing is reworded or cut in half.

The text before the first section answers the question: its first paragraph, lists, other paragraphs, code and tables.
If it has no list or table, the sections are the key points, each by its first sentence. Code or a table from further
down is taken only if the question is about it. The parts keep their order; each is whole, or a list without details, or
whole sentences.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from studium.cards.rules.text_features import coverage, text_features
from studium.core.documents.markdown import split_blocks
from studium.core.documents.plain_text import split_lines
from studium.core.text.sentences import first_sentence, leading_sentences

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


def summarise_answer(answer: str, limit: int, question: str = "") -> SummaryText:
    """The part of an answer that fits the limit; empty if no part fits whole."""
    if len(answer) <= limit:
        return take_whole(answer)
    taken: dict[str, tuple[int, SummaryText]] = {}
    room = limit
    for choice in _choices(answer, limit, question):
        if choice.use in taken:
            continue
        margin = len(GAP) if taken else 0
        fitting = next((each for each in choice.versions if each.text and len(each.text) + margin <= room), None)
        if fitting:
            taken[choice.use] = (choice.at, fitting)
            room -= len(fitting.text) + margin
    ordered = [chosen for _, chosen in sorted(taken.values(), key=lambda each: each[0])]
    return SummaryText(GAP.join(each.text for each in ordered), tuple(q for each in ordered for q in each.quotes))


def take_whole(text: str) -> SummaryText:
    """A passage, unchanged."""
    return SummaryText(text, (text,))


def list_heads(text: str) -> tuple[str, ...]:
    """The first sentence of each item of a list, without nested items."""
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
    return (item[:start] + first_sentence(item[start:], markdown=True)).rstrip().removesuffix(":")


def _answer_blocks(answer: str) -> list[AnswerBlock]:
    """The blocks of an answer, without those that are only a picture."""
    blocks = [
        AnswerBlock(block.kind, block.heading, *block.span, answer[block.span.start : block.span.end].strip("\r\n"))
        for block in split_blocks(split_lines(answer))
    ]
    return [part for part in blocks if not _PICTURE_ONLY.fullmatch(part.text)]


def _choices(answer: str, limit: int, question: str) -> Iterator[SummaryOption]:
    """The options, the most important first."""
    parts = _answer_blocks(answer)
    opening = [part for part in parts if part.heading == parts[0].heading]
    later = [part for part in parts if part.heading != parts[0].heading]
    lead = next((part for part in parts if part.is_prose), None)
    if lead:
        # A long lead leaves half of the space to the key points.
        yield _sentences(lead, "lead", limit // 2 if len(parts) > 1 else limit, limit)
    yield from _snippets(parts, question)
    yield from _lists(answer, opening)
    yield from (
        _sentences(part, f"prose {part.start}", limit) for part in opening if part.is_prose and part is not lead
    )
    yield from (
        SummaryOption(part.kind, part.start, (take_whole(part.text),)) for part in opening if part.kind in SNIPPETS
    )
    if not any(part.kind in ("list", "table") for part in opening):
        yield from _sections([part for part in later if part is not lead])
    if not lead:
        yield from (SummaryOption("lead", each.at, each.versions) for each in _lists(answer, later))


def _sentences(part: AnswerBlock, use: str, *limits: int) -> SummaryOption:
    """A whole paragraph, or as many of its first sentences as fit one of the limits."""
    shorter = (take_whole(leading_sentences(part.text, limit, markdown=True)) for limit in limits)
    return SummaryOption(use, part.start, (take_whole(part.text), *shorter))


def _lists(answer: str, parts: Sequence[AnswerBlock]) -> Iterator[SummaryOption]:
    """Lists, whole or by their first sentences, each with the line that announces it."""
    before: AnswerBlock | None = None
    for part in parts:
        if part.kind == "list":
            announced = before if before and before.announces and before.heading == part.heading else None
            start = announced.start if announced else part.start
            brief = (*([announced.text] if announced else []), *list_heads(part.text))
            gap = GAP if announced else "\n"
            heads = SummaryText(gap.join([*brief[:1], "\n".join(brief[1:])]).strip(), brief)
            yield SummaryOption(f"list {start}", start, (take_whole(answer[start : part.end].strip("\r\n")), heads))
        before = part


def _sections(later: Sequence[AnswerBlock]) -> Iterator[SummaryOption]:
    """All further sections that begin with text, each by its first sentence; never only some of them."""
    groups = [list(group) for _, group in groupby(later, key=lambda part: part.heading)]
    sections = [group[0] for group in groups if group[0].is_prose or group[0].kind == "list"]
    if sections:
        short = [_summarise_section(part) for part in sections]
        brief = SummaryText(GAP.join(each.text for each in short), tuple(q for each in short for q in each.quotes))
        titles = tuple(_title(part.heading) for part in sections)
        named = SummaryText("- " + "\n- ".join(titles), titles)
        yield SummaryOption("sections", sections[0].start, (brief, named))


def _summarise_section(part: AnswerBlock) -> SummaryText:
    """A section in short: its heading, and its first paragraph, first sentence or list."""
    if part.kind == "list":
        quotes = list_heads(part.text)
    else:
        quotes = (part.text if len(part.text) <= SHORT_PARAGRAPH else first_sentence(part.text, markdown=True),)
    return SummaryText(f"**{_title(part.heading)}**{GAP}" + "\n".join(quotes), quotes)


def _title(heading: str) -> str:
    return heading.rpartition(" > ")[2]


def _snippets(parts: Sequence[AnswerBlock], question: str) -> Iterator[SummaryOption]:
    """The tables and code blocks that the question is about, the most similar first."""
    asked = text_features(question).content
    for kind, wanted in SNIPPETS.items():
        shared = {part: coverage(asked, text_features(part.text).everything) for part in parts if part.kind == kind}
        least = ASKED_FOR if wanted.search(question) else ABOUT_IT
        found = sorted((part for part in shared if shared[part] >= least), key=lambda part: (-shared[part], part.start))
        yield from (SummaryOption(kind, part.start, (take_whole(part.text),)) for part in found)
