"""Named values: lines such as `Armor Class: 14`, and the cells of tables."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from studium.workflows.questions.answering.keys import keys_of, valued_words
from studium.workflows.questions.answering.kinds import WORDS
from studium.workflows.questions.comparing.words import words_in
from studium.workflows.questions.source import Source, Table, plain

_QUALIFIED = re.compile(rf"\s[(\[]|\s(?:{WORDS.any_of('qualifiers')})\s", re.IGNORECASE)
_BOLD_ENTRY = re.compile(r"^[-*+•\s>]*(?:\*\*|__)(?P<key>[^*_]{1,60}?):?(?:\*\*|__):?\s*[–—-]?\s*(?P<value>\S.*)$")
_COLON_ENTRY = re.compile(r"^[-*+•\s>]*(?P<key>[^\s:.|][^:.|]{0,58}?)\s*[:：]\s*(?P<value>\S.*)$")
LONGEST_KEY = 6


@dataclass(frozen=True)
class Entry:
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


def values_of(source: Source, language: str) -> Iterator[Entry]:
    """Every value of a document that has a name."""
    yield from _entries(source, language)
    for table in source.tables:
        alone = len(table.rows) == 1 and _has_no_name(table.rows[0])
        yield from (_row_of(table, language) if alone else _cells(table, language))


def _entries(source: Source, language: str) -> Iterator[Entry]:
    for sentence in source.sentences:
        for raw in sentence.quote.splitlines():
            found = _BOLD_ENTRY.match(raw) or _COLON_ENTRY.match(raw)
            if not found or len(words_in(found["key"], language)) > LONGEST_KEY:
                continue
            trail = sentence.heading.split(" > ")
            yield Entry(
                value=plain(found["value"]),
                quote=raw.strip(),
                name=keys_of(plain(found["key"]), language),
                of=keys_of(trail[-1], language),
                beside=frozenset(),
                context=keys_of(" ".join(trail[:-1]), language),
                heads=(heads_of(plain(found["key"]), language),),
            )


def _row_of(table: Table, language: str) -> Iterator[Entry]:
    """The cells of a table of one row, whose owner the heading names."""
    owner = keys_of(table.heading.split(" > ")[-1], language)
    around = keys_of(f"{table.heading} {table.caption} {' '.join(table.columns)}", language) - owner
    for column, value in zip(table.columns, table.rows[0], strict=True):
        yield Entry(value, table.quotes[0], _name(column, language), owner, frozenset(), around)


def _cells(table: Table, language: str) -> Iterator[Entry]:
    around = keys_of(f"{table.heading} {table.caption} {' '.join(table.columns)}", language)
    names = [_name(column, language) for column in table.columns]
    for row, quote in zip(table.rows, table.quotes, strict=True):
        keys = [keys_of(cell, language) for cell in row]
        for at, value in enumerate(row):
            if value.strip(" -–—"):
                beside = frozenset[str]().union(*(key for other, key in enumerate(keys) if other != at))
                headers = (table.columns[at], row[0]) if at else (table.columns[0],)
                heads = tuple(heads_of(header, language) for header in headers)
                yield Entry(value, quote, names[at], keys[0] if at else frozenset(), beside, around, heads)


def _has_no_name(row: Sequence[str]) -> bool:
    """Whether a row begins with a number: then the heading over the table says whose values they are."""
    return row[0][:1].isdigit() or row[0][:1] in "+-−"


def _name(column: str, language: str) -> frozenset[str]:
    """The stems of a column's name; of one that is made of small words (`From`, `To`), those."""
    return keys_of(column, language) or frozenset(word.key for word in words_in(column, language))


@lru_cache(maxsize=4096)
def heads_of(name: str, language: str) -> frozenset[str]:
    """The first word of a name and the one that the others only qualify: `Usable capacity`, `Weight with battery`."""
    words = [word for word in valued_words(_QUALIFIED.split(name)[0], language) if word.telling]
    return frozenset((words[0].key, words[-1].key)) if words else frozenset()
