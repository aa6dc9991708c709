"""Databases to test with: the contract holds on a SQLite file and on a PostgreSQL server alike."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.core.database.samples import ticking_clock
from tests.prepared_tables import migrate

from studium.core.database import Database, engine

NewDatabase = Callable[[], str]
BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.part("postgres"))]


@pytest.fixture(scope="session")
def blank_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with nothing in it: copying it is quicker than migrating anew."""
    path = tmp_path_factory.mktemp("blank") / "database.db"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(engine, "_migrate", migrate)
        Database.open(f"sqlite:///{path}").close()
    return path


@pytest.fixture(scope="session")
def blank_postgres(new_postgres_database: NewDatabase) -> str:
    """A database on the server with nothing in it: emptying it is quicker than making another."""
    address = new_postgres_database()
    Database.open(address).close()
    return address


@pytest.fixture(params=BOTH)
def fresh_address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where there is no database yet."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/database.db"
    return request.getfixturevalue("new_postgres_database")()


@pytest.fixture(params=BOTH)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where there is an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{shutil.copy(request.getfixturevalue('blank_sqlite'), tmp_path)}"
    import psycopg

    shared: str = request.getfixturevalue("blank_postgres")
    with psycopg.connect(shared) as connection:
        connection.execute(
            "TRUNCATE runs, turns, vectors, published_versions, rate_limits, jobs, idempotency_keys CASCADE"
        )
    return shared


@pytest.fixture
def database(address: str) -> Iterator[Database]:
    """An empty database whose clock advances a second at each reading, from 14:25:30."""
    with Database.open(address, clock=ticking_clock()) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _real_migrations(monkeypatch):
    """Make every table by the migrations, which other tests do not wait for."""
    monkeypatch.setattr(engine, "_migrate", migrate)
