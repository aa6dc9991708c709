"""The samples in a home: adding them to a new home, and removing them without losing anything else."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from studium.app.sample_content import (
    ARTIST,
    SONG,
    SampleContent,
    SampleManifest,
    SampleResult,
    find_sample_content,
    sample_books,
    shipped_samples,
)

if TYPE_CHECKING:
    from studium.concepts.domain import ConceptGraph
    from studium.core.app import App
    from studium.core.config import Settings
    from studium.core.database import Database

CONCEPT_NOTES = "concepts-vault"
RESULTS = ("cards.apkg", "questions.json", "words.apkg")
TUTOR_PAGE = "tutor.md"
MANIFEST = "made.json"
_SHIPPED = ("minilm", "none")
_KEPT = ("home", "database", "running", "logs", "tracing", "serve")
"""The settings that hold for the samples too."""
_OWN = ("student/*", "patterns/*", "known-words-*", "uploads/*", "packages/*")
"""Files of a person in a home, beside the database and the graph."""


@dataclass(frozen=True)
class RemovedCounts:
    """How much was removed with the samples."""

    runs: int
    quotes: int
    concepts: int


def samples_folder(settings: "Settings") -> Path:
    """The folder of the samples."""
    return settings.home / "demo"


def have_samples(folder: Path) -> bool:
    """Whether any samples are there."""
    return (folder / MANIFEST).exists()


def is_new_home(settings: "Settings", database: "Database") -> bool:
    """Whether the home was never used."""
    from studium.concepts.setup import concept_graph
    from studium.vocabulary.song_repository import SongRepository

    songs = SongRepository(database.transactions)
    # The samples' concepts go into a file of their own, and would not be seen beside those of a server.
    if settings.concepts.neo4j.uri or database.runs.count() or database.jobs.count() or songs.all():
        return False
    if any(any(settings.home.glob(kept)) for kept in _OWN):
        return False
    with concept_graph(settings) as graph:
        return not any(graph.counts().values())


def sample_settings(settings: "Settings") -> "Settings":
    """The settings for the samples: the defaults, so that no service is called, or paid, for them."""
    # Not another embedder than the person's: the first vector in a graph says how long every one must be.
    embedder = settings.embedder if settings.embedder in _SHIPPED else "none"
    kept = {name: getattr(settings, name) for name in _KEPT}
    return type(settings).model_validate({**kept, "embedder": embedder})


@contextmanager
def samples_lock(settings: "Settings") -> Iterator[None]:
    """Let no other process work on the samples meanwhile."""
    from studium.core.files import file_lock

    with file_lock(settings.home / "locks", "the samples"):
        yield


def start_samples(settings: "Settings", folder: Path) -> SampleManifest:
    """Record, once, what the person had before the samples were added: it is never removed with them."""
    from studium.concepts.setup import concept_graph
    from studium.core.app import open_database

    if have_samples(folder):
        with open_database(settings) as database:
            # Without a run there are no results, whatever the manifest says.
            return read_manifest(folder) if database.runs.count() else _made_nothing(folder)
    with concept_graph(sample_settings(settings)) as graph, shipped_samples() as samples:
        kept = [graph.find_book(book.title, book.author) for book in sample_books(samples)]
        books = [book.uuid for book in kept if book]
        hers = {*books, *(quote.uuid for book in books for quote in graph.quotes_of(book))}
    return _write(folder, SampleManifest(folder=folder.resolve(), begun=datetime.now(UTC), hers=frozenset(hers)))


def record_result(folder: Path, mark: SampleManifest, made: SampleResult) -> SampleManifest:
    """Record what a feature made, so that it is not made again."""
    return _write(folder, mark.model_copy(update={"made": (*mark.made, made)}))


def read_manifest(folder: Path) -> SampleManifest:
    """The manifest; one that cannot be read counts as older than everything else, and without results."""
    try:
        return SampleManifest.model_validate_json((folder / MANIFEST).read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return SampleManifest(folder=folder.resolve(), begun=datetime.min.replace(tzinfo=UTC))


def _made_nothing(folder: Path) -> SampleManifest:
    return _write(folder, read_manifest(folder).model_copy(update={"made": ()}))


def _write(folder: Path, mark: SampleManifest) -> SampleManifest:
    from studium.core.files import write_text

    write_text(folder / MANIFEST, mark.model_dump_json())
    return mark


async def remove_samples(settings: "Settings", folder: Path) -> RemovedCounts:
    """Remove the samples and everything made from them, and nothing else; it can be repeated if interrupted."""
    from studium.concepts.setup import concept_graph
    from studium.core.app import open_app
    from studium.core.domain.errors import NotFound
    from studium.core.domain.run import emit_progress
    from studium.vocabulary.song_repository import SongRepository

    if not have_samples(folder):
        raise NotFound("There are no samples in this home.", remedy="There is nothing to remove.")
    tell = partial(emit_progress, item="removing the samples")
    with samples_lock(settings):
        _unlink(folder, _files(folder, read_manifest(folder)))
        # If this is interrupted, a later start must not believe that all results are there.
        mark = _made_nothing(folder)
        async with open_app(settings) as app:
            with concept_graph(sample_settings(settings)) as graph:
                tell(0, 3)
                part = find_sample_content(app.database, graph, mark, folder)
                before = graph.counts()["Concept"]
                touched = _leave_graph(graph, part)
                concepts = before - graph.counts()["Concept"]
                _leave_own_vault(app, graph, folder, mark)
                _leave_other_vaults(app, graph, touched)
            tell(1, 3)
            await _forget_threads(settings, part)
            tell(2, 3)
            app.database.published.delete_sinks(sorted(part.sinks))
            SongRepository(app.database.transactions).delete(SONG, ARTIST)
            app.database.runs.delete([run.id for run in part.runs])
        _unlink(folder, [MANIFEST])
        tell(3, 3)
    return RemovedCounts(len(part.runs), len(part.quotes), concepts)


def _leave_graph(graph: "ConceptGraph", part: SampleContent) -> set[str]:
    """Remove concepts, quotes and books from the graph; returns the concepts that were changed."""
    from studium.concepts.commits import withdraw_commits

    touched = withdraw_commits(graph, part.commits, part.quotes)
    graph.remove_quotes(sorted(part.quotes))
    for book in part.books:
        if not graph.quotes_of(book):
            graph.remove_book(book)
    return touched


def _leave_own_vault(app: "App", graph: "ConceptGraph", folder: Path, mark: SampleManifest) -> None:
    """Remove the notes that were written beside the samples; an edited one stays."""
    from studium.concepts.setup import concept_vault

    database = app.database
    written = concept_vault(app, graph, mark.folder / CONCEPT_NOTES)
    vault = concept_vault(app, graph, folder.resolve() / CONCEPT_NOTES)
    if vault.folder.is_dir():
        # The home may have been moved since.
        versions = database.published.versions(written.sink) | database.published.versions(vault.sink)
        database.published.save(vault.sink, versions)
        vault.clear()
    database.published.delete_sinks([written.sink, vault.sink])


def _leave_other_vaults(app: "App", graph: "ConceptGraph", touched: set[str]) -> None:
    """Update the notes in the person's own vaults."""
    from studium.concepts.notes.vault import SINK_PREFIX
    from studium.concepts.setup import concept_vault

    for sink in app.database.published.sinks(SINK_PREFIX):
        vault = concept_vault(app, graph, Path(sink.removeprefix(SINK_PREFIX)))
        written = touched & app.database.published.details(sink).keys()
        if written and vault.folder.is_dir():
            vault.update_or_remove(sorted(written))


async def _forget_threads(settings: "Settings", part: SampleContent) -> None:
    from studium.core.runs.checkpoints import delete_threads, open_checkpoints

    async with open_checkpoints(settings.checkpoints_url, ()) as checkpoints:
        await delete_threads(checkpoints, {*part.threads, *(run.id for run in part.runs)})


def _files(folder: Path, mark: SampleManifest) -> list[str]:
    """The files of the samples and of their results, except those that were changed since."""
    with shipped_samples() as samples:
        shipped = [file.relative_to(samples) for file in samples.rglob("*") if file.is_file()]
        same = [f"samples/{name}" for name in shipped if _is_same(folder / "samples" / name, samples / name)]
    page = folder / TUTOR_PAGE
    is_ours = any(made.feature == "tutor" for made in mark.made) and page.is_file()
    unchanged = [TUTOR_PAGE] if is_ours and page.stat().st_mtime <= (folder / MANIFEST).stat().st_mtime else []
    return [*same, *unchanged, *RESULTS]


def _is_same(one: Path, other: Path) -> bool:
    return one.is_file() and one.read_bytes() == other.read_bytes()


def _unlink(folder: Path, names: Sequence[str]) -> None:
    """Remove files, and the folders that are then empty; other files stay."""
    for name in names:
        (folder / name).unlink(missing_ok=True)
    inside = sorted((each for each in folder.rglob("*") if each.is_dir()), reverse=True)
    for place in (*inside, folder):
        if not any(place.iterdir()):
            place.rmdir()
