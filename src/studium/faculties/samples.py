"""The samples in a house: whether a house is new, and how it is rid of them without losing anything else."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from studium.faculties.progress import OnProgress, counting, ignore
from studium.faculties.sampleparts import ARTIST, SONG, Made, Mark, Part, sample_books, sample_part, shipped

if TYPE_CHECKING:
    from studium.bootstrap.house import House
    from studium.domain.ports import ConceptGraph
    from studium.settings import Settings
    from studium.stores.ledger import Ledger

NOTES = "concepts-vault"
RESULTS = ("cards.apkg", "questions.json", "words.apkg", "tutor.md")
MARK = "made.json"
_OWN = ("student/*", "patterns/*", "known-words-*", "uploads/*", "packages/*")
"""What a person leaves in a home beside the ledger and the graph."""


@dataclass(frozen=True)
class Removed:
    """How much went with the samples."""

    runs: int
    quotes: int
    concepts: int


def samples_folder(settings: "Settings") -> Path:
    """Where the samples of a house lie."""
    return settings.home / "demo"


def are_there(folder: Path) -> bool:
    """Whether samples are there, or some of them."""
    return (folder / MARK).exists()


def is_new(settings: "Settings", ledger: "Ledger") -> bool:
    """Whether nothing was ever done in a house."""
    from studium.bootstrap.concepts import concept_graph

    # The samples' concepts go into a file of their own, and would not be seen beside those of a server.
    if settings.concepts.neo4j.uri or ledger.count_runs() or ledger.orders.count() or ledger.kept_songs():
        return False
    if any(any(settings.home.glob(kept)) for kept in _OWN):
        return False
    with concept_graph(settings) as graph:
        return not any(graph.counts().values())


def apart(settings: "Settings") -> "Settings":
    """The settings for the samples' concepts, which never go to a server."""
    concepts = settings.concepts
    own = concepts.model_copy(update={"neo4j": type(concepts.neo4j)()})
    return settings.model_copy(update={"concepts": own})


@contextmanager
def alone_with(settings: "Settings") -> Iterator[None]:
    """Let nobody else work on the samples meanwhile."""
    from studium.stores.lock import held

    with held(settings.home / "locks", "the samples"):
        yield


def begin(settings: "Settings", folder: Path) -> Mark:
    """Write down, once, what a person had before the samples came: it is never taken for theirs."""
    from studium.bootstrap.concepts import concept_graph

    if are_there(folder):
        return _read(folder)
    with concept_graph(apart(settings)) as graph, shipped() as samples:
        kept = [graph.find_book(book.title, book.author) for book in sample_books(samples)]
        books = [book.uuid for book in kept if book]
        hers = {*books, *(quote.uuid for book in books for quote in graph.quotes_of(book))}
    return _write(folder, Mark(folder=folder.resolve(), begun=datetime.now(UTC), hers=frozenset(hers)))


def add_made(folder: Path, mark: Mark, made: Made) -> Mark:
    """Write down what a faculty made, so that it need not be made again."""
    return _write(folder, mark.model_copy(update={"made": (*mark.made, made)}))


def _read(folder: Path) -> Mark:
    return Mark.model_validate_json((folder / MARK).read_text("utf-8"))


def _write(folder: Path, mark: Mark) -> Mark:
    from studium.stores.files import write_text

    write_text(folder / MARK, mark.model_dump_json())
    return mark


async def forget(settings: "Settings", folder: Path, *, on_progress: OnProgress = ignore) -> Removed:
    """Take the samples away with all that was made of them, and nothing else; broken off, it can be asked for again."""
    from studium.bootstrap.concepts import concept_graph
    from studium.bootstrap.house import open_house
    from studium.domain.errors import NotFound

    if not are_there(folder):
        raise NotFound("There are no samples in this house.", remedy="There is nothing to remove.")
    tell = counting("removing the samples", on_progress)
    with alone_with(settings):
        mark = _read(folder)
        async with open_house(settings) as house:
            with concept_graph(apart(settings)) as graph:
                tell(0, 3)
                part = sample_part(house.ledger, graph, mark)
                concepts = _leave_graph(house, graph, part, mark)
            tell(1, 3)
            _unlink(folder, _files(house.ledger, mark))
            await _forget_threads(settings, part)
            tell(2, 3)
            house.ledger.forgetting.sinks([*part.sinks, _notes_sink(mark)])
            house.ledger.forgetting.song(SONG, ARTIST)
            house.ledger.forgetting.runs([run.id for run in part.runs])
        _unlink(folder, [MARK])
        tell(3, 3)
    return Removed(len(part.runs), len(part.quotes), concepts)


def _leave_graph(house: "House", graph: "ConceptGraph", part: Part, mark: Mark) -> int:
    """Take concepts, quotes and books out of the graph, and notes out of the person's vault; says how many concepts."""
    from studium.running.concepts.releasing import release

    before = graph.counts()["Concept"]
    touched = release(graph, part.commits, part.quotes)
    graph.remove_quotes(sorted(part.quotes))
    for book in part.books:
        if not graph.quotes_of(book):
            graph.remove_book(book)
    _withdraw_notes(house, graph, touched, mark)
    return before - graph.counts()["Concept"]


def _withdraw_notes(house: "House", graph: "ConceptGraph", touched: Iterable[str], mark: Mark) -> None:
    """Bring the notes up to date that were written into the person's own vault, where she answered for a sample."""
    from studium.bootstrap.concepts import concept_vault

    folder = house.settings.concepts.vault
    if folder and folder.is_dir() and not folder.resolve().is_relative_to(mark.folder):
        vault = concept_vault(house, graph, folder)
        known = house.ledger.known(vault.sink)
        if written := sorted(uuid for uuid in touched if uuid in known):
            vault.withdraw(written)


async def _forget_threads(settings: "Settings", part: Part) -> None:
    from studium.running.checkpoints import forget_threads, open_checkpoints

    async with open_checkpoints(settings.checkpoints_url, ()) as checkpoints:
        await forget_threads(checkpoints, {*part.books, *(run.id for run in part.runs)})


def _notes_sink(mark: Mark) -> str:
    return f"concepts:{mark.folder / NOTES}"


def _files(ledger: "Ledger", mark: Mark) -> list[str]:
    """The files that came with the samples: as shipped, as results, and as notes."""
    with shipped() as samples:
        given = [f"samples/{file.relative_to(samples)}" for file in samples.rglob("*") if file.is_file()]
    notes = [f"{NOTES}/{about['path']}" for about in ledger.known(_notes_sink(mark)).values()]
    return [*given, *notes, *RESULTS]


def _unlink(folder: Path, names: Sequence[str]) -> None:
    """Remove files, and the folders that are empty without them; what a person put beside them stays."""
    for name in names:
        (folder / name).unlink(missing_ok=True)
    inside = sorted((each for each in folder.rglob("*") if each.is_dir()), reverse=True)
    for place in (*inside, folder):
        if not any(place.iterdir()):
            place.rmdir()
