"""A tutor as a student meets it, and a lab on real routers."""

import fcntl
import shutil
from pathlib import Path

import pytest
from tests.program import studium as run

from studium.core.config import load_settings
from studium.faculties.tutor import prepare
from studium.running.tutor.runninglab import RunningLab
from studium.workflows.tutor import NetworkingLabTutor
from studium.workflows.tutor.tutor import shipped_lab


@pytest.fixture
def tutor():
    return NetworkingLabTutor()


@pytest.fixture(scope="session")
def prepared(tmp_path_factory) -> Path:
    """A ledger that knows what can be looked up; made once for all workers, since that takes long."""
    shared = tmp_path_factory.getbasetemp().parent / "tutor-home"
    with shared.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "whole").exists():
            prepare(load_settings(overrides=(f"home={shared}",)))
            (shared / "whole").touch()
    return shared / "ledger.sqlite"


@pytest.fixture
def studium(tmp_path: Path, prepared: Path):
    """Runs `studium` with a home of its own."""
    (tmp_path / "home").mkdir(exist_ok=True)
    shutil.copy(prepared, tmp_path / "home")
    return lambda *arguments: run("--home", tmp_path / "home", *arguments)


@pytest.fixture
def live(tmp_path: Path):
    """Brings labs up, and down again."""
    running: list[RunningLab] = []

    def up(name: str) -> RunningLab:
        lab = RunningLab(shipped_lab(name), tmp_path / "lab")
        running.append(lab)
        lab.up()
        return lab

    yield up
    for lab in running:
        lab.down()
