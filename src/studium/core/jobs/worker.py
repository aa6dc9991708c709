"""The process that runs one job; it sends its server events, and exits when the server does."""

import asyncio
import os
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from studium.core.app import open_database
from studium.core.config import Settings
from studium.core.domain.errors import Interrupted, LimitPassed, StudiumError
from studium.core.domain.job import Job, JobStatus, ProblemDetails
from studium.core.domain.run import RunContext, use_context
from studium.core.features import find_job_type
from studium.core.files import keep_folder_private, make_folder, secure_home
from studium.core.fork_server import die_with_server
from studium.core.jobs.job_types import CANCEL, JobContext
from studium.core.jobs.problem_details import RESUME_HINT, problem_details, unexpected_problem
from studium.core.process_limits import limited_memory
from studium.core.telemetry import configure_logging

_PROGRESS_INTERVAL = 0.1  # seconds between two progress events


def run_job(settings: Settings, job: Job, folder: Path, resume: bool, pipe: Connection) -> None:
    """Run the job, and record how it ended."""
    os.setsid()  # Ctrl-C at the server's terminal is not for us
    die_with_server(pipe)  # the next server restarts this job, and two must not run it
    configure_logging(settings.logs.level, json=settings.logs.json_lines)
    secure_home(settings.home)
    make_folder(folder)
    with limited_memory(settings.limits.job_memory):
        ended = _execute(settings, job, JobContext(folder, resume), pipe)
    keep_folder_private(folder)
    files = sorted(path.name for path in folder.iterdir() if path.is_file())
    with open_database(settings) as database:
        database.jobs.finish(job.id, ended.status, result=ended.result, problem=ended.problem, files=files)
    sys.stdout.flush()
    os._exit(0)  # do not wait for threads of libraries


@dataclass(frozen=True)
class _JobOutcome:
    """How a job ended: its result, or the problem that prevented it."""

    status: JobStatus
    result: Any = None
    problem: ProblemDetails | None = None


def _execute(settings: Settings, job: Job, context: JobContext, pipe: Connection) -> _JobOutcome:
    job_type = find_job_type(job.kind)
    try:
        request = job_type.request.model_validate(job.request)
        with use_context(RunContext(on_event=_EventSender(pipe).send)):
            result = asyncio.run(job_type.work(settings, request, context))
    except Interrupted as stopped:
        if not _is_cancelled(pipe):
            os._exit(1)  # a signal, as at shutdown, is not a cancellation: the job stays unfinished
        return _JobOutcome("cancelled", problem=problem_details(Interrupted(stopped.what, remedy=RESUME_HINT)))
    except StudiumError as error:
        return _JobOutcome("failed", problem=problem_details(error))
    except MemoryError:
        return _JobOutcome("failed", problem=problem_details(_too_much_memory(settings)))
    except Exception as error:  # noqa: BLE001 - the edge of the process: any failure is reported to the person
        return _JobOutcome("failed", problem=unexpected_problem(error))
    return _JobOutcome("done", result)


def _is_cancelled(pipe: Connection) -> bool:
    with suppress(EOFError, OSError):
        return pipe.poll() and pipe.recv() == CANCEL
    return False


def _too_much_memory(settings: Settings) -> LimitPassed:
    what = f"The job needs more than {settings.limits.job_memory} MB of memory."
    return LimitPassed(what, remedy="Work on less at once, or raise `limits.job_memory`.", limit="memory")


@dataclass
class _EventSender:
    """Sends events to the server; progress only every 0.1 s and at the end."""

    pipe: Connection
    last: float = 0.0
    # Events come from several threads, and only one may write to a connection at once.
    lock: threading.Lock = field(default_factory=threading.Lock)

    def send(self, kind: str, data: dict[str, Any]) -> None:
        with self.lock:
            if kind == "progress":
                now = time.monotonic()
                if data["done"] < data["total"] and now - self.last <= _PROGRESS_INTERVAL:
                    return
                self.last = now
            try:
                self.pipe.send((kind, data))
            except OSError:  # the server is gone
                os._exit(1)
