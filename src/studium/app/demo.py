"""The jobs that add the samples to a home and remove them, and the one that a new home starts with."""

import asyncio
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from studium.app.samples import add_samples, is_new_home, remove_samples, samples_folder
from studium.core.config import Settings
from studium.core.domain.errors import StudiumError
from studium.core.files import file_lock
from studium.core.jobs.job_types import JobContext, JobRequest, JobType
from studium.core.jobs.service import Service


class AddSamplesRequest(JobRequest):
    """Needs no arguments."""


class RemoveSamplesRequest(JobRequest):
    """Needs no arguments."""


async def _add(settings: Settings, _request: AddSamplesRequest, _context: JobContext) -> dict[str, Any]:
    made = await add_samples(settings, samples_folder(settings))
    return {"made": [asdict(each) for each in made]}


async def _remove(settings: Settings, _request: RemoveSamplesRequest, _context: JobContext) -> dict[str, Any]:
    return {"removed": await remove_samples(settings, samples_folder(settings))}


async def add_first_samples(service: Service) -> None:
    """Add the samples to a home that was never used, if the settings say so."""
    settings = service.settings
    # Two servers of one home may start at once; and a home that cannot be read is not known to be new.
    with suppress(StudiumError), file_lock(settings.home / "locks", "the first start"):
        if settings.serve.samples and await asyncio.to_thread(is_new_home, settings, service.database):
            await service.start_job("demo.fill", AddSamplesRequest())


JOB_TYPES = (
    JobType("demo.fill", "Run every feature on the shipped samples.", AddSamplesRequest, _add),
    JobType(
        "demo.forget",
        "Remove the samples and everything made from them, and nothing else.",
        RemoveSamplesRequest,
        _remove,
        writes=True,
    ),
)
