"""The sample quotes: making concepts from them, and removing those without losing anything of the user's."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from studium.concepts.commits import SINK, withdraw_commits
from studium.concepts.domain import ConceptGraph, Quote, quote_uuid
from studium.concepts.notes.vault import SINK_PREFIX
from studium.concepts.proposal import ReviewAnswer
from studium.concepts.quotes.match import match_quotes
from studium.concepts.quotes.reader import read_quotes
from studium.concepts.setup import concept_graph, concept_vault
from studium.concepts.use_cases import extract, parse, review
from studium.core.config import Settings
from studium.core.domain.decision import Change, ChangeStatus
from studium.core.samples import RemovedSamples, SampleHome, SampleResult, Samples

if TYPE_CHECKING:
    from studium.concepts.quotes.book import QuotedBook
    from studium.core.app import App
    from studium.core.database import Database
    from studium.core.domain.run import Run

_NOTES = "concepts-vault"
_IN_GRAPH = (ChangeStatus.PLANNED, ChangeStatus.APPLIED)


class QuoteSamples(Samples):
    """Two books: one whose concepts are kept as notes, one whose concepts wait for a review."""

    feature = "concepts"
    position = 4
    run_argument = "parse"
    result_folders = (_NOTES,)

    async def make(self, settings: Settings, folder: Path) -> SampleResult:
        """Extract the concepts of both books, and keep those of the first."""
        notes = folder / _NOTES
        notes.mkdir(exist_ok=True)
        settings = self.settings_to_show(settings, folder)
        files = [file.resolve() for file in sorted((folder / "samples" / "quotes").glob("*.md"))]
        kept, waiting = [book for file in files for book in (await parse(settings, file, title="", author="")).books]
        await extract(settings, waiting.book, again=False)
        outcome = await extract(settings, kept.book, again=False)
        if outcome.waiting:
            outcome = await review(settings, kept.book, lambda _: ReviewAnswer(approved=True))
        return SampleResult(self.feature, f"{outcome.kept['create']} concepts", str(notes), waiting.title)

    def settings_to_show(self, settings: Settings, folder: Path) -> Settings:
        """The settings with the sample notes as the vault."""
        own = settings.concepts.model_copy(update={"vault": (folder / _NOTES).resolve()})
        return settings.model_copy(update={"concepts": own})

    def has_user_content(self, settings: Settings, _database: "Database") -> bool:
        """Whether the graph holds anything; a graph on a server counts as full, since samples would be hidden by it."""
        if settings.concepts.neo4j.uri:
            return True
        with concept_graph(settings) as graph:
            return any(graph.counts().values())

    def owned_before(self, settings: Settings) -> set[str]:
        """The sampled books that are in the graph already, and their quotes."""
        with concept_graph(settings) as graph:
            found = [graph.find_book(book.title, book.author) for book in self.books()]
            books = [book.uuid for book in found if book]
            return {*books, *(quote.uuid for book in books for quote in graph.quotes_of(book))}

    def books(self) -> "list[QuotedBook]":
        """The books that the samples quote."""
        with self.shipped_files() as samples:
            return [book for file in sorted((samples / "quotes").iterdir()) for book in read_quotes(file).books]

    def remove(self, app: "App", home: SampleHome) -> RemovedSamples:
        """Remove the samples from the graph and from every vault."""
        with concept_graph(home.settings) as graph:
            content = _Search(home, graph, self).content()
            before = graph.counts()["Concept"]
            changed = _remove_from_graph(graph, content)
            removed = before - graph.counts()["Concept"]
            _remove_sample_notes(app, graph, home)
            _update_other_vaults(app, graph, changed)
        counts = {"quotes": len(content.quotes), "concepts": removed}
        return RemovedSamples(content.runs, content.threads, counts)


@dataclass(frozen=True)
class _SampleContent:
    """What belongs to the samples; a book only if the user added no quotes to it.

    `threads` are the books whose unfinished extraction is about the samples.
    """

    runs: "list[Run]"
    books: set[str]
    quotes: set[str]
    commits: list[Change]
    threads: set[str]


@dataclass
class _Search:
    """Finds what belongs to the samples; in doubt, it belongs to the user."""

    home: SampleHome
    graph: ConceptGraph
    samples: QuoteSamples

    def content(self) -> _SampleContent:
        quotes = {uuid for book in self.books for uuid in self._sample_quotes(book)}
        found = [
            run
            for run in self.home.runs
            if self._names_samples(run) or self._is_extracted_from_samples(run, quotes)
            if not self.home.wrote_elsewhere(run, SINK)
        ]
        ids = {run.id for run in found}
        return _SampleContent(
            runs=found,
            books=self.books - self.shared,
            quotes=quotes,
            commits=[commit for run in sorted(found, key=lambda run: run.id) for commit in self._commits(run)],
            threads=(self.books - self.shared) | {book for book, run in self._latest().items() if run in ids},
        )

    @cached_property
    def books(self) -> set[str]:
        """The books with samples: those read from sample files, and those an interrupted run may have left."""
        made = {book for run in self.home.runs if self._names_samples(run) for book in self._parsed(run)}
        found = (self.graph.find_book(book.title, book.author) for book in self._shipped)
        return made | {book.uuid for book in found if book}

    @cached_property
    def shared(self) -> set[str]:
        """The books among them that the user had before, or imported quotes into."""
        return {book for book in self.books if book in self.home.manifest.owned_before or any(self._user_imports(book))}

    @cached_property
    def _shipped(self) -> "list[QuotedBook]":
        return self.samples.books()

    def _names_samples(self, run: "Run") -> bool:
        return self.samples.names_samples(run, self.home)

    def _is_extracted_from_samples(self, run: "Run", quotes: set[str]) -> bool:
        """Whether a run extracted concepts from samples; in a shared book, only if it used nothing else."""
        book = run.arguments.get("extract")
        if book not in self.books or run.started_at < self.home.manifest.started_at:
            return False
        if book not in self.shared:
            return True
        used = self._used(run, book)
        return bool(used) and used <= quotes

    def _used(self, run: "Run", book: str) -> set[str]:
        """The quotes of the concepts that a run kept, or only proposed."""
        committed = {support["quote"] for commit in self._commits(run) for support in commit.after["supports"]}
        by_text = {quote.text: quote.uuid for quote in self.graph.quotes_of(book)}
        shown = {each.quote for decision in self.home.database.items.decisions(run.id) for each in decision.evidence}
        return committed | {by_text.get(text, text) for text in shown}

    def _latest(self) -> dict[str, str]:
        """The run that last worked on each sampled book."""
        worked = [run for run in reversed(self.home.runs) if run.arguments.get("extract") in self.books]
        return {run.arguments["extract"]: run.id for run in worked}

    def _sample_quotes(self, book: str) -> set[str]:
        """The quotes of a book that only the samples contain."""
        kept = self.graph.quotes_of(book)
        shipped = _matching([quote for read in self._shipped for quote in read.quotes], kept, book)
        imported = (self._imported_quotes(run, kept, book) for run in self._user_imports(book))
        return shipped - set(self.home.manifest.owned_before).union(*imported)

    def _imported_quotes(self, run: "Run", kept: Sequence[Quote], book: str) -> set[str]:
        """The quotes of a book that are in the user's own file; all of them, if the file has changed since."""
        file = Path(str(run.arguments["parse"]))
        unchanged = file.is_file() and file.stat().st_mtime <= run.started_at.timestamp()
        read = [quote for read in read_quotes(file).books for quote in read.quotes] if unchanged else []
        return _matching(read, kept, book) if read else {quote.uuid for quote in kept}

    def _user_imports(self, book: str) -> "Iterator[Run]":
        """Later runs that imported quotes into a book from the user's own files."""
        for run in self.home.runs:
            is_later = run.started_at >= self.home.manifest.started_at
            if is_later and not self._names_samples(run) and book in self._parsed(run):
                yield run

    def _parsed(self, run: "Run") -> set[str]:
        if "parse" not in run.arguments:
            return set()
        return {each.proposal["book"] for each in self.home.database.items.decisions(run.id) if each.proposal}

    def _commits(self, run: "Run") -> list[Change]:
        """What a run changed in the graph and was not undone."""
        changes = self.home.database.changes.of_run(run.id)
        return [change for sink, change in changes if sink == SINK and change.status in _IN_GRAPH]


def _matching(read: Sequence[Quote], kept: Sequence[Quote], book: str) -> set[str]:
    """The kept quotes that a file contains, matched as when a file is read again."""
    matched = match_quotes(read, kept, new_uuid=partial(quote_uuid, book))
    return {*matched.edited, *matched.same}


def _remove_from_graph(graph: ConceptGraph, content: _SampleContent) -> set[str]:
    """Remove concepts, quotes and books; returns the concepts that were changed."""
    changed = withdraw_commits(graph, content.commits, content.quotes)
    graph.remove_quotes(sorted(content.quotes))
    for book in content.books:
        if not graph.quotes_of(book):
            graph.remove_book(book)
    return changed


def _remove_sample_notes(app: "App", graph: ConceptGraph, home: SampleHome) -> None:
    """Remove the notes that were written beside the samples; an edited one stays."""
    published = app.database.published
    written = concept_vault(app, graph, home.manifest.folder / _NOTES)
    vault = concept_vault(app, graph, home.folder.resolve() / _NOTES)
    if vault.folder.is_dir():
        # The home may have been moved since.
        published.save(vault.sink, published.versions(written.sink) | published.versions(vault.sink))
        vault.clear()
    published.delete_sinks([written.sink, vault.sink])


def _update_other_vaults(app: "App", graph: ConceptGraph, changed: set[str]) -> None:
    """Update the notes in the user's own vaults."""
    for sink in app.database.published.sinks(SINK_PREFIX):
        vault = concept_vault(app, graph, Path(sink.removeprefix(SINK_PREFIX)))
        written = changed & app.database.published.details(sink).keys()
        if written and vault.folder.is_dir():
            vault.update_or_remove(sorted(written))


SAMPLES = QuoteSamples()
