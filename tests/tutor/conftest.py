"""A tutor as a student meets it, and a lab on real routers."""

from pathlib import Path

import pytest
from tests.program import studium as run

from studium.running.tutor.runninglab import RunningLab
from studium.workflows.tutor import NetworkingLabTutor
from studium.workflows.tutor.tutor import shipped_lab


@pytest.fixture
def tutor():
    return NetworkingLabTutor()


@pytest.fixture
def studium(tmp_path: Path):
    """Runs `studium` with a home of its own."""
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
