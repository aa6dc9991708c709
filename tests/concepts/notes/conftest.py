"""A concept graph, a database, and an Obsidian vault."""

import contextlib
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from studium.concepts.domain import Concept, Content, GraphCommit, Quote, Relation, RelationType, Support
from studium.concepts.graph_store.sqlite import SqliteConceptGraph
from studium.concepts.notes.vault import ConceptVault
from studium.core.database import Database
from studium.core.documents.vault import Vault

BOOK = Content(uuid="b1", name="Pensar rápido", title="Pensar rápido", author="Daniel Kahneman")


@dataclass
class Workspace:
    """The graph, the database, and the folder of notes."""

    publisher: ConceptVault

    @property
    def folder(self) -> Path:
        return self.publisher.folder

    def keep(self, *concepts, relations=(), supports=(), removed=()):
        self.publisher.graph.commit(
            GraphCommit(concepts=concepts, relations=tuple(relations), supports=tuple(supports), removed=tuple(removed))
        )

    def publish(self, *concepts, **options):
        return replace(self.publisher, **options).publish(concepts or None)

    def names(self):
        return sorted(path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*.md"))

    def read(self, name):
        return (self.folder / name).read_bytes().decode()

    def edit(self, name, old, new):
        text = self.read(name)
        assert old in text, text
        (self.folder / name).write_bytes(text.replace(old, new, 1).encode())

    def states(self):
        return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in self.folder.rglob("*")}

    def resolve(self, link, note):
        return Vault.of(self.folder, "vault").resolve(link, note)


@pytest.fixture
def graph(tmp_path):
    with contextlib.closing(SqliteConceptGraph(tmp_path / "graph.db")) as opened:
        opened.save_book(
            BOOK,
            None,
            [
                Quote(uuid="q1", text="Lo que ves es todo lo que hay.", section="Sesgos", page_reference="85"),
                Quote(uuid="q2", text="Toda cifra ancla.\n\nTambién al azar.", page_reference="p. 12", note="¡Sí!"),
                Quote(uuid="q3", text="El hábito ancla.", page_reference="loc. 345"),
            ],
            {},
        )
        yield opened


@pytest.fixture(scope="session")
def blank_database(tmp_path_factory):
    """An empty database; copying it is quicker than making one."""
    path = tmp_path_factory.mktemp("blank") / "database.db"
    Database.open(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def new_database(tmp_path, blank_database):
    """Opens empty databases."""
    with contextlib.ExitStack() as stack:

        def opened(name):
            path = shutil.copy(blank_database, tmp_path / f"{name}.db")
            return stack.enter_context(Database.open(f"sqlite:///{path}"))

        yield opened


@pytest.fixture
def database(new_database):
    return new_database("database")


@pytest.fixture
def empty_workspace(tmp_path, graph, database):
    """A workspace without any concept yet."""
    folder = tmp_path / "vault"
    folder.mkdir()
    return Workspace(ConceptVault(folder, graph, database))


@pytest.fixture
def anchor():
    return Concept(
        uuid="c1",
        name="Anclaje",
        title="Anclaje",
        concept="Una cifra dada arrastra la estimación.",
        analysis="Importa al negociar.\n\nTambién al comprar.",
        summary_short="Las cifras arrastran.",
    )


@pytest.fixture
def bias():
    return Concept(uuid="c2", name="Sesgo", title="Sesgo: ¿qué es?", concept="Un error sistemático.")


@pytest.fixture
def relation():
    return Relation(source="c2", target="c1", type=RelationType.GENERALIZES, reasoning="El anclaje es uno de ellos.")


@pytest.fixture
def workspace(empty_workspace, anchor, bias, relation):
    """A workspace with two concepts, published."""
    supports = [Support(quote="q2", concept="c1"), Support(quote="q1", concept="c2")]
    empty_workspace.keep(anchor, bias, relations=[relation], supports=supports)
    empty_workspace.publish()
    return empty_workspace
