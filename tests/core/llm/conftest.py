"""Chat models over the scripted server, with a real database."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
import pytest_asyncio
from pydantic import SecretStr

from studium.core.database import Database
from studium.core.domain.skill import Skill, skill
from studium.core.domain.value import Value
from studium.core.llm.chat_model import ChatModel
from studium.core.llm.providers import ModelSpec
from studium.testing import WireServer

SERVERS = {
    "openai": ("openai:gpt-4o", "/v1"),
    "ollama": ("ollama:qwen3:14b", ""),
    "gemini": ("google_genai:gemini-2.5-pro", ""),
    "anthropic": ("anthropic:claude-scripted", ""),
}
MadeModel = Callable[..., ChatModel]


class Note(Value):
    note: str


class Card(Value):
    front: str
    back: str


@pytest.fixture
def make_card() -> Skill[Card]:
    return skill("cards.make", "cards.mapper", Note, Card)


@pytest.fixture
def note() -> Note:
    return Note(note="OSPF elects a designated router on each broadcast segment.")


@pytest.fixture
def prompts(tmp_path: Path) -> Path:
    """A folder with one prompt, `cards/make.md`."""
    folder = tmp_path / "prompts"
    (folder / "cards").mkdir(parents=True)
    text = "---\nvariables: [note]\nsources: [note]\n---\n# System\nYou make cards.\n# User\nThe note:\n{{note}}\n"
    (folder / "cards" / "make.md").write_text(text)
    return folder


@pytest.fixture(scope="session")
def blank_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with its tables made and nothing in it, to be copied."""
    file = tmp_path_factory.mktemp("blank") / "database.db"
    Database.open(f"sqlite:///{file}").close()
    return file


@pytest.fixture
def database(tmp_path: Path, blank_database: Path) -> Iterator[Database]:
    copy(blank_database, tmp_path / "database.db")
    with Database.open(f"sqlite:///{tmp_path}/database.db") as opened:
        yield opened


@pytest.fixture
def waits() -> list[float]:
    """How long the models of a test waited between attempts."""
    return []


@pytest_asyncio.fixture
async def chat(database: Database, prompts: Path, waits: list[float]) -> AsyncIterator[MadeModel]:
    """Makes chat models of a server that do not really wait, and closes them after the test."""
    made: list[ChatModel] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        await asyncio.sleep(0)

    def make(server: WireServer | str, protocol: str = "openai", **spec: Any) -> ChatModel:
        name, path = SERVERS[protocol]
        address = server if isinstance(server, str) else server.address
        settings = {"base_url": address + path, "api_key": SecretStr("made-up-key-zxq"), "retries": 2, "timeout": 10.0}
        model = ChatModel(
            ModelSpec(**{"name": name, **settings, **spec}), database.turns, [prompts], random=lambda: 0.0, sleep=sleep
        )
        made.append(model)
        return model

    yield make
    for model in made:
        await model.aclose()
