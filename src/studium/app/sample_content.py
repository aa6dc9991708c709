"""Finds what belongs to the samples: runs, books, quotes, commits and sinks."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studium.core.domain.change import Change, ChangeStatus
from studium.core.domain.value import Value

if TYPE_CHECKING:
    from studium.concepts.domain import ConceptGraph, Quote
    from studium.concepts.quotes.book import QuotedBook
    from studium.core.database import Database
    from studium.core.domain.run import Run

SONG, ARTIST = "夜空の道", "Studium"
NOTHING = "nothing"
_EVERY = 1_000_000
_STANDING = (ChangeStatus.PLANNED, ChangeStatus.APPLIED)
_NAMED_BY = ("vault", "root", "parse", "learn")
"""The run arguments that name the files of a run."""


@dataclass(frozen=True)
class SampleResult:
    """What a feature made of the samples."""

    feature: str
    made: str
    where: str
    waits: str = NOTHING
    left_out: str = NOTHING


class SampleManifest(Value):
    """What is recorded about samples: where and when they were added, and what was made so far."""

    folder: Path
    begun: datetime
    hers: frozenset[str] = frozenset()
    """The sampled books, and their quotes, that the person had before."""
    made: tuple[SampleResult, ...] = ()


@dataclass(frozen=True)
class SampleContent:
    """What belongs to the samples; a book only if the person added no quotes to it.

    `threads` are the books whose unfinished work is about the samples.
    """

    runs: "list[Run]"
    books: set[str]
    quotes: set[str]
    commits: list[Change]
    sinks: set[str]
    threads: set[str]


@contextmanager
def shipped_samples() -> Iterator[Path]:
    """The folder of the shipped samples."""
    with as_file(files("studium") / "app" / "sample_files") as folder:
        yield folder


def find_sample_content(
    database: "Database", graph: "ConceptGraph", mark: SampleManifest, folder: Path
) -> SampleContent:
    """Find what belongs to the samples in this folder; in doubt, it belongs to the person."""
    return _Search(database, graph, mark, folder.resolve()).part()


def sample_books(samples: Path) -> "list[QuotedBook]":
    """The books that the samples quote."""
    from studium.concepts.quotes.reader import read_quotes

    return [book for file in sorted((samples / "quotes").iterdir()) for book in read_quotes(file).books]


@dataclass
class _Search:
    """One search through the home."""

    database: "Database"
    graph: "ConceptGraph"
    mark: SampleManifest
    folder: Path

    def part(self) -> SampleContent:
        quotes = {uuid for book in self.books for uuid in self._sample_quotes(book)}
        named = [run for run in self.runs if self._names_samples(run.arguments)]
        drawn = [run for run in self.runs if self._is_drawn_from_samples(run, quotes)]
        found = [run for run in (*named, *drawn) if not self._wrote_elsewhere(run)]
        going = {run.id for run in found}
        staying = {run.arguments.get("sink") for run in self.runs if run.id not in going}
        return SampleContent(
            runs=found,
            books=self.books - self.shared,
            quotes=quotes,
            commits=[commit for run in sorted(found, key=lambda run: run.id) for commit in self._commits(run)],
            sinks={run.arguments["sink"] for run in found if "sink" in run.arguments} - staying,
            threads=(self.books - self.shared) | {book for book, run in self._latest().items() if run in going},
        )

    @cached_property
    def runs(self) -> "list[Run]":
        return self.database.runs.newest(limit=_EVERY)

    @cached_property
    def books(self) -> set[str]:
        """The books that hold samples: those that runs made of sample files, and those a broken run may have left."""
        made = {book for run in self.runs if self._names_samples(run.arguments) for book in self._parsed(run)}
        found = (self.graph.find_book(book.title, book.author) for book in self._read)
        return made | {book.uuid for book in found if book}

    @cached_property
    def shared(self) -> set[str]:
        """The books among them that were a person's before, or that she imported quotes into."""
        return {book for book in self.books if book in self.mark.hers or any(self._brought_to(book))}

    @cached_property
    def _read(self) -> "list[QuotedBook]":
        with shipped_samples() as samples:
            return sample_books(samples)

    def _names_samples(self, arguments: dict[str, Any]) -> bool:
        if (arguments.get("song"), arguments.get("artist")) == (SONG, ARTIST):
            return True
        named = [Path(str(arguments[name])) for name in _NAMED_BY if arguments.get(name)]
        # The home may have been moved since, and used in its new place.
        roots = (self.mark.folder / "samples", self.folder / "samples")
        return any(file.is_relative_to(root) for file in named for root in roots)

    def _is_drawn_from_samples(self, run: "Run", quotes: set[str]) -> bool:
        """Whether a run drew concepts from samples; in a book that is shared, only where it used nothing else."""
        book = run.arguments.get("extract")
        if book not in self.books or run.started_at < self.mark.begun:
            return False
        if book not in self.shared:
            return True
        used = self._used(run, book)
        return bool(used) and used <= quotes

    def _used(self, run: "Run", book: str) -> set[str]:
        """The quotes that a run kept concepts of, or only proposed some of."""
        committed = {support["quote"] for commit in self._commits(run) for support in commit.after["supports"]}
        by_text = {quote.text: quote.uuid for quote in self.graph.quotes_of(book)}
        shown = {each.quote for decision in self.database.items.decisions(run.id) for each in decision.evidence}
        return committed | {by_text.get(text, text) for text in shown}

    def _latest(self) -> dict[str, str]:
        """The run that last worked on each sampled book."""
        worked = [run for run in reversed(self.runs) if run.arguments.get("extract") in self.books]
        return {run.arguments["extract"]: run.id for run in worked}

    def _sample_quotes(self, book: str) -> set[str]:
        """The quotes of a book that only the samples contain."""
        kept = self.graph.quotes_of(book)
        ours = _held([quote for read in self._read for quote in read.quotes], kept, book)
        hers = set(self.mark.hers).union(*(self._hers(run, kept, book) for run in self._brought_to(book)))
        return ours - hers

    def _hers(self, run: "Run", kept: "Sequence[Quote]", book: str) -> set[str]:
        """The quotes of a book that stand in a person's own file; all of them, if it is not as it was any more."""
        from studium.concepts.quotes.reader import read_quotes

        file = Path(str(run.arguments["parse"]))
        unchanged = file.is_file() and file.stat().st_mtime <= run.started_at.timestamp()
        read = [quote for read in read_quotes(file).books for quote in read.quotes] if unchanged else []
        return _held(read, kept, book) if read else {quote.uuid for quote in kept}

    def _brought_to(self, book: str) -> "Iterator[Run]":
        """Later runs that imported quotes into a book from a person's own files."""
        for run in self.runs:
            is_later = run.started_at >= self.mark.begun
            if is_later and not self._names_samples(run.arguments) and book in self._parsed(run):
                yield run

    def _parsed(self, run: "Run") -> set[str]:
        if "parse" not in run.arguments:
            return set()
        return {each.proposal["book"] for each in self.database.items.decisions(run.id) if each.proposal}

    def _commits(self, run: "Run") -> list[Change]:
        """What a run changed in the graph, if that was not taken back."""
        from studium.concepts.commits import SINK

        changes = self.database.changes.of_run(run.id)
        return [change for sink, change in changes if sink == SINK and change.status in _STANDING]

    def _wrote_elsewhere(self, run: "Run") -> bool:
        """Whether a run changed what is not Studium's own, as Anki: it stays, so that it can be undone."""
        from studium.concepts.commits import SINK

        return any(sink != SINK for sink, _ in self.database.changes.of_run(run.id))


def _held(read: "Sequence[Quote]", kept: "Sequence[Quote]", book: str) -> set[str]:
    """The kept quotes that a file holds, told as they are told when a file is read again."""
    from studium.concepts.domain import quote_uuid
    from studium.concepts.quotes.match import match_quotes

    matched = match_quotes(read, kept, new_uuid=partial(quote_uuid, book))
    return {*matched.edited, *matched.same}
