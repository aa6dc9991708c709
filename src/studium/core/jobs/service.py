"""The service behind HTTP, pages and assistants, open as long as the server runs."""

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
    """The app, its job queue, uploads and path policy."""

    settings: Settings
    app: App
    jobs: JobQueue
    uploads: Uploads
    paths: PathPolicy

    @property
    def database(self) -> Database:
        """The database."""
        return self.app.database

    async def start_job(self, job_type: str, request: BaseModel | dict[str, Any]) -> Job:
        """Start a job; the settings must allow every file that it names."""
        found = find_job_type(job_type)
        finding = {"find": self.find, "find_to_write": self.paths.resolve_for_writing}
        asked = request if isinstance(request, dict) else request.model_dump()
        checked = await asyncio.to_thread(found.request.model_validate, asked, context=finding)
        return await self.jobs.submit(found.name, checked)

    def find(self, given: str) -> Path:
        """The file or folder with this name: an upload (`upload:ID`), or one that the settings allow."""
        return self.paths.resolve(given)


@asynccontextmanager
async def open_service(settings: Settings, *, go_on: bool = True) -> AsyncIterator[Service]:
    """Open the service; it resumes unfinished jobs.

    A short-lived process, such as an assistant's, leaves that to a server: `go_on=False`.
    """
    serve = settings.serve
    named = (settings.cards.vault, settings.concepts.vault, settings.tutor.labs)
    own = (settings.home / "demo", jobs_folder(settings.home), settings.home / "packages")
    async with open_app(settings) as app:
        needed = partial(_uploads_in_use, app.database)
        uploads = Uploads(settings.home / "uploads", serve.max_upload * _MB, serve.max_uploads * _MB, needed=needed)
        await asyncio.to_thread(uploads.purge)
        paths = PathPolicy((*serve.roots, *(each for each in named if each), *own), uploads)
        jobs = JobQueue(settings, app.database)
        if go_on:
            await jobs.open()
        try:
            yield Service(settings, app, jobs, uploads, paths)
        finally:
            await jobs.close()


def _uploads_in_use(database: Database) -> set[str]:
    """The uploads that unfinished jobs use."""
    return {key for job in database.jobs.unfinished() for key in upload_ids_in(json.dumps(job.request))}
