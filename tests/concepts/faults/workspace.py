"""One reader's Studium: the settings, the home, the vault, and their content."""

import contextlib
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE

from tests.run_cli import studium

from studium.concepts.commits import SINK
from studium.concepts.graph_store.sqlite import SqliteConceptGraph
from studium.core.database import Database
from studium.core.domain.decision import ChangeStatus

WALDEN = """\
---
title: Walden
author: Henry David Thoreau
---
# Citas

## Economy
- "Simplicity is the practice of keeping only what is essential to life." (p. 12)
- "Simplicity means that a man is rich in proportion to the things he can let alone." (p. 82)
- "A debt is anything that costs more life than it gives back." (p. 31)

## Solitude
- "Solitude is the company that a mind keeps with itself." (p. 130)
- "I never found the companion that was so companionable as solitude." (p. 135)
- "Ah!" (p. 140)
"""


@dataclass(frozen=True)
class Workspace:
    """A folder with settings, home, vault and book; `file` is the book."""

    folder: Path

    @classmethod
    def in_folder(cls, folder, **concepts):
        """A workspace with the book, an empty vault, and no embedder, which would only take time."""
        made = cls(folder)
        made.vault.mkdir()
        made.file.write_text(WALDEN)
        made.configure(**concepts)
        return made

    def configure(self, database=None, **concepts):
        """Write the settings file."""
        settings = {"embedder": "none", "concepts": {"vault": str(self.vault)} | concepts}
        self.config.write_text(json.dumps(settings | ({"database": database} if database else {})))

    @property
    def home(self):
        return self.folder / "studium"

    @property
    def vault(self):
        return self.folder / "vault"

    @property
    def file(self):
        return self.folder / "walden.md"

    @property
    def config(self):
        return self.folder / "studium.yaml"

    def arguments(self, *words):
        return [str(word) for word in ("--config", self.config, "--home", self.home, *words)]

    def run(self, *words):
        """What `studium WORDS` prints and exits with."""
        return studium(*self.arguments(*words))

    def concepts(self, *words):
        """What `studium concepts WORDS` prints and exits with."""
        return self.run("concepts", *words)

    def start(self, *words):
        """`studium WORDS` in a process of its own."""
        command = [sys.executable, "-m", "studium", *self.arguments(*words)]
        return subprocess.Popen(command, stdout=PIPE, stderr=PIPE, text=True)

    @contextlib.contextmanager
    def graph(self):
        with contextlib.closing(SqliteConceptGraph(self.home / "concepts.sqlite")) as opened:
            yield opened

    @contextlib.contextmanager
    def database(self):
        with contextlib.closing(Database.open(f"sqlite:///{self.home / 'database.sqlite'}")) as opened:
            yield opened

    def notes(self):
        """The vault: every file's text."""
        return {path.name: path.read_text() for path in self.vault.rglob("*") if path.is_file()}

    def snapshot(self):
        """Everything in the graph, the vault and the database, except times and the ids of runs."""
        with self.graph() as graph, self.database() as database:
            books = graph.books()
            quotes = [quote for book in books for quote in graph.quotes_of(book.uuid)]
            reviews = database.reviews.select(None, limit=1000)
            commits = [
                change
                for run in database.runs.newest(1000)
                for sink, change in database.changes.of_run(run.id)
                if sink == SINK
            ]
            return {
                "books": [book.model_copy(update={"processed_date": bool(book.processed_date)}) for book in books],
                "quotes": [quote.model_copy(update={"created_at": ""}) for quote in quotes],
                "concepts": graph.concepts(),
                "relations": graph.relations(),
                "supports": graph.supports(),
                "counts": graph.counts(),
                "notes": self.notes(),
                "commits": [(change.key, change.status) for change in commits],
                "reviews": sorted((each.status.value, each.decision.reasons) for each in reviews),
            }

    def keep_copy(self, name):
        """Lay a copy of home and vault aside."""
        for place in (self.home, self.vault):
            if place.is_dir():
                shutil.copytree(place, self.folder / "copies" / name / place.name)

    def put_back(self, name):
        """Make home and vault what they were when the copy was made."""
        for place in (self.home, self.vault):
            shutil.rmtree(place, ignore_errors=True)
            copy = self.folder / "copies" / name / place.name
            if copy.is_dir():
                shutil.copytree(copy, place)


APPLIED, UNDONE = ChangeStatus.APPLIED, ChangeStatus.UNDONE
