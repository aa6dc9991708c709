"""A book and its quotes as read from a file."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from studium.concepts.domain import Quote


@dataclass(frozen=True)
class QuotedBook:
    """A book, its quotes, and the text to summarise it from."""

    title: str
    author: str
    quotes: tuple[Quote, ...]
    text: str


@dataclass
class DraftQuote:
    """A quote that is still being read: its page or its note may follow."""

    text: str
    line: int
    section: str = ""
    place: str = ""
    note: str = ""

    def add_note(self, words: str) -> None:
        """Add the reader's note to the quote."""
        self.note = f"{self.note}\n\n{words}" if self.note else words

    def quote(self) -> Quote:
        """The quote as it is stored."""
        return Quote(
            text=self.text, section=self.section, page_reference=self.place, note=self.note.strip(), line=self.line
        )


class LineRemark(NamedTuple):
    """A finding about one line of the source."""

    code: str
    message: str
    line: int | None = None


@dataclass
class DraftBook:
    """A book that is still being read."""

    title: str = ""
    author: str = ""
    drafts: list[DraftQuote] = field(default_factory=list)
    text: str = ""
    remarks: list[LineRemark] = field(default_factory=list)

    def book(self) -> QuotedBook:
        """The book as it is stored; one without a text of its own is summarised from its quotes."""
        quotes = tuple(draft.quote() for draft in self.drafts if draft.text)
        return QuotedBook(self.title, self.author, quotes, self.text or quotes_as_text(self.title, quotes))


def quotes_as_text(title: str, quotes: Iterable[Quote]) -> str:
    """Quotes under their sections, as one reads them."""
    parts, section = [title], ""
    for quote in quotes:
        if quote.section != section:
            section = quote.section
            parts.append(section)
        parts.append(quote.text)
    return "\n\n".join(part for part in parts if part)
