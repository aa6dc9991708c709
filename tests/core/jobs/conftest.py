"""A service on a home of its own, as a server has it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from studium.core.config import Settings, load_settings
from studium.core.jobs.service import Service, open_service

MANY = 200


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """A vault with two notes."""
    return written_vault(tmp_path / "vault", 2)


@pytest.fixture
def large_vault(tmp_path: Path) -> Path:
    """A vault whose plan takes a second or two."""
    return written_vault(tmp_path / "large", MANY)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(overrides=(f"serve.roots=[{tmp_path}]", "embedder=none"))


@pytest.fixture
async def service(settings: Settings) -> AsyncIterator[Service]:
    async with open_service(settings) as opened:
        yield opened


def written_vault(folder: Path, notes: int) -> Path:
    folder.mkdir()
    for number in range(notes):
        text = f"Q: Which port does service {number} listen on?\nA: Service {number} listens on port {number + 1000}.\n"
        (folder / f"note-{number:04}.md").write_text(text)
    return folder
