"""Summarises a long answer by choosing parts of it: nothing is reworded or cut in half.

The text before the first section answers the question: its first paragraph, lists, other paragraphs, code and tables.
If it has no list or table, the sections are the key points, each by its first sentence. Code or a table from further
down is taken only if the question is about it. The parts keep their order; each is whole, or a list without details, or
whole sentences. In English, the grammar says which sentences answer (`english_summary`).
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from studium.cards.rules.answer_blocks import (
    GAP,
    SHORT_PARAGRAPH,
    SNIPPETS,
    AnswerBlock,
    SummaryOption,
    SummaryText,
    answer_blocks,
    asked_snippets,
    list_heads,
    take_whole,
    title_of,
)
from studium.cards.rules.english_summary import english_choices
from studium.cards.rules.text_features import text_features
from studium.core.text.sentences import first_sentence, leading_sentences

NO_ROOM = 40
"""So few characters are not worth parsing more sentences for."""


def summarise_answer(answer: str, limit: int, question: str = "", language: str = "") -> SummaryText:
    """The part of an answer that fits the limit; empty if no part fits whole."""
    if len(answer) <= limit:
        return take_whole(answer)
    taken: dict[str, tuple[int, SummaryText]] = {}
    room = limit
    is_english = (language or text_features(answer).language) == "en" and not text_features(answer).is_cyrillic
    for choice in (english_choices if is_english else _choices)(answer, limit, question):
        if is_english and room <= NO_ROOM:
            break
        if choice.use in taken:
            continue
        margin = len(GAP) if taken else 0
        fitting = next((each for each in choice.versions if each.text and len(each.text) + margin <= room), None)
        if fitting:
            taken[choice.use] = (choice.at, fitting)
            room -= len(fitting.text) + margin
    ordered = [chosen for _, chosen in sorted(taken.values(), key=lambda each: each[0])]
    return SummaryText(GAP.join(each.text for each in ordered), tuple(q for each in ordered for q in each.quotes))


def _choices(answer: str, limit: int, question: str) -> Iterator[SummaryOption]:
    """The options, the most important first."""
    parts = answer_blocks(answer)
    opening = [part for part in parts if part.heading == parts[0].heading]
    later = [part for part in parts if part.heading != parts[0].heading]
    lead = next((part for part in parts if part.is_prose), None)
    if lead:
        # A long lead leaves half of the space to the key points.
        yield _sentences(lead, "lead", limit // 2 if len(parts) > 1 else limit, limit)
    yield from (_whole(part) for part in asked_snippets(parts, question))
    yield from _lists(answer, opening)
    yield from (
        _sentences(part, f"prose {part.start}", limit) for part in opening if part.is_prose and part is not lead
    )
    yield from (_whole(part) for part in opening if part.kind in SNIPPETS)
    if not any(part.kind in ("list", "table") for part in opening):
        yield from _sections([part for part in later if part is not lead])
    if not lead:
        yield from (SummaryOption("lead", each.at, each.versions) for each in _lists(answer, later))


def _whole(part: AnswerBlock) -> SummaryOption:
    return SummaryOption(part.kind, part.start, (take_whole(part.text),))


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
        titles = tuple(title_of(part.heading) for part in sections)
        named = SummaryText("- " + "\n- ".join(titles), titles)
        yield SummaryOption("sections", sections[0].start, (brief, named))


def _summarise_section(part: AnswerBlock) -> SummaryText:
    """A section in short: its heading, and its first paragraph, first sentence or list."""
    if part.kind == "list":
        quotes = list_heads(part.text)
    else:
        quotes = (part.text if len(part.text) <= SHORT_PARAGRAPH else first_sentence(part.text, markdown=True),)
    return SummaryText(f"**{title_of(part.heading)}**{GAP}" + "\n".join(quotes), quotes)
