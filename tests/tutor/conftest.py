"""A tutor as a student meets it, and a lab on real routers."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.run_cli import studium as run

from studium.core.config import load_settings
from studium.tutor import NetworkingLabTutor
from studium.tutor.labs.live_labs import LocalLab
from studium.tutor.tutor import shipped_lab
from studium.tutor.use_cases import prepare_search


@pytest.fixture
def now():
    return datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


@pytest.fixture
def tutor():
    return NetworkingLabTutor()


@pytest.fixture(scope="session")
def home_with_search(tmp_path_factory) -> Path:
    """A home in which every shipped passage is embedded; its tests share one worker, since that takes long."""
    home = tmp_path_factory.mktemp("search") / "home"
    prepare_search(load_settings(overrides=(f"home={home}",)))
    return home


@pytest.fixture
def studium(home: Path):
    """Runs `studium` with a home of its own; questions are looked up by words alone."""
    return lambda *arguments: run("--home", home, "--set", "embedder=none", *arguments)


@pytest.fixture
def studium_with_search(home: Path, home_with_search: Path):
    """Runs `studium` with a home in which all passages are embedded."""
    home.mkdir()
    shutil.copy(home_with_search / "database.sqlite", home)
    return lambda *arguments: run("--home", home, *arguments)


@pytest.fixture
def live(tmp_path: Path):
    """Brings labs up, and down again."""
    running: list[LocalLab] = []

    def up(name: str) -> LocalLab:
        lab = LocalLab(shipped_lab(name), tmp_path / "lab")
        running.append(lab)
        lab.up()
        return lab

    yield up
    for lab in running:
        lab.down()
