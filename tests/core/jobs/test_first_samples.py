"""The very first start: samples come by themselves, once, and only into a house in which nothing was ever done."""

import asyncio

import pytest

from studium.app.demo import add_first_samples
from studium.app.samples import is_new_home
from studium.concepts.graph_cache import graph_cache
from studium.core.config import Settings
from studium.core.jobs.service import open_service


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"serve": settings.serve.model_copy(update={"samples": True})})


async def welcomed(settings: Settings) -> int:
    """How many times samples were started, after a start."""
    async with open_service(settings) as service:
        service.jobs._slots = asyncio.Semaphore(0)
        await add_first_samples(service)
        jobs = service.database.jobs.newest(job_type="demo.fill")
        for job in jobs:
            if not job.is_finished:
                await service.jobs.cancel(job.id)
        return len(jobs)


async def test_samples_are_added_at_first_start_and_not_again_after_a_cancel(settings):
    assert await welcomed(settings) == 1
    assert await welcomed(settings) == 1


async def test_two_servers_of_one_new_home_add_samples_once(settings):
    async with open_service(settings) as one, open_service(settings) as other:
        for service in (one, other):
            service.jobs._slots = asyncio.Semaphore(0)
        await asyncio.gather(add_first_samples(one), add_first_samples(other))
        assert one.database.jobs.count() == 1


async def test_samples_can_be_switched_off(settings):
    unwanted = settings.model_copy(update={"serve": settings.serve.model_copy(update={"samples": False})})
    assert await welcomed(unwanted) == 0


@pytest.mark.parametrize("left", ["student/learner.json", "known-words-ja.txt", "patterns/own.yaml", "uploads/a/b.md"])
async def test_an_app_with_user_content_is_not_new(settings, left):
    (file := settings.home / left).parent.mkdir(parents=True)
    file.write_text("own")
    assert await welcomed(settings) == 0


async def test_an_app_with_a_run_or_a_concept_graph_is_not_new(settings):
    from studium.concepts.domain import Content

    async with open_service(settings) as service:
        assert is_new_home(settings, service.database)
        graph_cache(service.app).graph.save_book(Content(uuid="b", name="Habits", title="Habits"), None, (), {})
        assert not is_new_home(settings, service.database)
        graph_cache(service.app).graph.remove_book("b")
        assert is_new_home(settings, service.database)
        service.database.runs.start("cards", {})
        assert not is_new_home(settings, service.database)
