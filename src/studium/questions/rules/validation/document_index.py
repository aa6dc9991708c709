"""Named values: lines such as `Armor Class: 14`, and the cells of tables."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain

from studium.questions.rules.comparison.words import Word, guess_language, words_in
from studium.questions.rules.parsed_document import ParsedDocument, ParsedSentence, ParsedTable, strip_markdown
from studium.questions.rules.validation.question_analysis import LEXICON, search_keys, valued_words

_QUALIFIED = re.compile(rf"\s[(\[]|\s(?:{LEXICON.any_of('qualifiers')})\s", re.IGNORECASE)
_BOLD_ENTRY = re.compile(r"^[-*+•\s>]*(?:\*\*|__)(?P<key>[^*_]{1,60}?):?(?:\*\*|__):?\s*[–—-]?\s*(?P<value>\S.*)$")
_COLON_ENTRY = re.compile(r"^[-*+•\s>]*(?P<key>[^\s:.|][^:.|]{0,58}?)\s*[:：]\s*(?P<value>\S.*)$")
LONGEST_KEY = 6


@dataclass(frozen=True)
class NamedValue:
    """A named value: `Armor Class: 14`, or one cell of a table. `name` says of what kind, `of` whose it is.

    `beside` are the words of the row's other cells, `context` those of headings, caption and other columns.
    """

    value: str
    quote: str
    name: frozenset[str]
    of: frozenset[str]
    beside: frozenset[str]
    context: frozenset[str]
    heads: tuple[frozenset[str], ...] = ()

    @property
    def keys(self) -> frozenset[str]:
        """All the stems that lead to it."""
        return self.name | self.of | self.beside | self.context


def named_values_of(source: ParsedDocument, language: str) -> Iterator[NamedValue]:
    """Every value of a document that has a name."""
    yield from _entries(source, language)
    for table in source.tables:
        alone = len(table.rows) == 1 and _has_no_name(table.rows[0])
        yield from (_row_of(table, language) if alone else _cells(table, language))


def _entries(source: ParsedDocument, language: str) -> Iterator[NamedValue]:
    for sentence in source.sentences:
        for raw in sentence.quote.splitlines():
            found = _BOLD_ENTRY.match(raw) or _COLON_ENTRY.match(raw)
            if not found or len(words_in(found["key"], language)) > LONGEST_KEY:
                continue
            trail = sentence.heading.split(" > ")
            yield NamedValue(
                value=strip_markdown(found["value"]),
                quote=raw.strip(),
                name=search_keys(strip_markdown(found["key"]), language),
                of=search_keys(trail[-1], language),
                beside=frozenset(),
                context=search_keys(" ".join(trail[:-1]), language),
                heads=(head_words(strip_markdown(found["key"]), language),),
            )


def _row_of(table: ParsedTable, language: str) -> Iterator[NamedValue]:
    """The cells of a table of one row, whose owner the heading names."""
    owner = search_keys(table.heading.split(" > ")[-1], language)
    around = search_keys(f"{table.heading} {table.caption} {' '.join(table.columns)}", language) - owner
    for column, value in zip(table.columns, table.rows[0], strict=True):
        yield NamedValue(value, table.quotes[0], _name(column, language), owner, frozenset(), around)


def _cells(table: ParsedTable, language: str) -> Iterator[NamedValue]:
    around = search_keys(f"{table.heading} {table.caption} {' '.join(table.columns)}", language)
    names = [_name(column, language) for column in table.columns]
    for row, quote in zip(table.rows, table.quotes, strict=True):
        keys = [search_keys(cell, language) for cell in row]
        for at, value in enumerate(row):
            if value.strip(" -–—"):
                beside = frozenset[str]().union(*(key for other, key in enumerate(keys) if other != at))
                headers = (table.columns[at], row[0]) if at else (table.columns[0],)
                heads = tuple(head_words(header, language) for header in headers)
                yield NamedValue(value, quote, names[at], keys[0] if at else frozenset(), beside, around, heads)


def _has_no_name(row: Sequence[str]) -> bool:
    """Whether a row begins with a number: then the heading over the table says whose values they are."""
    return row[0][:1].isdigit() or row[0][:1] in "+-−"


def _name(column: str, language: str) -> frozenset[str]:
    """The stems of a column's name; of one that is made of small words (`From`, `To`), those."""
    return search_keys(column, language) or frozenset(word.key for word in words_in(column, language))


@lru_cache(maxsize=4096)
def head_words(name: str, language: str) -> frozenset[str]:
    """The first word of a name and the one that the others only qualify: `Usable capacity`, `Weight with battery`."""
    words = [word for word in valued_words(_QUALIFIED.split(name)[0], language) if word.is_content]
    return frozenset((words[0].key, words[-1].key)) if words else frozenset()


_ARTICLE, _PRONOUN = LEXICON.any_of("articles"), LEXICON.any_of("pronouns")
_POINTS_BACK = re.compile(rf"^(?:{_PRONOUN})\b", re.IGNORECASE)
_DEFINITE = re.compile(rf"^(?:(?:{_ARTICLE}) |l['’])(?P<noun>[\w'’-]+)", re.IGNORECASE)
_OWN_CLAUSE = re.compile(rf";\s(?=(?:{_ARTICLE}|{_PRONOUN}|today)\b)", re.IGNORECASE)
_RUN_IN = re.compile(r"[-*+•\s>]*?(?:\*\*\*?|__)[^*_]{2,60}?(?:\*\*\*?|__)")
_OPENING = re.compile(rf"^.{{1,80}}?(?=\s(?:{LEXICON.any_of('copulas')})\s|は)")


@dataclass(frozen=True)
class IndexedLine:
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
class IndexedList:
    """A list with the words that lead to it."""

    items: tuple[str, ...]
    quote: str
    keys: frozenset[str]
    context: frozenset[str]


@dataclass(frozen=True)
class DocumentIndex:
    """All that can be looked up in a document."""

    lines: tuple[IndexedLine, ...]
    entries: tuple[NamedValue, ...]
    lists: tuple[IndexedList, ...]
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


def index_document(source: ParsedDocument) -> DocumentIndex:
    """Prepare a document; it is kept for the questions that follow."""
    return _prepared(_ByIdentity(source))


class _ByIdentity:
    """A source known by itself, not by its content: to compare long documents would take longer than to search them."""

    def __init__(self, source: ParsedDocument) -> None:
        self.source = source

    def __hash__(self) -> int:
        return id(self.source)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and self.source is other.source


@lru_cache(maxsize=8)
def _prepared(kept: _ByIdentity) -> DocumentIndex:
    source = kept.source
    language = guess_language(" ".join(sentence.text for sentence in source.sentences[:200]))
    return DocumentIndex(
        lines=tuple(_lines(source, language)),
        entries=tuple(named_values_of(source, language)),
        lists=tuple(
            IndexedList(each.items, each.quote, search_keys(each.lead, language), search_keys(each.heading, language))
            for each in source.lists
        ),
        subject=_subject(source, language),
    )


def _subject(source: ParsedDocument, language: str) -> frozenset[str]:
    """What the whole document is about: its title, and what the first sentence begins with."""
    if not source.sentences:
        return frozenset()
    first = source.sentences[0]
    opening = _OPENING.match(first.text)
    title = first.heading.split(" > ")[0] or " ".join(each.text for each in source.sentences[:5] if each.text.isupper())
    return search_keys(f"{title} {opening[0] if opening else ''}", language)


def _lines(source: ParsedDocument, language: str) -> Iterator[IndexedLine]:
    before: list[ParsedSentence] = []
    lent: frozenset[str] = frozenset()
    label: frozenset[str] = frozenset()
    for sentence in chain.from_iterable(map(_clauses, source.sentences)):
        keys = frozenset(word.key for word in valued_words(sentence.text, language) if word.is_content)
        near = bool(before) and before[-1].heading == sentence.heading
        if not (near and _points_back(sentence.text, lent, language)):
            lent = frozenset()
        label = _label(sentence, keys, label if near else frozenset())
        over = search_keys(sentence.heading, language) | label
        yield IndexedLine(sentence.text, sentence.quote, sentence.heading, language, keys, over | lent)
        lent = lent | keys if _POINTS_BACK.match(sentence.text) else keys
        before = [sentence]


def _clauses(sentence: ParsedSentence) -> Iterator[ParsedSentence]:
    """What stands on both sides of a semicolon are two sentences, if the second has a subject of its own."""
    parts = _OWN_CLAUSE.split(sentence.text)
    yield from (ParsedSentence(part, sentence.quote, sentence.line, sentence.heading) for part in parts)


def _label(sentence: ParsedSentence, keys: frozenset[str], before: frozenset[str]) -> frozenset[str]:
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
    return bool(definite) and bool(search_keys(definite["noun"] if definite else "", language) & earlier)
