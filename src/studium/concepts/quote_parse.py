"""From a file of quotes to a book in the graph.

read_file → make_summary → parse_quotes → get_or_create_author → write_to_db → END
"""

import asyncio
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from studium.concepts.dependencies import Dependencies
from studium.concepts.domain import Content, Person, Quote, author_uuid, book_uuid, quote_uuid
from studium.concepts.quotes.book import QuotedBook
from studium.concepts.quotes.match import match_quotes
from studium.concepts.quotes.reader import read_quotes
from studium.concepts.skills import AUTHOR, SUMMARIZE, AuthorInput, SummaryInput
from studium.concepts.state import State, StateUpdate
from studium.core.domain.errors import BadInput
from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.text.language_detection import detect_language

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SUMMARISED = 60_000
_LANGUAGE_SAMPLE = 4_000
_EMBEDDED_TOGETHER = 256


@dataclass(frozen=True)
class ParseNodes:
    """The nodes of the review."""

    deps: Dependencies

    async def read_file(self, state: State) -> StateUpdate:
        """Read the file and choose the book."""
        path = Path(state.file_path)
        reading = await asyncio.to_thread(read_quotes, path)
        if not reading.books:
            raise BadInput("; ".join(str(finding) for finding in reading.findings) or f"{path} holds no quotes.")
        book = choose_book(reading.books, state.title, path)
        title = state.title or book.title or path.stem
        author = state.author or book.author
        findings = [*reading.findings, *([] if author else [_no_author(path)])]
        kept = await asyncio.to_thread(self._kept, title, author)
        language = await asyncio.to_thread(detect_language, _sample(book.quotes))
        return {
            "file_content": book.text,
            "title": title,
            "author": author,
            "book": kept or Content(uuid=book_uuid(title, author), name=title, title=title, author=author),
            "quotes": list(book.quotes),
            "language": language.code,
            "findings": findings,
        }

    async def make_summary(self, state: State) -> StateUpdate:
        """Summarise the book in about 100 words and in about 30."""
        given = SummaryInput(
            title=state.title,
            author=state.author,
            text=(state.file_content or "")[:_SUMMARISED],
            language=state.language,
        )
        answer = await self.deps.model.answer(SUMMARIZE, given)
        if answer.output is None:
            return {"summary": "", "summary_short": "", "findings": list(answer.findings)}
        told = answer.output
        return {"summary": told.summary, "summary_short": told.summary_short, "findings": list(answer.findings)}

    async def parse_quotes(self, state: State) -> StateUpdate:
        """Give each quote its id: the one it is stored under, or a new one."""
        if state.book is None or state.quotes is None:
            return {}
        book = state.book.uuid
        kept = await asyncio.to_thread(self.deps.graph.quotes_of, book)
        matched = match_quotes(state.quotes, kept, new_uuid=partial(quote_uuid, book))
        sections = list(dict.fromkeys(quote.section for quote in matched.quotes if quote.section))
        return {
            "quotes": list(matched.quotes),
            "sections": sections,
            "added": list(matched.added),
            "edited": list(matched.edited),
        }

    async def get_or_create_author(self, state: State) -> StateUpdate:
        """Find or create the author, with what an encyclopedia says if online lookup is enabled."""
        if not state.author:
            return {}
        kept = await asyncio.to_thread(self.deps.graph.find_author, state.author)
        person = kept or Person(uuid=author_uuid(state.author), name=state.author)
        if person.summary:
            return {"parsed_author": person}
        language = state.language if state.language != "und" else "en"
        pages, findings = await asyncio.to_thread(self.deps.author_lookup, state.author, language)
        if not pages:
            return {"parsed_author": person, "findings": list(findings)}
        given = AuthorInput(name=state.author, title=state.title, language=language, pages=pages)
        answer = await self.deps.model.answer(AUTHOR, given)
        told = {name: value for name, value in (answer.output or person) if value and name in _TOLD}
        return {"parsed_author": person.model_copy(update=told), "findings": [*findings, *answer.findings]}

    async def write_to_db(self, state: State) -> StateUpdate:
        """Save the book, its author, and its quotes with their vectors."""
        if state.book is None or state.quotes is None:
            return {}
        told = {"summary": state.summary, "summary_short": state.summary_short}
        book = state.book.model_copy(update={name: text for name, text in told.items() if text})
        now = self.deps.now().isoformat()
        quotes = [quote if quote.created_at else quote.model_copy(update={"created_at": now}) for quote in state.quotes]
        vectors = await self._vectors(quotes, {*state.added, *state.edited})
        await asyncio.to_thread(self.deps.graph.save_book, book, state.parsed_author, quotes, vectors)
        return {"book": book, "quotes": quotes}

    def _kept(self, title: str, author: str) -> Content | None:
        """The stored book; one that was saved before its author was known is the same book."""
        graph = self.deps.graph
        found = graph.find_book(title, author)
        nameless = graph.find_book(title) if author and not found else None
        if nameless and not nameless.author:
            return nameless.model_copy(update={"author": author})
        return found

    async def _vectors(self, quotes: list[Quote], changed: set[str]) -> "dict[str, NDArray[np.float32]]":
        """Vectors of the quotes that are new or whose text has changed."""
        known = await asyncio.to_thread(self.deps.graph.vectors_of, [quote.uuid for quote in quotes])
        wanted = [quote for quote in quotes if quote.uuid in changed or quote.uuid not in known]
        found: dict[str, NDArray[np.float32]] = {}
        for start in range(0, len(wanted), _EMBEDDED_TOGETHER):
            part = wanted[start : start + _EMBEDDED_TOGETHER]
            vectors = await self.deps.vectors([quote.text for quote in part])
            if vectors is None:
                return {}
            found |= zip((quote.uuid for quote in part), vectors, strict=True)
        return found


_TOLD = ("occupation", "summary", "summary_short")


def choose_book(books: tuple[QuotedBook, ...], title: str, path: Path) -> QuotedBook:
    """The book with this title; the only book of a file is meant whatever it is called."""
    if len(books) == 1:
        return books[0]
    named = [book for book in books if book.title.casefold() == title.casefold()]
    if named:
        return named[0]
    listed = "\n".join(f"- {book.title} ({len(book.quotes)} quotes)" for book in books)
    what = f"{path} holds no book “{title}”." if title else f"{path} holds {len(books)} books."
    raise BadInput(f"{what} It holds:\n{listed}", remedy="Name one of them with --title.")


def create_quote_parse_graph(deps: Dependencies) -> CompiledStateGraph[State, None, State, State]:
    """The compiled graph for one book of one file."""
    steps = ParseNodes(deps)
    nodes = (
        ("read_file", steps.read_file),
        ("make_summary", steps.make_summary),
        ("parse_quotes", steps.parse_quotes),
        ("get_or_create_author", steps.get_or_create_author),
        ("write_to_db", steps.write_to_db),
    )
    graph = StateGraph(State)
    before = START
    for name, node in nodes:
        graph.add_node(name, node)
        graph.add_edge(before, name)
        before = name
    graph.add_edge(before, END)
    return graph.compile(name="quote_parse")


def _sample(quotes: tuple[Quote, ...]) -> str:
    text = ""
    for quote in quotes:
        text += quote.text + "\n"
        if len(text) > _LANGUAGE_SAMPLE:
            break
    return text


def _no_author(path: Path) -> Finding:
    message = "The file does not say who wrote the book. Name the author with --author."
    where = Locator(path=str(path))
    return Finding(code="quotes.no_author", severity=Severity.WARNING, message=message, where=where)
