"""What is said when there is no cluster, or not one that we can work with."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.core.runs.cluster import cluster
from tests.real.process import free_port

from studium.core.database import Database
from studium.core.domain.errors import BadInput, BadSettings, MissingPart, ServiceDown
from studium.core.domain.run import RunSpec
from studium.core.runs import cluster as cluster_driver
from studium.core.runs.cluster import ClusterRunner, WorkerSpec, connect_cluster

pytestmark = pytest.mark.xdist_group("cluster")
NOTHING = RunSpec("reading", {}, "nothing", graph=None, items=(), decide=lambda _item, _state: ())


@pytest.fixture
def file_database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(f"sqlite:///{tmp_path}/database.db") as database:
        yield database


async def test_a_missing_scheduler_is_reported_soon(monkeypatch):
    assert cluster_driver._LONGEST_WAIT < 10
    monkeypatch.setattr(cluster_driver, "_LONGEST_WAIT", 0.5)
    address, began = f"tcp://127.0.0.1:{free_port()}", time.monotonic()
    with pytest.raises(ServiceDown, match=f"at {address} does not answer") as gone:
        async with connect_cluster(address, 60):
            pass
    assert time.monotonic() - began < 5, "and not a minute, as long as it may be without workers"
    assert "`dask scheduler`" in gone.value.remedy
    assert f"`dask worker {address}`" in gone.value.remedy


async def test_an_invalid_address_is_refused_with_the_right_form():
    with pytest.raises(BadInput, match="is not the address") as refused:
        async with connect_cluster("carrier-pigeon://loft", 1):
            pass
    assert "tcp://HOST:8786" in refused.value.remedy


async def test_a_scheduler_without_workers_is_reported_with_the_command_that_starts_one(tmp_path):
    with cluster.scheduler(tmp_path) as address, pytest.raises(ServiceDown, match="has no worker") as alone:
        async with connect_cluster(address, 2):
            pass
    assert f"`dask worker {address}`" in alone.value.remedy


async def test_a_worker_with_another_version_is_refused_before_the_start(tmp_path):
    other = tmp_path / "studium-9.9.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: studium\nVersion: 9.9\n")
    with (
        cluster.scheduler(tmp_path) as address,
        cluster.workers(address, tmp_path, 1, PYTHONPATH=str(tmp_path)),
        pytest.raises(MissingPart, match=r"The worker tcp://.* has Studium 9\.9 on Python") as refused,
    ):
        async with connect_cluster(address, 8):
            pass
    assert "the same Studium" in refused.value.remedy


async def test_a_database_in_a_file_cannot_be_shared_by_workers(file_database):
    runner = ClusterRunner("tcp://127.0.0.1:1", WorkerSpec("m:f", None, None), file_database)
    with pytest.raises(BadSettings, match="it is a file") as refused:
        await runner.run(NOTHING)
    assert "postgresql://" in refused.value.remedy
    assert file_database.runs.newest() == []


def test_without_dask_the_extra_is_named():
    script = """
import asyncio, sys
sys.modules["distributed"] = None
from studium.core.domain.errors import MissingExtra
from studium.core.runs.cluster import connect_cluster
async def main():
    try:
        async with connect_cluster("tcp://127.0.0.1:1", 1): pass
    except MissingExtra as error:
        print(error.remedy)
asyncio.run(main())
"""
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert told.strip() == "pip install 'studium[cluster]'"


def test_keys_in_the_settings_are_not_shown():
    assert "geheim" not in repr(
        WorkerSpec("m:f", {"api_key": "geheim"}, {"database": "postgresql://me:geheim@host/db"})
    )
