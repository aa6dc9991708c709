import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text
from tests.core.database.conftest import NewDatabase
from tests.core.database.released import DUMPS, fill, restore_postgres, restore_sqlite
from tests.core.database.samples import card, ticking_clock

from studium.core.database import Database, engine, tables
from studium.core.domain.decision import Decision, PublishedVersion
from studium.core.domain.errors import BadInput

REVISIONS = sorted(each.revision for each in ScriptDirectory(str(engine.MIGRATIONS)).walk_revisions())


def test_a_new_database_is_created_with_its_folder(tmp_path: Path):
    with Database.open(f"sqlite:///{tmp_path}/a folder/100%/database.db") as database:
        assert database.runs.newest() == []
    assert (tmp_path / "a folder/100%/database.db").exists()


def test_written_data_is_there_after_reopening(fresh_address: str):
    with Database.open(fresh_address, clock=ticking_clock()) as database:
        run = database.runs.start("cards", {})
        database.items.save(run.id, "ospf.md", [card()])
    with Database.open(fresh_address) as database:
        assert (database.runs.newest(), database.items.decisions(run.id)) == ([run], [card()])


def test_the_migrations_make_the_same_tables_as_the_code(database: Database):
    with database._engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": tables.VERSION_TABLE})
        assert compare_metadata(context, tables.metadata) == []
    assert REVISIONS[-1] == tables.HEAD


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_sqlite_database_of_every_released_version_is_migrated(revision: str, tmp_path: Path):
    restore_sqlite(DUMPS / f"{revision}.sqlite.sql", tmp_path / "database.db")
    check_released(f"sqlite:///{tmp_path}/database.db", revision)


@pytest.mark.part("postgres")
@pytest.mark.parametrize("revision", REVISIONS)
def test_a_postgres_database_of_every_released_version_is_migrated(revision: str, new_postgres_database: NewDatabase):
    address = new_postgres_database()
    restore_postgres(DUMPS / f"{revision}.postgresql.sql", address)
    check_released(address, revision)


def check_released(address: str, revision: str) -> None:
    """All that `fill` once wrote is still there, and the database works on."""
    with Database.open(address, clock=ticking_clock()) as database:
        (run,) = database.runs.newest()
        assert (run.status, run.note, run.arguments) == ("done", "2 notes", {"vault": "notes"})
        assert run.feature == "cards"
        assert database.reviews.count(None) == {"cards": 2}
        assert [each.item for each in database.items.decisions(run.id)] == ["ospf.md#1", "ospf.md#2", "bgp.md#1"]
        assert isinstance(database.items.plan(run.id).decisions[0], Decision)
        assert database.reviews.select("edited")[0].answer == {"front": "What is flooded?"}
        assert [each.decision.item for each in database.reviews.select()] == ["bgp.md#1"]
        assert database.turns.recall("k1").reply == {"content": "Link states"}
        assert database.vectors.recall("minilm", ["c1"]) == {"c1": bytes(range(8))}
        assert database.published.versions("anki") == {
            "ospf.md#1": PublishedVersion(fields={"Front": "What does OSPF flood?"})
        }
        has_jobs = revision >= "0005"
        assert [each.kind for each in database.jobs.newest()] == ["cards.sync"] * has_jobs
        assert [each.status for each in database.jobs.unfinished()] == ["waiting"] * has_jobs
        assert (database.idempotency.get("k1") is not None) == has_jobs
        assert database.metrics.measure(run.id).spent.input_tokens == 120
        fill(database)
        assert database.metrics.measure().items == 4


def test_a_database_that_is_newer_than_the_code_is_refused(fresh_address: str):
    with Database.open(fresh_address) as database, database.transactions.writing() as connection:
        connection.execute(text("UPDATE ledger_version SET version_num = '0999'"))
    with pytest.raises(BadInput, match="has version 0999; this Studium knows versions up to 0") as refused:
        Database.open(fresh_address)
    assert "Upgrade Studium" in refused.value.remedy


FAILS_HALF_WAY = f"""
from alembic import op
revision, down_revision = "0998", "{tables.HEAD}"

def upgrade():
    op.execute("CREATE TABLE half (x INTEGER)")
    raise ZeroDivisionError
"""


def test_a_migration_that_fails_leaves_the_database_as_it_was(
    database: Database, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    run = database.runs.start("cards", {})
    monkeypatch.setattr(engine, "MIGRATIONS", shutil.copytree(engine.MIGRATIONS, tmp_path / "migrations"))
    monkeypatch.setattr(engine, "HEAD", "0998")
    (tmp_path / "migrations/versions/0998_bad.py").write_text(FAILS_HALF_WAY)
    with pytest.raises(ZeroDivisionError):
        Database.open(address)

    assert database.runs.newest() == [run]
    with database.transactions.reading() as connection:
        assert not connection.dialect.has_table(connection, "half")
        assert connection.scalar(text("SELECT version_num FROM ledger_version")) == tables.HEAD


def test_a_database_that_is_up_to_date_opens_without_alembic(address: str):
    script = "import sys, studium.core.database as l; l.Database.open(sys.argv[1]).close(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script, address], capture_output=True, text=True, check=True).stdout
    assert "sqlalchemy" in loaded.split()
    assert {"alembic", "jsonschema", "numpy", "langchain_core"} & set(loaded.split()) == set()


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("mysql://me:geheim@host/db", "mysql is not supported"),
        ("sqlite://", "it names no file"),
        ("sqlite:///:memory:", "it names no file"),
        ("database.db", "it is not a database address"),
        ("postgresql://me:geheim@host:port/db", "it is not a database address"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused_with_the_right_form(address: str, why: str):
    with pytest.raises(BadInput, match=why) as refused:
        Database.open(address)
    assert "sqlite:///path/to/database.db" in refused.value.remedy
    assert "geheim" not in str(refused.value)
