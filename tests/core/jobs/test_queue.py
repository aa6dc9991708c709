"""Jobs run in processes of their own: watched, cancelled, killed, and resumed after a restart."""

import asyncio
import os
import shutil
import signal
import time
import zipfile
from pathlib import Path

import pytest
from tests.core.jobs.conftest import MANY

import studium
from studium.cards.jobs import ApplyRequest, SyncRequest
from studium.core.domain.errors import BadInput, Conflict, NotFound
from studium.core.jobs.queue import jobs_folder
from studium.core.jobs.service import open_service
from studium.questions.jobs import GenerateQuestions

SAMPLES = Path(studium.__file__).parent / "questions" / "sample_files" / "questions"


async def under_way(service, job):
    """When the work has come some way."""
    async for event in service.jobs.watch(job.id):
        if event.kind == "progress" and event.data["done"] > 20:
            return


async def test_a_job_runs_and_its_package_can_be_downloaded(service, vault):
    job = await service.start_job("cards.sync", SyncRequest(vault=str(vault), to="package"))
    ended = await service.jobs.wait(job.id)
    assert (ended.status, ended.problem) == ("done", None)
    assert ended.result["counts"]["create"] == 2
    assert ended.run == ended.result["run"] == service.database.runs.newest(1)[0].id
    assert ended.files == ("cards.apkg",)
    assert zipfile.is_zipfile(service.jobs.folder_of(ended) / "cards.apkg")


async def test_a_plan_is_applied_by_a_second_job(service, vault):
    plan = await service.jobs.wait((await service.start_job("cards.plan", SyncRequest(vault=str(vault)))).id)
    assert plan.files == ("plan.json",)
    assert (plan.result["counts"]["create"], plan.result["applied"]["done"]) == (2, 0)
    applied = await service.jobs.wait((await service.start_job("cards.apply", ApplyRequest(plan=plan.id))).id)
    assert (applied.status, applied.result) == ("done", {"run": plan.run, "done": 2, "refused": []})


async def test_a_note_that_changed_since_the_plan_stops_its_application(service, vault):
    plan = await service.jobs.wait((await service.start_job("cards.plan", SyncRequest(vault=str(vault)))).id)
    (vault / "note-0001.md").write_text("Q: What is new?\nA: This.\n")
    applied = await service.jobs.wait((await service.start_job("cards.apply", ApplyRequest(plan=plan.id))).id)
    assert applied.status == "failed"
    assert applied.problem["status"] == 409
    assert "note-0001.md changed since the plan was made" in applied.problem["detail"]


async def test_watchers_get_accepted_and_rejected_questions_as_events(service, tmp_path):
    document = shutil.copy(next(SAMPLES.glob("*.md")), tmp_path)
    job = await service.start_job("questions.generate", GenerateQuestions(document=document, count=9))
    events = [event async for event in service.jobs.watch(job.id)]
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    kinds = [event.kind for event in events]
    assert kinds[:2] == ["status", "status"]
    assert "accepted" in kinds
    assert events[-1].data["status"] == "done"
    accepted = [event.data["pair"]["question"] for event in events if event.kind == "accepted"]
    assert events[-1].data["result"]["accepted"] == len(accepted)


async def test_a_late_watcher_gets_only_later_events(service, vault):
    job = await service.start_job("cards.plan", SyncRequest(vault=str(vault)))
    everything = [event async for event in service.jobs.watch(job.id)]
    rest = [event async for event in service.jobs.watch(job.id, after=everything[-2].number)]
    assert rest == everything[-1:]


async def test_a_cancelled_job_ends_soon_keeps_its_results_and_can_be_resumed(service, large_vault):
    job = await service.start_job("cards.plan", SyncRequest(vault=str(large_vault)))
    await under_way(service, job)
    await service.jobs.cancel(job.id)
    ended = await asyncio.wait_for(service.jobs.wait(job.id), 20)
    assert ended.status == "cancelled"
    run = service.database.runs.newest(1)[0]
    assert run.status == "interrupted"
    kept = len(service.database.items.finished(run.id))
    assert 0 < kept < MANY
    resumed = await service.jobs.resume(job.id)
    done = await service.jobs.wait(resumed.id)
    assert (done.status, done.run) == ("done", run.id)
    assert len(service.database.items.finished(run.id)) == MANY
    with pytest.raises(Conflict, match="is done already"):
        await service.jobs.cancel(job.id)


async def test_a_job_whose_process_is_killed_reports_it_and_can_be_resumed(service, large_vault):
    job = await service.start_job("cards.plan", SyncRequest(vault=str(large_vault)))
    await under_way(service, job)
    os.kill(service.jobs._processes[job.id].pid, signal.SIGKILL)
    ended = await asyncio.wait_for(service.jobs.wait(job.id), 20)
    assert ended.status == "failed"
    assert "signal 9" in ended.problem["detail"]
    await service.jobs.resume(job.id)
    assert (await service.jobs.wait(job.id)).status == "done"


async def test_a_restarted_server_resumes_unfinished_jobs(settings, large_vault):
    async with open_service(settings) as service:
        job = await service.start_job("cards.plan", SyncRequest(vault=str(large_vault)))
        await under_way(service, job)
    async with open_service(settings) as service:
        assert (await service.jobs.find(job.id)).status in ("waiting", "running")
        ended = await service.jobs.wait(job.id)
        assert ended.status == "done"
        assert service.database.runs.count() == 1
        assert len(service.database.items.decisions(ended.run)) == MANY


async def test_jobs_wait_their_turn(service, large_vault, vault):
    service.jobs._slots = asyncio.Semaphore(1)
    first = await service.start_job("cards.plan", SyncRequest(vault=str(large_vault)))
    second = await service.start_job("cards.plan", SyncRequest(vault=str(vault)))
    await under_way(service, first)
    assert (await service.jobs.find(second.id)).status == "waiting"
    assert (await service.jobs.cancel(second.id)).status == "cancelled"
    await service.jobs.cancel(first.id)
    await service.jobs.wait(first.id)


async def test_unusable_input_fails_with_a_remedy(service, tmp_path):
    (tmp_path / "empty.md").write_text("")
    job = await service.start_job("questions.generate", GenerateQuestions(document=str(tmp_path / "empty.md")))
    ended = await service.jobs.wait(job.id)
    assert ended.status in ("done", "failed")
    assert ended.problem or ended.result["accepted"] == 0


@pytest.mark.parametrize("place", ["/etc", "../../etc", "~/notes", "upload:../x", "/etc/passwd\0.md"])
async def test_no_job_reaches_outside_the_allowed_folders(service, place):
    with pytest.raises((BadInput, NotFound)):
        await service.start_job("cards.plan", SyncRequest(vault=place))
    with pytest.raises((BadInput, NotFound)):
        await service.start_job("questions.generate", GenerateQuestions(document="vault", corpus=place))
    assert service.database.jobs.count() == 0


async def test_an_unknown_kind_is_reported(service, vault):
    with pytest.raises(NotFound, match=r"no job type 'cards.eat'"):
        await service.start_job("cards.eat", SyncRequest(vault=str(vault)))


async def test_two_servers_of_one_home_run_a_job_once(settings, large_vault):
    async with open_service(settings) as first:
        job = await first.start_job("cards.plan", SyncRequest(vault=str(large_vault)))
        await under_way(first, job)
        async with open_service(settings) as second:
            assert second.jobs._processes == {}
            assert (await first.jobs.wait(job.id)).status == "done"
            assert (await second.jobs.find(job.id)).status == "done"
            assert second.database.runs.count() == 1


async def test_cancelling_stops_a_long_document_soon_and_keeps_its_questions(service, tmp_path):
    rows = "\n".join(f"| Timer {n} | {n * 37 % 997} seconds |" for n in range(1, 600))
    (tmp_path / "long.md").write_text(f"# Timers\n\n| Name | Interval |\n|---|---|\n{rows}\n")
    job = await service.start_job(
        "questions.generate", GenerateQuestions(document=str(tmp_path / "long.md"), count=500)
    )
    accepted = []
    async for event in service.jobs.watch(job.id):
        if event.kind == "accepted":
            if not accepted:
                began = time.monotonic()
                await service.jobs.cancel(job.id)
            accepted.append(event.data["pair"]["question"])
    assert time.monotonic() - began < 9, "it was not killed"
    assert service.database.runs.newest(1)[0].status == "interrupted"
    resumed = await service.jobs.resume(job.id)
    async for event in service.jobs.watch(resumed.id):
        if event.kind == "accepted" and event.data["pair"]["question"] in accepted:
            accepted.remove(event.data["pair"]["question"])
            if not accepted:
                await service.jobs.cancel(job.id)
    assert accepted == [], "all of them are told again"


async def test_a_job_is_resumed_the_moment_it_is_seen_to_be_cancelled(service, large_vault):
    job = await service.start_job("cards.plan", SyncRequest(vault=str(large_vault)))
    await under_way(service, job)
    await service.jobs.cancel(job.id)
    while (await service.jobs.find(job.id)).status != "cancelled":  # noqa: ASYNC110 - as a program looks
        await asyncio.sleep(0.01)
    await service.jobs.resume(job.id)
    assert (await service.jobs.wait(job.id)).status == "done"


async def test_a_job_that_cannot_start_reports_it(service, vault):
    (service.settings.home / "locks").write_text("where a folder should be")
    job = await service.start_job("cards.plan", SyncRequest(vault=str(vault)))
    ended = await asyncio.wait_for(service.jobs.wait(job.id), 20)
    assert ended.status == "failed"
    assert "cannot be written" in ended.problem["detail"]


async def test_a_job_of_another_process_is_cancelled_where_it_was_started(settings, large_vault):
    async with open_service(settings) as first:
        job = await first.start_job("cards.plan", SyncRequest(vault=str(large_vault)))
        await under_way(first, job)
        async with open_service(settings) as second:
            await asyncio.sleep(0.2)
            with pytest.raises(Conflict, match="runs in another process"):
                await second.jobs.cancel(job.id)


async def test_a_job_of_another_process_is_watched_to_its_end(settings, large_vault):
    async with open_service(settings) as first:
        job = await first.start_job("cards.plan", SyncRequest(vault=str(large_vault)))
        await under_way(first, job)
        async with open_service(settings) as second:
            statuses = [event.data["status"] async for event in second.jobs.watch(job.id)]
            assert (statuses[0], statuses[-1]) == ("running", "done")
            assert second.database.runs.count() == 1


async def test_a_running_server_resumes_a_job_whose_process_died(settings, large_vault):
    async with open_service(settings) as server:
        async with open_service(settings, go_on=False) as visitor:
            job = await visitor.start_job("cards.plan", SyncRequest(vault=str(large_vault)))
            await under_way(visitor, job)
        assert (await asyncio.wait_for(server.jobs.wait(job.id), 60)).status == "done"
        assert server.database.runs.count() == 1


def test_a_home_with_orders_keeps_its_folder(tmp_path):
    assert jobs_folder(tmp_path) == tmp_path / "jobs"
    (tmp_path / "orders").mkdir()
    assert jobs_folder(tmp_path) == tmp_path / "orders"


async def test_a_process_that_others_end_leaves_its_job_unfinished_instead_of_cancelled(service, large_vault):
    job = await service.start_job("cards.plan", SyncRequest(vault=str(large_vault)))
    await under_way(service, job)
    os.kill(service.jobs._processes[job.id].pid, signal.SIGTERM)
    ended = await service.jobs.wait(job.id)
    assert ended.status == "failed"
    assert "Resume it" in ended.problem["remedy"]
