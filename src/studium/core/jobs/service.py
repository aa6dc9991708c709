"""The service behind HTTP, pages and assistants: the job queue, the uploads, and which files may be used."""

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from studium.core.app import App, open_app
from studium.core.config import Settings
from studium.core.database import Database
from studium.core.domain.errors import BadInput, NotFound
from studium.core.domain.job import Job
from studium.core.features import find_job_type
from studium.core.jobs.queue import JobQueue, jobs_folder
from studium.core.jobs.uploads import Uploads, upload_ids_in
from studium.core.process_limits import ReadLimits
from studium.core.reader_process import serving_readers

UPLOAD_PREFIX = "upload:"
"""Starts the name of an upload: `upload:<id>`."""

_LONGEST = 4096
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|//|.*\\")
_REMEDY = "Add the folder under `serve.roots` (`studium serve --root FOLDER`), or upload the file."


class PathPolicy:
    """The allowed folders, and the uploads."""

    def __init__(self, roots: Iterable[Path], uploads: Uploads) -> None:
        # Both as written and with links resolved: a path may be named either way.
        self.roots = tuple(dict.fromkeys(Path(os.path.abspath(root)) for root in roots))  # noqa: PTH100 - links stay
        self._real = tuple(root.resolve() for root in self.roots)
        self._uploads = uploads

    def resolve(self, given: str) -> Path:
        """The file or folder with this name, links resolved; reveals nothing about files outside the folders."""
        if given.startswith(UPLOAD_PREFIX):
            return self._uploads.find(given.removeprefix(UPLOAD_PREFIX)).path
        _check_syntax(given)
        candidates = [path for path in self._candidates(given) if self._holds(path)]
        if not candidates:
            raise BadInput(f"{given} is outside the folders that may be read.", remedy=_REMEDY)
        found = next((path for path in candidates if path.exists()), None)
        if found is None:
            raise NotFound(f"{given} does not exist.", remedy="Check the name and the folder.")
        if not (found.is_file() or found.is_dir()):
            raise BadInput(f"{given} is neither a file nor a folder.", remedy="Name a file or a folder.")
        return found.resolve()

    def resolve_for_writing(self, given: str) -> Path:
        """The file to write with this name; its folder must exist and be allowed."""
        folder, _, name = given.rpartition("/")
        if not name or name in (".", ".."):
            raise BadInput(f"{given} is not a file name.", remedy="Name a file.")
        if folder or given.startswith("/"):
            return self._check_link(self.resolve(folder or "/") / name, given)
        return self._check_link(self.roots[0] / name, given) if self.roots else self.resolve(given)

    def _check_link(self, path: Path, given: str) -> Path:
        """A file that exists must not be a link to elsewhere."""
        _check_syntax(given)
        return self.resolve(str(path)) if path.exists() or path.is_symlink() else path

    def _candidates(self, given: str) -> list[Path]:
        """What a path may mean: itself, or a path under each folder."""
        if given.startswith("/"):
            return [Path(given)]
        return [root / given for root in self.roots]

    def _holds(self, path: Path) -> bool:
        """Whether a path is under a folder both as written and with links resolved."""
        written = Path(os.path.normpath(path))
        if not any(written.is_relative_to(root) for root in (*self.roots, *self._real)):
            return False
        try:
            lies = path.resolve()
        except (OSError, RuntimeError):  # links in a circle
            return False
        return any(lies.is_relative_to(root) for root in self._real)


def _check_syntax(given: str) -> None:
    """Refuse what is not a path on this system, or what a shell would expand."""
    try:
        length = len(given.encode())
    except UnicodeEncodeError:
        length = 0
    if not length or _CONTROL.search(given):
        raise BadInput("The path is empty or has control characters.", remedy="Correct the path.")
    if length > _LONGEST or any(len(part.encode()) > 255 for part in given.split("/")):  # noqa: PLR2004 - as file systems
        raise BadInput("The path is too long.", remedy="Name a file with a shorter path.")
    if given.startswith("~") or _WINDOWS.match(given):
        raise BadInput(
            f"{given} is not a supported path.",
            remedy="Write it with `/`, from the root folder or from one of the folders under `serve.roots`.",
        )


_MB = 1_000_000
_THREADS = 64


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
    # Threads that wait for a reader process must not keep others from the database.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_THREADS, thread_name_prefix="service"))
    async with open_app(settings) as app:
        needed = partial(_uploads_in_use, app.database)
        uploads = Uploads(settings.home / "uploads", serve.max_upload * _MB, serve.max_uploads * _MB, needed=needed)
        await asyncio.to_thread(uploads.purge)
        paths = PathPolicy((*serve.roots, *(each for each in named if each), *own), uploads)
        jobs = JobQueue(settings, app.database)
        if go_on:
            await jobs.open()
        try:
            # A short-lived process has no time to load everything that a reader may need.
            with serving_readers(ReadLimits.of(settings.limits), settings.limits.readers, forked=go_on):
                yield Service(settings, app, jobs, uploads, paths)
        finally:
            await jobs.close()


def _uploads_in_use(database: Database) -> set[str]:
    """The uploads that unfinished jobs use."""
    return {key for job in database.jobs.unfinished() for key in upload_ids_in(json.dumps(job.request))}
