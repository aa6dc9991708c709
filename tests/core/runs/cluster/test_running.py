"""A corpus on two workers: the same result as in one process, whatever happens to the workers on the way."""

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.core.runs.cluster import cluster
from tests.core.runs.cluster.reading import STEPS, Setting, open_reading

from studium.core.domain.decision import Action
from studium.core.domain.errors import Interrupted, MissingPart, ServiceDown
from studium.core.domain.run import RunContext, RunReport, use_context
from studium.core.domain.usage import Limits
from studium.core.runs.cluster import ClusterRunner, WorkerSpec

pytestmark = [pytest.mark.part("postgres"), pytest.mark.xdist_group("cluster")]
Texts = Callable[[int], tuple[Path, ...]]


async def read_on(scheduler: str, setting: Setting, paths: Sequence[Path], *, resume: bool = False) -> RunReport:
    spec = WorkerSpec("tests.core.runs.cluster.reading:open_reading", setting, paths)
    async with spec.open() as (runner, job):
        driver = ClusterRunner(scheduler, spec, runner.database, timeout=2)
        return await driver.run(job, resume=resume)


def words(report: RunReport) -> dict[str, list[str]]:
    assert len({decision.item for decision in report.plan.decisions}) == len(report.plan.decisions)
    return {decision.item: (decision.proposal or {})["words"] for decision in report.plan.decisions}


def expected(items: int) -> dict[str, list[str]]:
    return {f"{each:03}.txt": [f"{each}-{step}" for step in range(STEPS)] for each in range(items)}


async def test_a_corpus_is_read_by_all_workers_and_each_item_is_saved_once(standing, setting, texts, model):
    model.delay = 0.05
    seen: list[int] = []
    with use_context(RunContext(on_event=lambda _kind, data: seen.append(data["done"]))):
        report = await read_on(standing, setting, texts(30))
    assert words(report) == expected(30)
    assert (report.settled, report.resumed) == (30, 0)
    assert seen == list(range(1, 31))
    assert len(model.asked) == 30 * STEPS
    async with open_reading(setting, ()) as (runner, _):
        assert runner.database.runs.get(report.run).status == "done"
        assert runner.database.metrics.measure(report.run).spent.calls == 30 * STEPS


async def test_a_worker_killed_in_the_middle_loses_nothing_and_duplicates_nothing(setting, texts, model, tmp_path):
    items = 24
    with cluster.scheduler(tmp_path) as address, cluster.workers(address, tmp_path) as pids:
        model.at_request[items] = lambda: cluster.kill(pids[0])
        report = await read_on(address, setting, texts(items))
    assert words(report) == expected(items)
    in_flight = setting.concurrency
    assert items * STEPS <= len(model.asked) <= items * STEPS + in_flight, "only what was in flight is asked again"


async def test_an_item_that_kills_its_workers_does_not_end_the_run(setting, texts, tmp_path):
    paths = texts(6)
    paths[0].write_text("poison")
    config = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
    with cluster.scheduler(tmp_path, **config) as address, cluster.workers(address, tmp_path):
        report = await read_on(address, replace(setting, concurrency=1), paths)
    (killed,) = [d for d in report.plan.decisions if d.item == paths[0].name]
    assert (killed.action, killed.findings[0].code) == (Action.MANUAL_REVIEW, "item.killed")
    assert report.settled == 6


async def test_a_second_driver_resumes_the_run_of_a_stopped_one(standing, setting, texts, model):
    paths = texts(40)
    model.delay = 0.05
    model.at_request[20] = lambda: os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(Interrupted, match="items left") as stopped:
        await read_on(standing, setting, paths)
    assert "--resume" in stopped.value.remedy
    report = await read_on(standing, setting, paths, resume=True)
    assert words(report) == expected(40)
    assert report.settled + report.resumed == 40
    assert len(model.asked) <= 40 * STEPS + 2 * setting.concurrency


async def test_without_workers_the_driver_reports_it_and_the_run_can_be_resumed(setting, texts, model, tmp_path):
    paths = texts(10)
    with cluster.scheduler(tmp_path) as address:
        with cluster.workers(address, tmp_path, 1) as pids:
            model.at_request[10] = lambda: cluster.kill(pids[0])
            with pytest.raises(ServiceDown, match="has no worker") as gone:
                await read_on(address, setting, paths)
        assert "dask worker tcp://127.0.0.1" in gone.value.remedy
        assert "--resume" in gone.value.remedy
        with cluster.workers(address, tmp_path, 1):
            report = await read_on(address, setting, paths, resume=True)
    assert words(report) == expected(10)


async def test_a_dead_scheduler_ends_the_run_with_a_hint_how_to_resume(setting, texts, model, tmp_path):
    with cluster.scheduler(tmp_path) as address, cluster.workers(address, tmp_path, 1):
        model.at_request[5] = lambda: cluster.kill(tmp_path / "scheduler")
        with pytest.raises(ServiceDown, match="does not answer") as gone:
            await asyncio.wait_for(read_on(address, setting, texts(20)), 30)
    assert "--resume" in gone.value.remedy


async def test_a_missing_document_is_that_items_finding(standing, setting, texts):
    paths = texts(4)
    paths[2].unlink()
    report = await read_on(standing, setting, paths)
    (missing,) = [d for d in report.plan.decisions if d.item == paths[2].name]
    assert (missing.action, missing.reasons) == (Action.SKIP, ("002.txt is not there.",))
    assert report.settled == 4


async def test_an_error_for_every_item_ends_the_run_and_names_the_worker(standing, setting, texts):
    with pytest.raises(ServiceDown, match=r"On a worker: .*127\.0\.0\.1:1/v1 does not answer") as down:
        await read_on(standing, replace(setting, model="http://127.0.0.1:1/v1", retries=1), texts(3))
    assert down.value.remedy.startswith("Check the address")


async def test_a_failure_to_build_a_run_on_a_worker_is_reported_with_its_cause(standing, setting, texts):
    spec = WorkerSpec("tests.core.runs.cluster.reading:nobody", setting, ())
    async with open_reading(setting, texts(1)) as (runner, job):
        with pytest.raises(MissingPart, match=r"could not start 000\.txt: AttributeError"):
            await ClusterRunner(standing, spec, runner.database).run(job)
        assert runner.database.runs.newest()[0].status == "failed"


async def test_the_call_limit_applies_to_all_workers_together(standing, setting, texts, model):
    report = await read_on(standing, replace(setting, limits=Limits(calls=40)), texts(30))
    assert len(model.asked) == 40, "the cap is used up and never passed"
    refused = [d for d in report.plan.decisions if d.action is Action.SKIP]
    assert "the limit of 40 model calls is reached" in refused[0].reasons[0]


async def test_requests_per_minute_apply_to_all_workers_together(standing, setting, texts, model):
    await read_on(standing, replace(setting, requests_per_minute=1200), texts(10))
    first, last = min(model.starts), max(model.starts)
    assert len(model.starts) == 10 * STEPS
    assert last - first >= (10 * STEPS - 1) * 0.05 * 0.85, "all workers together make twenty calls a second"
