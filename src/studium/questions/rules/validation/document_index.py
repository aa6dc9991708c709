"""Index a document for the validator: its lines, named values (`Armor Class: 14`, table cells) and lists by stem."""

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
    """A named value, such as `Armor Class: 14` or a table cell: `name` is what it is, `of` whose it is.

    `beside` are the stems of the row's other cells, `context` those of headings, caption and other columns.
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
        """All stems by which it can be found."""
        return self.name | self.of | self.beside | self.context


def named_values_of(source: ParsedDocument, language: str) -> Iterator[NamedValue]:
    """All named values of a document."""
    yield from _entries(source, language)
    for table in source.tables:
        alone = len(table.rows) == 1 and _has_no_name(table.rows[0])
        yield from (_row_of(table, language) if alone else _cells(table, language))


def _entries(source: ParsedDocument, language: str) -> Iterator[NamedValue]:
    leads = {item: each.lead for each in source.lists for item in each.items}
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
                context=search_keys(" ".join((*trail[:-1], leads.get(sentence.text, ""))), language),
                heads=(head_words(strip_markdown(found["key"]), language),),
            )


def _row_of(table: ParsedTable, language: str) -> Iterator[NamedValue]:
    """The cells of a table with one row; the heading names their owner."""
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
    """Whether a row starts with a number, so that the heading names the owner of its values."""
    return row[0][:1].isdigit() or row[0][:1] in "+-−"


def _name(column: str, language: str) -> frozenset[str]:
    """The stems of a column's name; function words too if it has no others (`From`, `To`)."""
    return search_keys(column, language) or frozenset(word.key for word in words_in(column, language))


@lru_cache(maxsize=4096)
def head_words(name: str, language: str) -> frozenset[str]:
    """The first word of a name and its main noun: `Usable capacity`, `Weight with battery`."""
    words = [word for word in valued_words(_QUALIFIED.split(name)[0], language) if word.is_content]
    return frozenset((words[0].key, words[-1].key)) if words else frozenset()


_ARTICLE, _PRONOUN = LEXICON.any_of("articles"), LEXICON.any_of("pronouns")
_POINTS_BACK = re.compile(rf"^(?:{_PRONOUN})\b", re.IGNORECASE)
_DEFINITE = re.compile(rf"^(?:(?:{_ARTICLE}) |l['’])(?P<noun>[\w'’-]+)", re.IGNORECASE)
_OWN_CLAUSE = re.compile(rf";\s(?=(?:{_ARTICLE}|{_PRONOUN}|today)\b)", re.IGNORECASE)
# `lsmod(8)`, `[https://…]`, `^[1]`: what no reader reads aloud.
_NOTES = re.compile(r"(?<=[a-z])\(\d[a-z]?\)|\s*\[https?://[^\]\s]*\]|\s*\(https?://[^)\s]*\)|\^?\[\d{1,3}\]")
_RUN_IN = re.compile(r"[-*+•\s>]*?(?:\*\*\*?|__)[^*_]{2,60}?(?:\*\*\*?|__)")
_OPENING = re.compile(rf"^.{{1,80}}?(?=\s(?:{LEXICON.any_of('copulas')})\s|は)")


@dataclass(frozen=True)
class IndexedLine:
    """A sentence with its stems, and those inherited from headings and from what its pronoun refers to."""

    text: str
    quote: str
    heading: str
    language: str
    keys: frozenset[str]
    inherited_keys: frozenset[str]

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """Its words, parsed on demand since few lines are ever needed."""
        return tuple(valued_words(self.text, self.language))


@dataclass(frozen=True)
class IndexedList:
    """A list with the stems by which it is found."""

    items: tuple[str, ...]
    quote: str
    keys: frozenset[str]
    context: frozenset[str]


@dataclass(frozen=True)
class DocumentIndex:
    """The lines, named values and lists of a document, by stem."""

    lines: tuple[IndexedLine, ...]
    entries: tuple[NamedValue, ...]
    lists: tuple[IndexedList, ...]
    subject: frozenset[str]

    @cached_property
    def places(self) -> dict[str, set[int]]:
        """The lines that have a stem, themselves or in their context."""
        found: dict[str, set[int]] = defaultdict(set)
        for place, line in enumerate(self.lines):
            for key in line.keys | line.inherited_keys:
                found[key].add(place)
        return dict(found)

    @cached_property
    def own_places(self) -> dict[str, set[int]]:
        """The lines that have a stem themselves."""
        found: dict[str, set[int]] = defaultdict(set)
        for place, line in enumerate(self.lines):
            for key in line.keys:
                found[key].add(place)
        return dict(found)

    @cached_property
    def entry_places(self) -> dict[str, set[int]]:
        """The named values that have a stem."""
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
    """Index a document; the last few are cached."""
    return _build_index(_ByIdentity(source))


class _ByIdentity:
    """A cache key by identity: comparing long documents takes longer than searching them."""

    def __init__(self, source: ParsedDocument) -> None:
        self.source = source

    def __hash__(self) -> int:
        return id(self.source)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and self.source is other.source


@lru_cache(maxsize=8)
def _build_index(key: _ByIdentity) -> DocumentIndex:
    source = key.source
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
    """The topic of the whole document: its title, and the start of its first sentence."""
    if not source.sentences:
        return frozenset()
    first = source.sentences[0]
    opening = _OPENING.match(first.text)
    title = first.heading.split(" > ")[0] or " ".join(each.text for each in source.sentences[:5] if each.text.isupper())
    return search_keys(f"{title} {opening[0] if opening else ''}", language)


def _lines(source: ParsedDocument, language: str) -> Iterator[IndexedLine]:
    before: list[ParsedSentence] = []
    inherited: frozenset[str] = frozenset()
    label: frozenset[str] = frozenset()
    for sentence in chain.from_iterable(map(_clauses, source.sentences)):
        keys = frozenset(word.key for word in valued_words(sentence.text, language) if word.is_content)
        near = bool(before) and before[-1].heading == sentence.heading
        if not (near and _points_back(sentence.text, inherited, language)):
            inherited = frozenset()
        label = _label(sentence, keys, label if near else frozenset())
        over = search_keys(sentence.heading, language) | label
        yield IndexedLine(sentence.text, sentence.quote, sentence.heading, language, keys, over | inherited)
        inherited = inherited | keys if _POINTS_BACK.match(sentence.text) else keys
        before = [sentence]


def _clauses(sentence: ParsedSentence) -> Iterator[ParsedSentence]:
    """Split a sentence at a semicolon if the second part has its own subject."""
    parts = _OWN_CLAUSE.split(_NOTES.sub("", sentence.text))
    yield from (ParsedSentence(part, sentence.quote, sentence.line, sentence.heading) for part in parts)


def _label(sentence: ParsedSentence, keys: frozenset[str], before: frozenset[str]) -> frozenset[str]:
    """The stems of a paragraph's run-in heading: `**Oil Reserve.** The lantern burns …`."""
    marked = _RUN_IN.match(sentence.quote)
    if not marked:
        return before
    return keys if marked.end() == len(sentence.quote) else frozenset()


def _points_back(text: str, earlier: frozenset[str], language: str) -> bool:
    """Whether a sentence refers to the one before: `It …`, or `The fair …` after the Lantern Fair."""
    if _POINTS_BACK.match(text):
        return True
    definite = _DEFINITE.match(text)
    return bool(definite) and bool(search_keys(definite["noun"] if definite else "", language) & earlier)
