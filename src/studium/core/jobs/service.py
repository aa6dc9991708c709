"""The service: what HTTP, pages and assistants work with, for as long as the server runs."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from studium.core.app import App, open_app
from studium.core.config import Settings
from studium.core.database import Database
from studium.core.domain.job import Job
from studium.core.features import find_job_type
from studium.core.jobs.path_policy import PathPolicy
from studium.core.jobs.queue import JobQueue, jobs_folder
from studium.core.jobs.uploads import Uploads, upload_ids_in

_MB = 1_000_000


@dataclass(frozen=True)
class Service:
    """One app, one job queue, and what may be reached through them."""

    settings: Settings
    app: App
    jobs: JobQueue
    uploads: Uploads
    places: PathPolicy

    @property
    def database(self) -> Database:
        """The database."""
        return self.app.database

    async def start_job(self, job_type: str, request: BaseModel | dict[str, Any]) -> Job:
        """Start a job; every file it names must lie where the settings allow."""
        found = find_job_type(job_type)
        finding = {"find": self.find, "find_to_write": self.places.to_write}
        asked = request if isinstance(request, dict) else request.model_dump()
        checked = await asyncio.to_thread(found.request.model_validate, asked, context=finding)
        return await self.jobs.submit(found.name, checked)

    def find(self, given: str) -> Path:
        """The file or folder that is meant: one that was brought (`upload:ID`), or one where the settings allow it."""
        return self.places.inside(given)


@asynccontextmanager
async def open_service(settings: Settings, *, go_on: bool = True) -> AsyncIterator[Service]:
    """The service for these settings; what was under way when the last one ended is gone on with.

    Whoever stays for a short while only, as an assistant's own process does, leaves that to a server: not `go_on`.
    """
    serve = settings.serve
    named = (settings.cards.vault, settings.concepts.vault, settings.tutor.labs)
    own = (settings.home / "demo", jobs_folder(settings.home), settings.home / "packages")
    async with open_app(settings) as app:
        needed = partial(_uploads_in_use, app.database)
        uploads = Uploads(settings.home / "uploads", serve.max_upload * _MB, serve.max_uploads * _MB, needed=needed)
        await asyncio.to_thread(uploads.purge)
        places = PathPolicy((*serve.roots, *(each for each in named if each), *own), uploads)
        jobs = JobQueue(settings, app.database)
        if go_on:
            await jobs.open()
        try:
            yield Service(settings, app, jobs, uploads, places)
        finally:
            await jobs.close()


def _uploads_in_use(database: Database) -> set[str]:
    """The uploads that unfinished jobs use."""
    return {key for job in database.jobs.unfinished() for key in upload_ids_in(json.dumps(job.request))}
