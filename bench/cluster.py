"""200 small documents on two Dask workers against one: each three model calls of 200 ms, with a checkpoint after each.

The workers, the scheduler, PostgreSQL and the model are processes of their own on this machine. A document waits for
the model most of its time, so a second worker helps for as long as there is a core for it.
"""

import asyncio
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import psycopg
from tests.core.runs.cluster import cluster
from tests.core.runs.cluster.reading import PROMPT, STEPS, Setting
from tests.real.postgres import postgres_server

from bench.chat import DELAY, wire
from studium.core.runs.cluster import ClusterRunner, WorkerSpec

DOCUMENTS, WARM_UP, AT_ONCE = 200, 16, 8


def measure() -> list[tuple[str, float, str, str]]:
    """The figures: name, value, unit and target."""
    with tempfile.TemporaryDirectory() as folder, postgres_server() as server, wire() as address:
        place = Path(folder)
        (place / "cluster").mkdir()
        (place / "cluster" / "read.md").write_text(PROMPT)
        setting = Setting(server, f"{address}/v1", folder, concurrency=AT_ONCE)
        one, two = (_seconds(place, setting, count) for count in (1, 2))
    ideal = DOCUMENTS * STEPS * DELAY / AT_ONCE
    return [
        (f"{DOCUMENTS} documents on one worker, against waiting alone", one / ideal, "x", ""),
        (f"{DOCUMENTS} documents on two workers, as fast as on one", one / two, "x", ">= 1.7"),
    ]


def _seconds(place: Path, setting: Setting, workers: int) -> float:
    """The time that some workers take, after their imports and without cached replies."""
    database = f"workers_{workers}"
    with psycopg.connect(setting.database, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {database}")
    setting = replace(setting, database=setting.database.replace("/postgres", f"/{database}"))
    folder = place / database
    folder.mkdir()
    with cluster.scheduler(folder) as scheduler, cluster.workers(scheduler, folder, workers):
        asyncio.run(_read(scheduler, setting, _documents(folder, "warm-up", WARM_UP)))
        started = time.perf_counter()
        asyncio.run(_read(scheduler, setting, _documents(folder, "document", DOCUMENTS)))
        return time.perf_counter() - started


def _documents(folder: Path, name: str, count: int) -> tuple[Path, ...]:
    paths = tuple(folder / f"{name}-{number:03}.txt" for number in range(count))
    for path in paths:
        path.write_text(f"This is {path.stem}.")
    return paths


async def _read(scheduler: str, setting: Setting, paths: tuple[Path, ...]) -> None:
    spec = WorkerSpec("tests.core.runs.cluster.reading:open_reading", setting, paths)
    async with spec.open() as (runner, job):
        report = await ClusterRunner(scheduler, spec, runner.database).run(job)
    assert report.settled == len(paths)
