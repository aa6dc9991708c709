"""Uploads: a file that a job uses stays, and old ones are removed while the server runs."""

import asyncio
import os

import pytest

from studium.core.domain.errors import Conflict, NotFound, StorageFailed
from studium.core.jobs.service import open_service
from studium.questions.jobs import GenerateQuestions

KINDS = frozenset({"md"})


async def brought(service, name="paper.md", size=400_000):
    async def pieces():
        yield b"x" * size

    return await service.uploads.save(name, pieces(), kinds=KINDS)


@pytest.fixture
def settings(settings):
    """With room for a megabyte."""
    return settings.model_copy(update={"serve": settings.serve.model_copy(update={"max_uploads": 1})})


@pytest.fixture
def service(service):
    """One whose jobs stay where they are."""
    service.jobs._slots = asyncio.Semaphore(0)
    return service


async def test_a_file_that_a_job_uses_cannot_be_removed(service):
    paper = await brought(service)
    job = await service.start_job("questions.generate", GenerateQuestions(document=f"upload:{paper.id}", count=1))
    with pytest.raises(Conflict, match=r"paper\.md is used by a job") as refused:
        service.uploads.remove(paper.id)
    assert "cancel" in refused.value.remedy
    await service.jobs.cancel(job.id)
    service.uploads.remove(paper.id)
    with pytest.raises(NotFound):
        service.uploads.find(paper.id)


async def test_old_files_are_purged_for_new_ones_unless_a_job_uses_them(service):
    needed, old, young = [await brought(service, size=300_000) for _ in range(3)]
    await service.start_job("questions.generate", GenerateQuestions(document=f"upload:{needed.id}", count=1))
    for each in (needed, old):
        os.utime(each.path.parent, (0, 0))
    new = await brought(service, size=300_000)
    assert {each.id for each in service.uploads.all()} == {needed.id, young.id, new.id}
    with pytest.raises(StorageFailed, match=r"storage is full \(1 MB\)") as refused:
        await brought(service)
    assert "Remove uploaded files" in refused.value.remedy


async def test_old_files_are_purged_at_start_except_those_of_a_resumed_job(service, settings):
    needed, old = [await brought(service) for _ in range(2)]
    await service.start_job("questions.generate", GenerateQuestions(document=f"upload:{needed.id}", count=1))
    for each in (needed, old):
        os.utime(each.path.parent, (0, 0))
    async with open_service(settings, go_on=False) as again:
        assert again.uploads.all() == [needed]
