"""A document prepared for looking up: every sentence, entry, table row and list by its words and its context."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain

from studium.workflows.questions.answering.keys import keys_of, valued_words
from studium.workflows.questions.answering.kinds import WORDS
from studium.workflows.questions.answering.values import Entry, values_of
from studium.workflows.questions.comparing.language import language_of
from studium.workflows.questions.comparing.words import Word
from studium.workflows.questions.source import Sentence, Source

_ARTICLE, _PRONOUN = WORDS.any_of("articles"), WORDS.any_of("pronouns")
_POINTS_BACK = re.compile(rf"^(?:{_PRONOUN})\b", re.IGNORECASE)
_DEFINITE = re.compile(rf"^(?:(?:{_ARTICLE}) |l['’])(?P<noun>[\w'’-]+)", re.IGNORECASE)
_OWN_CLAUSE = re.compile(rf";\s(?=(?:{_ARTICLE}|{_PRONOUN}|today)\b)", re.IGNORECASE)
_RUN_IN = re.compile(r"[-*+•\s>]*?(?:\*\*\*?|__)[^*_]{2,60}?(?:\*\*\*?|__)")
_OPENING = re.compile(rf"^.{{1,80}}?(?=\s(?:{WORDS.any_of('copulas')})\s|は)")


@dataclass(frozen=True)
class Line:
    """A sentence with its words, and the words that its headings and what it points back to lend it."""

    text: str
    quote: str
    heading: str
    language: str
    keys: frozenset[str]
    context: frozenset[str]

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """Its words; they are read again when needed, since few lines are ever looked at."""
        return tuple(valued_words(self.text, self.language))


@dataclass(frozen=True)
class Items:
    """A list with the words that lead to it."""

    items: tuple[str, ...]
    quote: str
    keys: frozenset[str]
    context: frozenset[str]


@dataclass(frozen=True)
class Reading:
    """All that can be looked up in a document."""

    lines: tuple[Line, ...]
    entries: tuple[Entry, ...]
    lists: tuple[Items, ...]
    subject: frozenset[str]

    @cached_property
    def places(self) -> dict[str, set[int]]:
        """Which lines a stem stands in, or in what they stand under."""
        found: dict[str, set[int]] = defaultdict(set)
        for place, line in enumerate(self.lines):
            for key in line.keys | line.context:
                found[key].add(place)
        return dict(found)

    @cached_property
    def entry_places(self) -> dict[str, set[int]]:
        """Which entries a stem names."""
        found: dict[str, set[int]] = defaultdict(set)
        for place, entry in enumerate(self.entries):
            for key in entry.keys:
                found[key].add(place)
        return dict(found)

    @cached_property
    def vocabulary(self) -> dict[str, list[str]]:
        """The stems of the document by their first letters."""
        found: dict[str, list[str]] = defaultdict(list)
        listed = frozenset[str]().union(*(each.keys | each.context for each in self.lists))
        for key in self.places.keys() | self.entry_places.keys() | listed:
            found[key[:5]].append(key)
        return dict(found)


def read(source: Source) -> Reading:
    """Prepare a document; it is kept for the questions that follow."""
    return _prepared(_Kept(source))


class _Kept:
    """A source known by itself, not by its content: to compare long documents would take longer than to search them."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def __hash__(self) -> int:
        return id(self.source)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Kept) and self.source is other.source


@lru_cache(maxsize=8)
def _prepared(kept: _Kept) -> Reading:
    source = kept.source
    language = language_of(" ".join(sentence.text for sentence in source.sentences[:200]))
    return Reading(
        lines=tuple(_lines(source, language)),
        entries=tuple(values_of(source, language)),
        lists=tuple(
            Items(each.items, each.quote, keys_of(each.lead, language), keys_of(each.heading, language))
            for each in source.lists
        ),
        subject=_subject(source, language),
    )


def _subject(source: Source, language: str) -> frozenset[str]:
    """What the whole document is about: its title, and what the first sentence begins with."""
    if not source.sentences:
        return frozenset()
    first = source.sentences[0]
    opening = _OPENING.match(first.text)
    title = first.heading.split(" > ")[0] or " ".join(each.text for each in source.sentences[:5] if each.text.isupper())
    return keys_of(f"{title} {opening[0] if opening else ''}", language)


def _lines(source: Source, language: str) -> Iterator[Line]:
    before: list[Sentence] = []
    lent: frozenset[str] = frozenset()
    label: frozenset[str] = frozenset()
    for sentence in chain.from_iterable(map(_clauses, source.sentences)):
        keys = frozenset(word.key for word in valued_words(sentence.text, language) if word.telling)
        near = bool(before) and before[-1].heading == sentence.heading
        if not (near and _points_back(sentence.text, lent, language)):
            lent = frozenset()
        label = _label(sentence, keys, label if near else frozenset())
        over = keys_of(sentence.heading, language) | label
        yield Line(sentence.text, sentence.quote, sentence.heading, language, keys, over | lent)
        lent = lent | keys if _POINTS_BACK.match(sentence.text) else keys
        before = [sentence]


def _clauses(sentence: Sentence) -> Iterator[Sentence]:
    """What stands on both sides of a semicolon are two sentences, if the second has a subject of its own."""
    parts = _OWN_CLAUSE.split(sentence.text)
    yield from (Sentence(part, sentence.quote, sentence.line, sentence.heading) for part in parts)


def _label(sentence: Sentence, keys: frozenset[str], before: frozenset[str]) -> frozenset[str]:
    """The words of the run-in heading that a paragraph begins with: `**Oil Reserve.** The lantern burns …`."""
    marked = _RUN_IN.match(sentence.quote)
    if not marked:
        return before
    return keys if marked.end() == len(sentence.quote) else frozenset()


def _points_back(text: str, earlier: frozenset[str], language: str) -> bool:
    """Whether a sentence goes on about what was said before: `It …`, or `The fair …` after the Lantern Fair."""
    if _POINTS_BACK.match(text):
        return True
    definite = _DEFINITE.match(text)
    return bool(definite) and bool(keys_of(definite["noun"] if definite else "", language) & earlier)
