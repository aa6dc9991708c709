"""Tools that start jobs: one for each job type."""

import asyncio
from contextlib import suppress
from typing import Any

import anyio
from pydantic import BaseModel

from studium.core.config import Settings
from studium.core.domain.errors import BadInput, Conflict
from studium.core.domain.job import Job
from studium.core.features import all_job_types
from studium.core.jobs.job_types import JobType
from studium.core.jobs.service import Service
from studium.mcp.tool import McpTool, ToolCall, ToolResult

CANCEL_TIMEOUT = 1.0
"""How many seconds to wait for a cancelled job to end; clients that disconnect wait little longer for us."""

_NEVER_ENDING = frozenset({"cards.watch"})
_RETURNS = (
    "Returns the finished job: its `result`, the `files` it made, and its `run`. It may take minutes;"
    " progress is reported meanwhile, and cancelling the call ends the job and keeps what it has done."
)


def job_tools() -> list[McpTool]:
    """A tool for every job type that ends by itself."""
    return [_tool(kind) for kind in all_job_types().values() if kind.name not in _NEVER_ENDING]


async def follow_job(call: ToolCall, job: Job) -> ToolResult:
    """Report the progress of a job until it ends, then its result; cancelling the call cancels the job."""
    call.running_jobs.add(job.id)
    steps = _Steps()
    try:
        async for event in call.service.jobs.watch(job.id):
            if event.kind == "progress" and steps.advance(event.data["done"], event.data["total"]):
                await call.report_progress(steps.done, steps.total, event.data["item"])
    except asyncio.CancelledError:
        with anyio.CancelScope(shield=True):
            await _cancel(call.service, job)
        raise
    call.running_jobs.discard(job.id)
    return job_result(call.service, await call.service.jobs.find(job.id))


def job_result(service: Service, job: Job) -> ToolResult:
    """A job and its current state."""
    data = job.model_dump(mode="json", exclude={"files"})
    data["files"] = [str(service.jobs.folder_of(job) / name) for name in job.files]
    problem = f" {job.problem['detail']} {job.problem['remedy']}" if job.problem else ""
    return ToolResult(
        f"Job {job.id} ({job.kind}) is {job.status}.{problem}",
        data,
        more=f"Call show_job with id {job.id}, and with a `part` (as in `left_out`) and an `offset`.",
        failed=job.status in ("failed", "cancelled"),
    )


def check_budget(settings: Settings, request: BaseModel) -> None:
    """Refuse a request whose `max_cost` exceeds the budget in the settings."""
    most, wanted = settings.budget.cost, getattr(request, "max_cost", None)
    if most is not None and wanted is not None and wanted > most:
        raise BadInput(f"The settings allow a run to cost {most:g}, not {wanted:g}.", remedy="Lower `max_cost`.")


def _tool(kind: JobType) -> McpTool:
    async def answer(call: ToolCall, request: Any) -> ToolResult:
        check_budget(call.service.settings, request)
        # Cancelled half-way, this would leave a job that is recorded but never started.
        with anyio.CancelScope(shield=True):
            job = await call.service.start_job(kind.name, request)
        return await follow_job(call, job)

    name, description = kind.name.replace(".", "_"), f"{kind.description} {_RETURNS}"
    return McpTool(name, description, kind.request, answer, reads=False, writes=kind.writes)


async def _cancel(service: Service, job: Job) -> None:
    with suppress(Conflict, TimeoutError):
        await service.jobs.cancel(job.id)
        async with asyncio.timeout(CANCEL_TIMEOUT):
            await service.jobs.wait(job.id)


class _Steps:
    """The progress of a job over all its stages, each of which counts from zero; it never goes back."""

    def __init__(self) -> None:
        self.done, self.total = 0, 0
        self._stage, self._before = (0, 0), 0

    def advance(self, done: int, total: int) -> bool:
        """Whether this is progress."""
        if done < self._stage[0] or total < self._stage[1]:
            self._before = self.done
        is_progress = self._before + done > self.done
        self._stage = (done, total)
        self.done, self.total = max(self.done, self._before + done), self._before + total
        return is_progress
