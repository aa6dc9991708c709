"""Faults of disks and servers become our own errors, and nothing is left half-written."""

import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import event, text
from tests.core.database.samples import call, doubt
from tests.damaged_files import damage_again_and_again

from studium.core.database import Database, ItemResult
from studium.core.domain.errors import MissingExtra, NotFound, ServiceDown, StorageFailed, StudiumError


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own, of one megabyte."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip(f"mounting is not allowed here: {mounted.stderr.decode()}")
    yield disk
    subprocess.run(["umount", disk], check=True)


def settle_much(database: Database, run: str, batches: int) -> None:
    """Write 200 kB a batch."""
    for batch in range(batches):
        doubts = [doubt(f"{batch}-{number}", proposal={"front": "x" * 5000}) for number in range(40)]
        database.items.save_many(run, [ItemResult(each.item, [each], [call()]) for each in doubts])


def check_nothing_half(database: Database, run: str) -> None:
    """Each item has its decision and its review, or none of all."""
    settled = database.items.finished(run)
    assert {each.item for each in database.items.decisions(run)} == settled
    assert {each.decision.item for each in database.reviews.select(limit=10_000)} == settled
    assert database.metrics.measure(run).spent.calls == len(settled)


def test_a_full_disk_is_reported_and_the_database_works_again_after_it(small_disk: Path):
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(200_000))
    with Database.open(f"sqlite:///{small_disk}/database.db") as database:
        run = database.runs.start("cards", {}).id
        with pytest.raises(StorageFailed, match=r"database.db could not be written: the disk is full") as refused:
            settle_much(database, run, batches=20)
        assert "Free disk space" in refused.value.remedy
        before = database.items.finished(run)
        check_nothing_half(database, run)

        ballast.unlink()
        assert database.items.save(run, "one more", [doubt("one more")], [call()])
        assert database.items.finished(run) == before | {"one more"}
        check_nothing_half(database, run)


def test_a_database_that_cannot_grow_is_reported_as_full(tmp_path: Path):
    with Database.open(f"sqlite:///{tmp_path}/database.db") as database:
        run = database.runs.start("cards", {}).id
        settle_much(database, run, batches=1)
        database.close()
        event.listen(database._engine, "connect", lambda connection, _: connection.execute("PRAGMA max_page_count=150"))
        with pytest.raises(StorageFailed, match="the disk is full"):
            settle_much(database, run, batches=20)
        check_nothing_half(database, run)


@pytest.fixture
def read_only_folder(tmp_path: Path, request: pytest.FixtureRequest, blank_sqlite: Path) -> Path:
    """Where a database lies and nobody may write: root is only kept out by a disk that takes no writes."""
    folder: Path = request.getfixturevalue("small_disk") if os.geteuid() == 0 else tmp_path
    shutil.copy(blank_sqlite, folder / "database.db").chmod(0o444)
    if os.geteuid() == 0:
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
    else:
        folder.chmod(0o555)
    return folder


@pytest.mark.parametrize("name", ["database.db", "new.db", "new folder/database.db"])
def test_a_read_only_folder_is_reported(read_only_folder: Path, name: str):
    with pytest.raises(StorageFailed, match=f"{name} (is read-only|cannot be opened|cannot be reached)") as refused:
        Database.open(f"sqlite:///{read_only_folder}/{name}")
    assert "writable" in refused.value.remedy
    assert [path.name for path in read_only_folder.iterdir()] == ["database.db"]


def test_a_folder_instead_of_the_database_file_is_reported(tmp_path: Path):
    with pytest.raises(StorageFailed, match="cannot be opened"):
        Database.open(f"sqlite:///{tmp_path}")


def test_a_file_instead_of_the_folder_is_reported(tmp_path: Path):
    (tmp_path / "notes").write_text("a note")
    with pytest.raises(StorageFailed, match="cannot be reached"):
        Database.open(f"sqlite:///{tmp_path}/notes/database.db")


def test_a_file_that_is_not_a_database_is_reported_and_unchanged(tmp_path: Path):
    note = tmp_path / "note.md"
    note.write_text("# OSPF\n" * 1000)
    with pytest.raises(StorageFailed, match=r"note.md is not a database") as refused:
        Database.open(f"sqlite:///{note}")
    assert "Move the file away" in refused.value.remedy
    assert note.read_text() == "# OSPF\n" * 1000


def test_a_damaged_file_is_reported(tmp_path: Path):
    path = tmp_path / "database.db"
    with Database.open(f"sqlite:///{path}") as database:
        run = database.runs.start("cards", {}).id
        settle_much(database, run, batches=5)
    content = bytearray(path.read_bytes())
    content[4096 * 4 :] = b"\xa5" * (len(content) - 4096 * 4)
    path.write_bytes(content)
    with pytest.raises(StorageFailed, match=r"database.db is damaged") as refused:
        read_all(f"sqlite:///{path}", run)
    assert "backup" in refused.value.remedy


def read_all(address: str, run: str) -> None:
    with Database.open(address) as database:
        database.runs.newest()
        database.runs.get(run)
        database.items.decisions(run)
        database.items.plan(run)
        database.reviews.select(None)
        database.reviews.summaries()
        database.jobs.newest()
        database.jobs.unfinished()
        database.metrics.measure()
        database.runs.finish(database.runs.start("cards", {}).id, "done")


def test_whatever_byte_is_flipped_the_damage_is_reported(tmp_path: Path):
    path = tmp_path / "database.db"
    with Database.open(f"sqlite:///{path}") as database:
        run = database.runs.start("cards", {"vault": "notes ✓"}).id
        database.items.save_many(run, [ItemResult(each.item, [each], [call()]) for each in (doubt("a"), doubt("b"))])
        database.jobs.create("cards.sync", {"vault": "notes"})
    reported = 0
    for _ in damage_again_and_again(path, 20):
        try:
            read_all(f"sqlite:///{path}", run)
        except NotFound:  # the id of the run itself
            continue
        except StudiumError as error:
            reported += 1
            told = f"{error} {error.remedy}"
            assert "damaged" in told or "has version" in told
            assert "copy" in told or "has version" in told
            assert told.isprintable()
    assert reported > 30


def test_an_empty_file_is_not_taken_for_a_new_database(tmp_path: Path):
    path = tmp_path / "database.db"
    path.touch()
    with pytest.raises(StorageFailed, match=r"database.db is empty \(0 bytes\)") as refused:
        Database.open(f"sqlite:///{path}")
    assert "Restore the file from a copy" in refused.value.remedy
    assert "delete it" in refused.value.remedy
    assert path.stat().st_size == 0
    path.unlink()
    Database.open(f"sqlite:///{path}").close()
    assert [each.name for each in tmp_path.iterdir()] == ["database.db"]


def test_a_database_is_never_empty_while_it_is_created(tmp_path: Path):
    """Processes that open the same new database at once find it missing or whole."""
    script = f"from studium.core.database import Database; Database.open('sqlite:///{tmp_path}/database.db').close()"
    together = [subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE) for _ in range(4)]
    for each in together:
        _, told = each.communicate()
        assert each.returncode == 0, told.decode()
    assert (tmp_path / "database.db").stat().st_size > 0


def test_a_locked_database_is_reported_after_a_while(tmp_path: Path):
    with Database.open(f"sqlite:///{tmp_path}/database.db", timeout=0.2) as database:
        run = database.runs.start("cards", {}).id
        other = sqlite3.connect(tmp_path / "database.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageFailed, match="locked by another program for too long"):
            database.items.save(run, "ospf.md", [doubt()])
        assert database.items.finished(run) == set()
        other.close()
        assert database.items.save(run, "ospf.md", [doubt()])


def test_a_database_of_another_program_is_unchanged(tmp_path: Path):
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE runs (miles REAL)")
    with pytest.raises(StorageFailed, match=r"other.db is another program.s, or damaged: table runs already exists"):
        Database.open(f"sqlite:///{tmp_path}/other.db")
    assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("runs",)]
    other.close()


def test_a_server_that_is_down_is_reported_without_the_password():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        with pytest.raises(
            ServiceDown, match=f"PostgreSQL at 127.0.0.1:{port}/study refuses the connection"
        ) as refused:
            Database.open(f"postgresql://me:geheim@127.0.0.1:{port}/study?application_name=studium")
    assert "Start PostgreSQL" in refused.value.remedy
    told: BaseException | None = refused.value
    while told:
        assert "geheim" not in f"{told!r} {told}"
        told = told.__cause__ or told.__context__


@pytest.mark.part("postgres")
def test_a_missing_database_on_the_server_is_reported(blank_postgres: str):
    with pytest.raises(ServiceDown, match='database "nowhere" does not exist'):
        Database.open(blank_postgres.rpartition("/")[0] + "/nowhere")


@pytest.mark.part("postgres")
def test_a_read_only_server_is_reported(blank_postgres: str):
    with Database.open(blank_postgres) as database:
        event.listen(
            database._engine, "begin", lambda connection: connection.execute(text("SET TRANSACTION READ ONLY"))
        )
        with pytest.raises(StorageFailed, match="is read-only"):
            database.runs.start("cards", {})


@pytest.mark.part("postgres")
def test_a_locked_run_on_the_server_is_reported_after_a_while(blank_postgres: str):
    import psycopg

    with Database.open(blank_postgres, timeout=0.2) as database:
        run = database.runs.start("cards", {}).id
        with psycopg.connect(blank_postgres) as other:
            other.execute("SELECT * FROM runs FOR UPDATE")
            with pytest.raises(StorageFailed, match="locked by another program"):
                database.items.save(run, "ospf.md", [doubt()])
        assert database.items.finished(run) == set()


@pytest.mark.part("postgres")
def test_the_database_recovers_from_dropped_connections(blank_postgres: str):
    import psycopg

    with Database.open(blank_postgres) as database:
        database.runs.newest()
        with psycopg.connect(blank_postgres, autocommit=True) as other:
            other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        assert database.runs.start("cards", {}).status == "running"


def test_without_the_driver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra) as refused:
        Database.open("postgresql://127.0.0.1/study")
    assert refused.value.remedy == "pip install 'studium[postgres]'"
