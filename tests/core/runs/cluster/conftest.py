"""Two workers, one PostgreSQL, and a scripted model, all on loopback."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.core.runs.cluster import cluster
from tests.core.runs.cluster.reading import PROMPT, Setting

from studium.core.database import Database
from studium.testing import Reply, WireRequest, WireServer


class Model:
    """Answers each text and step with the same word every time, and remembers when it was asked for what."""

    def __init__(self) -> None:
        self.delay = 0.01
        self.at_request: dict[int, Callable[[], None]] = {}
        self.starts: list[float] = []
        self.asked: list[str] = []
        self._lock = threading.Lock()

    def __call__(self, request: WireRequest) -> Reply:
        with self._lock:
            self.starts.append(time.monotonic())
            if happening := self.at_request.get(len(self.starts)):
                happening()
        found = re.search(r"Step (\d+):.*This is number (\d+)\.", request.messages[-1].text, re.DOTALL)
        assert found
        word = f"{found[2]}-{found[1]}"
        self.asked.append(word)
        return Reply(json.dumps({"word": word}), delay=self.delay)


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture(scope="session")
def databases(new_postgres_database: Callable[[], str]) -> Callable[[], str]:
    """Makes PostgreSQL databases that are up to date and empty."""

    def new_database() -> str:
        address = new_postgres_database()
        Database.open(address).close()
        return address

    return new_database


@pytest.fixture
def setting(databases: Callable[[], str], model: Model, tmp_path: Path) -> Iterator[Setting]:
    """Where everything is."""
    (tmp_path / "cluster").mkdir()
    (tmp_path / "cluster" / "read.md").write_text(PROMPT)
    with WireServer(model) as server:
        yield Setting(databases(), f"{server.address}/v1", str(tmp_path))


@pytest.fixture
def texts(tmp_path: Path) -> Callable[[int], tuple[Path, ...]]:
    """Makes so many small texts."""

    def write(number: int) -> tuple[Path, ...]:
        paths = [tmp_path / f"{each:03}.txt" for each in range(number)]
        for each, path in enumerate(paths):
            path.write_text(f"This is number {each}.")
        return tuple(paths)

    return write


@pytest.fixture(scope="session")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A scheduler with two workers that nobody kills."""
    folder = tmp_path_factory.mktemp("dask")
    with cluster.scheduler(folder) as address, cluster.workers(address, folder):
        yield address
