"""Jobs and idempotent responses in the database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Row, delete, func, insert, select, update

from studium.core.database import tables
from studium.core.database.engine import Transactions, find_id, insert_new
from studium.core.database.runs import new_run_id
from studium.core.domain.errors import Conflict
from studium.core.domain.job import Job, JobStatus, ProblemDetails, StoredResponse
from studium.core.redaction import redact_json

_OPEN = ("waiting", "running")
_AS_ASKED = {"id", "request", "status", "done", "total", "item", "files"}


@dataclass(frozen=True)
class JobRepository:
    """The jobs of a database; each method is one transaction."""

    db: Transactions

    def create(self, job_type: str, request: dict[str, Any]) -> Job:
        """Add a job."""
        now = self.db.clock()
        job = Job(id=new_run_id(now), kind=job_type, request=request, placed_at=now)
        row = job.model_dump(mode="json", include=_AS_ASKED) | {"type": job.kind, "created_at": now}
        with self.db.writing() as connection:
            connection.execute(insert(tables.jobs), row)
        return job

    def get(self, given: str) -> Job:
        """The job with this id, or the only one whose id starts so."""
        with self.db.reading() as connection:
            key = find_id(connection, tables.jobs.c.id, given, "job")
            return _job(connection.execute(select(tables.jobs).where(tables.jobs.c.id == key)).one())

    def newest(self, limit: int = 20, offset: int = 0, *, job_type: str | None = None) -> list[Job]:
        """The latest jobs, newest first; `job_type` may be a whole feature (`cards`)."""
        newest = select(tables.jobs).order_by(tables.jobs.c.created_at.desc(), tables.jobs.c.id.desc())
        with self.db.reading() as connection:
            return [_job(row) for row in connection.execute(newest.where(_of(job_type)).limit(limit).offset(offset))]

    def count(self, job_type: str | None = None) -> int:
        """The number of jobs."""
        with self.db.reading() as connection:
            return connection.scalar(select(func.count()).select_from(tables.jobs).where(_of(job_type))) or 0

    def unfinished(self) -> list[Job]:
        """The unfinished jobs, oldest first."""
        waiting = select(tables.jobs).where(tables.jobs.c.status.in_(_OPEN)).order_by(tables.jobs.c.created_at)
        with self.db.reading() as connection:
            return [_job(row) for row in connection.execute(waiting)]

    def set_progress(self, job: str, *, done: int, total: int, item: str) -> None:
        """Record the progress of a job."""
        self._change(job, {"done": done, "total": total, "item": item})

    def mark_running(self, job: str) -> bool:
        """Record that a job runs; false if it has already finished."""
        return self._change(job, {"status": "running"})

    def finish(
        self,
        job: str,
        status: JobStatus,
        *,
        result: Any = None,
        problem: ProblemDetails | None = None,
        files: Sequence[str] = (),
    ) -> bool:
        """Record how a job ended; only the first end counts."""
        run = result.get("run") if isinstance(result, dict) else None
        known = {"result": result, "problem": redact_json(problem), "files": list(files)}
        return self._change(job, {"status": status, "run": run, "finished_at": self.db.clock()} | known)

    def reopen(self, job: str) -> Job:
        """Set a failed or cancelled job back to waiting."""
        over = (tables.jobs.c.id == job) & tables.jobs.c.status.in_(("failed", "cancelled"))
        again = {"status": "waiting", "problem": None, "finished_at": None}
        with self.db.writing() as connection:
            taken = connection.execute(update(tables.jobs).where(over).values(again)).rowcount
        found = self.get(job)
        if not taken:
            raise Conflict(f"Job {found.id} is {found.status}: it cannot be resumed.")
        return found

    def _change(self, job: str, change: Mapping[str, object]) -> bool:
        still_open = (tables.jobs.c.id == job) & tables.jobs.c.status.in_(_OPEN)
        with self.db.writing() as connection:
            return connection.execute(update(tables.jobs).where(still_open).values(change)).rowcount == 1


def _of(job_type: str | None) -> Any:
    if job_type is None:
        return True
    column = tables.jobs.c.type
    return column.startswith(f"{job_type}.", autoescape=True) | (column == job_type)


def _job(row: Row[Any]) -> Job:
    fields = row._asdict()
    return Job(
        kind=fields.pop("type"), placed_at=fields.pop("created_at"), ended_at=fields.pop("finished_at"), **fields
    )


RETENTION = timedelta(days=2)


@dataclass(frozen=True)
class IdempotencyRepository:
    """Stored responses by idempotency key; each method is one transaction."""

    db: Transactions

    def get(self, key: str) -> StoredResponse | None:
        """The response to an earlier request with this key."""
        known = select(tables.idempotency_keys).where(tables.idempotency_keys.c.key == key)
        with self.db.reading() as connection:
            row = connection.execute(known).mappings().first()
        return StoredResponse.model_validate({name: row[name] for name in StoredResponse.model_fields}) if row else None

    def save(self, key: str, reply: StoredResponse) -> None:
        """Save the first response for a key, and delete those older than two days."""
        now = self.db.clock()
        with self.db.writing() as connection:
            connection.execute(
                delete(tables.idempotency_keys).where(tables.idempotency_keys.c.kept_at < now - RETENTION)
            )
            row = {"key": key, "kept_at": now, **reply.model_dump()}
            connection.execute(insert_new(connection.dialect.name, tables.idempotency_keys), row)
