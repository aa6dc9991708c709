"""A book of six quotes, and configurations in which scripted models have every role of the concepts feature."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.concepts.models.model import Model
from tests.run_cli import Ended, studium

from studium.concepts.graph_store.sqlite import SqliteConceptGraph
from studium.testing import WireServer

QUOTES = (
    "The mass of men lead lives of quiet desperation.",
    "The cost of a thing is the amount of what I will call life which is required to be exchanged for it.",
    "Our life is frittered away by detail.",
    "Simplicity! Let your affairs be as two or three, and not a hundred or a thousand.",
    "A man is rich in proportion to the number of things which he can afford to let alone.",
    "Time is but the stream I go a-fishing in.",
)
ROLES = ("summarizer", "extractor", "judge", "searcher", "relator", "critic", "editor")


@dataclass(frozen=True)
class Workspace:
    """`studium concepts` with a scripted model."""

    config: Path
    file: Path
    home: Path

    def run(self, command: str, *arguments: object) -> Ended:
        return studium("--config", self.config, "concepts", command, *arguments)

    def ask(self, command: str, *arguments: object) -> dict[str, Any]:
        """The JSON of a command that must succeed."""
        ended = self.run(command, *arguments, "--json")
        assert ended.code == 0, ended.out + ended.err
        return ended.json

    def parse(self) -> dict[str, Any]:
        return self.ask("parse", self.file)

    def proposed(self) -> dict[str, Any]:
        """Parse and extract: the round that then waits."""
        self.parse()
        waiting = self.ask("extract", "Walden")["waiting"]
        assert waiting is not None
        return waiting

    def review(self, *arguments: object) -> dict[str, Any]:
        return self.ask("review", "Walden", *arguments)

    def graph(self) -> "closing[SqliteConceptGraph]":
        return closing(SqliteConceptGraph(self.home / "concepts.sqlite"))

    def kept(self) -> list[str]:
        """The titles of the concepts in the graph."""
        with self.graph() as graph:
            return [each.title for each in graph.concepts()]


MakeWorkspace = Callable[..., Workspace]


def book_of(quotes: Sequence[str], title: str = "Walden", author: str = "Henry David Thoreau") -> str:
    """A book's file."""
    return f"---\ntitle: {title}\nauthor: {author}\n---\n# Quotes\n\n" + "\n\n".join(quotes) + "\n"


@pytest.fixture
def make_workspace(tmp_path: Path, home: Path) -> MakeWorkspace:
    """A workspace whose roles are these models of one server; by default, one model over the wire of Ollama."""

    def make(
        server: WireServer, roles: dict[str, str] | None = None, *, quotes: Sequence[str] = QUOTES, **more: Any
    ) -> Workspace:
        roles = roles or dict.fromkeys(ROLES, "ollama:mistral")
        base = {"ollama": server.address, "openai": f"{server.address}/v1", "google_genai": server.address}
        models = {
            name: {"base_url": base[name.split(":")[0]], "api_key": "made-up", "retries": 0, "timeout": 10}
            for name in roles.values()
        }
        config, file = tmp_path / "studium.yaml", tmp_path / "walden.md"
        told = {"roles": {"concepts": roles}, "models": models, "embedder": "none"} | more
        config.write_text(yaml.safe_dump(told))
        file.write_text(book_of(quotes), encoding="utf-8")
        return Workspace(config, file, home)

    return make


@pytest.fixture
def model() -> Model:
    """A model that does everything well."""
    return Model()
