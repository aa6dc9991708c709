"""A tutor as a student meets it, and a lab on real routers."""

import fcntl
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
def prepared(tmp_path_factory) -> Path:
    """A database that knows what can be looked up; made once for all workers, since that takes long."""
    shared = tmp_path_factory.getbasetemp().parent / "tutor-home"
    with shared.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "whole").exists():
            prepare_search(load_settings(overrides=(f"home={shared}",)))
            (shared / "whole").touch()
    return shared / "database.sqlite"


@pytest.fixture
def studium(tmp_path: Path, prepared: Path):
    """Runs `studium` with a home of its own."""
    (tmp_path / "home").mkdir(exist_ok=True)
    shutil.copy(prepared, tmp_path / "home")
    return lambda *arguments: run("--home", tmp_path / "home", *arguments)


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
