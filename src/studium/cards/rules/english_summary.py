"""What a summary takes of an English answer: only sentences that say something about what the question asks.

A sentence answers if it has a predicate of its own and speaks of the question's subject, object or verb. Titles are
shown over what they stand for, and never alone; a line that leads over is shown with what it leads to.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby, islice

from studium.cards.rules.answer_blocks import (
    GAP,
    SHORT_PARAGRAPH,
    SNIPPETS,
    AnswerBlock,
    ListItem,
    SummaryOption,
    SummaryText,
    answer_blocks,
    asked_snippets,
    list_heads,
    list_items,
    take_whole,
    title_of,
)
from studium.cards.rules.english_sentences import (
    STARTS_WITH_PRONOUN,
    Asked,
    defines,
    is_title,
    leads_over,
    says_something,
    stems_of,
    what_is_asked,
)
from studium.core.text.sentences import first_sentence, leading_sentences, split_sentences

SHORT_LINE = 120
_TAIL = re.compile(r"[\s:;,]{1,9}(?:(?:or|and)\W{0,3})?$")
MOST_TRIED = 3
"""The number of sentences of a paragraph, and of blocks of a section, are looked at before it is given up."""


def english_choices(answer: str, limit: int, question: str) -> Iterator[SummaryOption]:
    """The options, the most important first."""
    return _EnglishAnswer(answer, limit, question).choices()


class _EnglishAnswer:
    """An answer, and what its question asks about."""

    def __init__(self, answer: str, limit: int, question: str) -> None:
        self.answer, self.limit, self.question = answer, limit, question
        self.parts = answer_blocks(answer)
        self.opening = [part for part in self.parts if part.heading == self.parts[0].heading]
        self.later = [part for part in self.parts if part.heading != self.parts[0].heading]
        self._said: dict[AnswerBlock, str] = {}

    @cached_property
    def asked(self) -> Asked:
        """What the question asks about."""
        return what_is_asked(self.question)

    def choices(self) -> Iterator[SummaryOption]:
        """The options, the most important first."""
        lead = self._lead()
        if lead:
            yield self._passage(lead, "lead", self.limit // 2 if len(self.parts) > 1 else self.limit, self.limit)
        yield from (self._titled(part) for part in asked_snippets(self.parts, self.question))
        yield from self._lists(self.opening, lead)
        yield from (
            self._passage(part, f"prose {part.start}", self.limit)
            for part in self.opening
            if part is not lead and not self._is_over_list(part) and self.relevance(part.text) and self.says(part)
        )
        yield from (self._titled(part) for part in self.opening if part.kind in SNIPPETS)
        if not any(part.kind in ("list", "table") for part in self.opening):
            yield from self._sections(lead)
        if not lead:
            yield from (SummaryOption("lead", each.at, each.versions) for each in self._lists(self.later, lead))

    def relevance(self, *texts: str) -> int:
        """How many of the asked words texts have."""
        asked = self.asked.stems
        return len(asked.intersection(frozenset().union(*map(stems_of, texts)))) if asked else 1

    def says(self, part: AnswerBlock) -> str:
        """What a paragraph says: its sentences from the first statement on, without those that only lead over."""
        if part not in self._said:
            self._said[part] = self._read(part) if part.kind in ("text", "quote") else ""
        return self._said[part]

    def _read(self, part: AnswerBlock) -> str:
        if part.announces and self._is_over_list(part):
            return ""
        sentences = split_sentences(part.text, markdown=True, keep_spaces=True)
        tried = enumerate(sentences[:MOST_TRIED])
        first = next((at for at, sentence in tried if says_something(sentence, self.asked)), None)
        if first is None:
            return ""
        last = len(sentences)
        while last > first + 1 and leads_over(sentences[last - 1]):
            last -= 1
        return "".join(sentences[first:last]).strip().removesuffix(":")

    def _lead(self) -> AnswerBlock | None:
        """The paragraph that answers: of the opening if one there says anything, else of a section."""
        for parts in (self.opening, self.later):
            about = next((part for part in parts if self._is_about(part) and self.says(part)), None)
            found = about or next((part for part in parts if self.says(part)), None)
            # A sentence that the parser does not understand is still better than one from further down.
            if found := found or next((part for part in parts if self._is_sentence(part)), None):
                return found
        return next((part for part in self.parts if part.is_prose and not is_title(part.text)), None)

    def _is_sentence(self, part: AnswerBlock) -> bool:
        is_written = part.is_prose and not is_title(part.text) and part.text.rstrip().endswith(".")
        return is_written and self._is_about(part) and not leads_over(part.text)

    def _is_about(self, part: AnswerBlock) -> bool:
        """Whether a paragraph speaks of what is asked; the first one may call it `it`."""
        return bool(self.relevance(part.text)) or (part is self.parts[0] and bool(STARTS_WITH_PRONOUN.match(part.text)))

    def _passage(self, part: AnswerBlock, use: str, *limits: int) -> SummaryOption:
        """What a paragraph says, under its title if it has one, or as many of its first sentences as fit a limit."""
        said = self.says(part) or part.text
        over = self._over(part)
        titled = (SummaryText(f"{over.text}{GAP}{said}", (over.text, said)),) if over and is_title(over.text) else ()
        shorter = (take_whole(leading_sentences(said, limit, markdown=True)) for limit in limits)
        return SummaryOption(use, part.start, (*(titled if use != "lead" else ()), take_whole(said), *shorter))

    def _titled(self, part: AnswerBlock) -> SummaryOption:
        """Code or a table, under its title if there is one."""
        over = self._over(part)
        title = over if over and is_title(over.text) else None
        return SummaryOption(part.kind, part.start, (self._between(title, part), take_whole(part.text)))

    def _lists(self, parts: Sequence[AnswerBlock], lead: AnswerBlock | None) -> Iterator[SummaryOption]:
        """Lists, whole or in short, each under the line that announces it."""
        for part in parts:
            if part.kind == "list" and not all(map(_is_open, list_items(part.text))):
                over = self._over(part) if self._over(part) is not lead else None
                start = over.start if over else part.start
                yield SummaryOption(f"list {start}", start, (self._between(over, part), *_in_short(part, over)))

    def _sections(self, lead: AnswerBlock | None) -> Iterator[SummaryOption]:
        """The sections that say something about the question, those first that say most about it."""
        groups = [list(group) for _, group in groupby(self.later, key=lambda part: part.heading)]
        sections = [group for group in groups if lead not in group]
        sections.sort(key=self._rank, reverse=True)
        for group in sections:
            title = f"**{title_of(group[0].heading)}**{GAP}"
            # One title is enough.
            versions = tuple(
                said if is_title(said.text.partition("\n")[0]) else SummaryText(title + said.text, said.quotes)
                for said in self._key_point(group)
            )
            yield SummaryOption(f"section {group[0].start}", group[0].start, versions)

    def _rank(self, section: Sequence[AnswerBlock]) -> int:
        said = (part.text for part in section[:MOST_TRIED] if part.kind not in SNIPPETS)
        return self.relevance(section[0].heading, *said)

    def _key_point(self, section: Sequence[AnswerBlock]) -> Iterator[SummaryText]:
        """The first passage or list of a section that answers; of several lists with titles, all if they fit."""
        for at, part in enumerate(section[:MOST_TRIED]):
            if part.kind == "list":
                yield from self._titled_lists(section[at:])
                yield from _in_short(part, self._over(part))
                return
            if self.relevance(part.text, part.heading) and (said := self.says(part)):
                yield take_whole(said if len(said) <= SHORT_PARAGRAPH else first_sentence(said, markdown=True))
                return

    def _titled_lists(self, parts: Sequence[AnswerBlock]) -> Iterator[SummaryText]:
        """All lists together, in short, if each has a title or a line over it."""
        lists = [part for part in parts if part.kind == "list"]
        short = [text for part in lists if (over := self._over(part)) for text in islice(_in_short(part, over), 1)]
        if 1 < len(short) == len(lists):
            yield SummaryText(GAP.join(each.text for each in short), tuple(q for each in short for q in each.quotes))

    def _over(self, part: AnswerBlock) -> AnswerBlock | None:
        """The title right over a block, or the line that announces it or defines what its items belong to."""
        at = self.parts.index(part)
        before = self.parts[at - 1] if at else None
        if not before or before.heading != part.heading or before.kind not in ("text", "quote"):
            return None
        is_term = part.kind == "list" and len(before.text) <= SHORT_LINE and defines(before.text)
        return before if before.announces or is_title(before.text) or is_term else None

    def _is_over_list(self, part: AnswerBlock) -> bool:
        after = self._after(part)
        return after is not None and after.kind == "list" and self._over(after) is part

    def _after(self, part: AnswerBlock) -> AnswerBlock | None:
        at = self.parts.index(part) + 1
        return self.parts[at] if at < len(self.parts) and self.parts[at].heading == part.heading else None

    def _between(self, first: AnswerBlock | None, last: AnswerBlock) -> SummaryText:
        return take_whole(self.answer[(first or last).start : last.end].strip("\r\n"))


def _is_open(item: ListItem) -> bool:
    """Whether an item announces something that is not in the list, such as code below it."""
    return item.text.rstrip("*_ ").endswith(":") and not item.nested.strip()


def _in_short(part: AnswerBlock, over: AnswerBlock | None) -> Iterator[SummaryText]:
    """The list without details; its titles come with what is nested under them, or with the first of it.

    Without it only if most items say something, since a list that lacks some of its items would mislead.
    """
    items = list_items(part.text)
    above = (over.text,) if over else ()
    bare = [item for item in items if not _stands_alone(item)]
    for most in (None, 1, 0) if bare else (0,):
        shown = [(_TAIL.sub("", item.head),) if item not in bare else _with_nested(item, most) for item in items]
        lines = tuple(line for each in shown for line in each)
        if all(shown) and (most != 0 or len(bare) * 2 <= len(items)):
            yield SummaryText(GAP.join([*above, "\n".join(lines)]), (*above, *lines))


def _stands_alone(item: ListItem) -> bool:
    """Whether the first sentence of an item is all of it, or says something."""
    return (item.head == item.text and not item.nested.strip()) or says_something(item.head)


def _with_nested(item: ListItem, most: int | None) -> tuple[str, ...]:
    """A title with the first of the items nested under it, or else with the rest of its own text."""
    if most == 0:
        return (_TAIL.sub("", item.head),)
    if nested := list_heads(item.nested)[:most]:
        return (item.text, *(_TAIL.sub("", head) for head in nested))
    return (item.text,) if item.text != item.head and len(item.text) <= SHORT_PARAGRAPH else ()
