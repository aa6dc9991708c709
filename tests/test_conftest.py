import sqlite3
import sys
from contextlib import closing
from types import SimpleNamespace

import pytest
from tests.conftest import pytest_make_parametrize_id, pytest_runtest_setup
from tests.prepared_tables import dump, migrate

from studium.core.database import Database, engine


@pytest.mark.parametrize(("ci", "outcome"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)])
def test_a_missing_part_skips_its_tests_and_fails_them_where_all_must_be_there(monkeypatch, ci, outcome):
    monkeypatch.setenv("CI", ci)
    nowhere = SimpleNamespace(available=lambda: "nowhere is not installed")
    monkeypatch.setitem(sys.modules, "tests.real.nowhere", nowhere)
    needing_it = SimpleNamespace(iter_markers=lambda _: [pytest.mark.part("nowhere").mark])
    with pytest.raises(outcome, match=r"nowhere is not installed \(`make parts` installs it\)"):
        pytest_runtest_setup(needing_it)


def test_workers_get_the_tests_that_share_a_server_together(request):
    if hasattr(request.config, "workerinput"):
        assert request.node.nodeid.endswith("@tests/test_conftest")


def test_prepared_tables_are_those_that_the_migrations_make(tmp_path, monkeypatch):
    Database.open(f"sqlite:///{tmp_path}/prepared.db").close()
    monkeypatch.setattr(engine, "_migrate", migrate)
    Database.open(f"sqlite:///{tmp_path}/migrated.db").close()
    prepared, migrated = [_dumped(tmp_path / f"{name}.db") for name in ("prepared", "migrated")]
    assert prepared == migrated
    assert len(migrated) > 20


def _dumped(path):
    with closing(sqlite3.connect(path)) as database:
        return sorted(dump(database))


def test_a_long_text_gives_a_test_a_short_name():
    assert pytest_make_parametrize_id("short") is None
    assert pytest_make_parametrize_id("é" * 1_000_000).isascii()
    assert len(pytest_make_parametrize_id(b"\0" * 1_000_000)) < 100
