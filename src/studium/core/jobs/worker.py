"""The process that carries one order out; it tells its server how far it is, and ends when the server does."""

import asyncio
import os
import sys
import threading
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from studium.core.app import open_database
from studium.core.config import Settings
from studium.core.domain.errors import Interrupted, StudiumError
from studium.core.domain.job import Job
from studium.core.domain.run import RunContext, use_context
from studium.core.features import find_job_type
from studium.core.jobs.job_types import JobContext
from studium.core.jobs.problem_details import RESUME_HINT, problem_details, unexpected_problem
from studium.core.telemetry.logs import configure_logging

_EVERY = 0.1  # seconds between two events of progress


def run_job(settings: Settings, order: Job, folder: Path, resume: bool, line: Connection) -> None:
    """Carry the order out, and write down how it ended."""
    os.setsid()  # what is typed at the server's terminal is not for us
    threading.Thread(target=_end_with_the_server, args=(line,), daemon=True).start()
    configure_logging(settings.logs.level, json=settings.logs.json_lines)
    folder.mkdir(parents=True, exist_ok=True)
    ended = _execute(settings, order, JobContext(folder, resume), line)
    files = sorted(path.name for path in folder.iterdir() if path.is_file())
    with open_database(settings) as database:
        database.jobs.finish(order.id, ended.pop("status"), files=files, **ended)
    sys.stdout.flush()
    os._exit(0)  # what threads of libraries still wait for is of no interest to anybody


def _execute(settings: Settings, order: Job, errand: JobContext, line: Connection) -> dict[str, Any]:
    """How it ended, in the database's words."""
    kind = find_job_type(order.kind)
    try:
        request = kind.request.model_validate(order.request)
        with use_context(RunContext(on_event=_EventSender(line).send)):
            result = asyncio.run(kind.work(settings, request, errand))
    except Interrupted as stopped:
        return {"status": "cancelled", "problem": problem_details(Interrupted(stopped.what, remedy=RESUME_HINT))}
    except StudiumError as error:
        return {"status": "failed", "problem": problem_details(error)}
    except Exception as error:  # noqa: BLE001 - the edge of the process: whatever it was, the person is told
        return {"status": "failed", "problem": unexpected_problem(error)}
    return {"status": "done", "result": result}


@dataclass
class _EventSender:
    """Sends the server what happens; how far the work is, only now and then and at the end."""

    line: Connection
    last: float = 0.0
    # Events come from several threads, and a connection can be written to by one at a time.
    lock: threading.Lock = field(default_factory=threading.Lock)

    def send(self, kind: str, data: dict[str, Any]) -> None:
        with self.lock:
            if kind == "progress":
                now = time.monotonic()
                if data["done"] < data["total"] and now - self.last <= _EVERY:
                    return
                self.last = now
            self.line.send((kind, data))


def _end_with_the_server(line: Connection) -> None:
    """A server that is gone will have this order carried out anew, so two must not work on it."""
    try:
        line.recv()
    except (EOFError, OSError):
        os._exit(1)
