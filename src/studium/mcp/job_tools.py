"""Tools that take time: one for each kind of job, carried out like everybody's."""

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
"""For so many seconds is a cancelled job waited for; clients that leave wait little longer for us."""

_ENDLESS = frozenset({"cards.watch"})
_RETURNS = (
    "Returns the finished job: its `result`, the `files` that it made, and its `run`. It may take minutes;"
    " progress is told meanwhile, and cancelling the call ends the work and keeps what was done."
)


def job_tools() -> list[McpTool]:
    """A tool for every kind of job that comes to an end by itself."""
    return [_tool(kind) for kind in all_job_types().values() if kind.name not in _ENDLESS]


async def follow_job(call: ToolCall, job: Job) -> ToolResult:
    """Tell how far a job is until it is over, and what came of it; a cancelled call cancels it."""
    call.under_way.add(job.id)
    steps = _Steps()
    try:
        async for event in call.service.jobs.watch(job.id):
            if event.kind == "progress" and steps.forward(event.data["done"], event.data["total"]):
                await call.tell(steps.done, steps.total, event.data["item"])
    except asyncio.CancelledError:
        with anyio.CancelScope(shield=True):
            await _cancel(call.service, job)
        raise
    call.under_way.discard(job.id)
    return job_result(call.service, await call.service.jobs.find(job.id))


def job_result(service: Service, job: Job) -> ToolResult:
    """A job, as far as it is."""
    whole = job.model_dump(mode="json", exclude={"files"})
    whole["files"] = [str(service.jobs.folder_of(job) / name) for name in job.files]
    how = f" {job.problem['detail']} {job.problem['remedy']}" if job.problem else ""
    return ToolResult(
        f"Job {job.id} ({job.kind}) is {job.status}.{how}",
        whole,
        more=f"Call show_job with id {job.id}, and with a `part` (as in `left_out`) and an `offset`.",
        failed=job.status in ("failed", "cancelled"),
    )


def check_budget(settings: Settings, request: BaseModel) -> None:
    """Refuse to spend more than the settings allow: an assistant may ask for less, never for more."""
    most, wanted = settings.budget.cost, getattr(request, "max_cost", None)
    if most is not None and wanted is not None and wanted > most:
        raise BadInput(f"The settings allow a run to cost {most:g}, not {wanted:g}.", remedy="Ask for less.")


def _tool(kind: JobType) -> McpTool:
    async def answer(call: ToolCall, request: Any) -> ToolResult:
        check_budget(call.service.settings, request)
        # Half a job, written down and never begun, would be worse than one that is cancelled next.
        with anyio.CancelScope(shield=True):
            job = await call.service.start_job(kind.name, request)
        return await follow_job(call, job)

    name, told = kind.name.replace(".", "_"), f"{kind.told} {_RETURNS}"
    return McpTool(name, told, kind.request, answer, reads=False, writes=kind.writes)


async def _cancel(service: Service, job: Job) -> None:
    with suppress(Conflict, TimeoutError):
        await service.jobs.cancel(job.id)
        async with asyncio.timeout(CANCEL_TIMEOUT):
            await service.jobs.wait(job.id)


class _Steps:
    """How far a job is over all its stages, each of which counts from the beginning; what is told only grows."""

    def __init__(self) -> None:
        self.done, self.total = 0, 0
        self._stage, self._before = (0, 0), 0

    def forward(self, done: int, total: int) -> bool:
        """Whether this is news."""
        if done < self._stage[0] or total < self._stage[1]:
            self._before = self.done
        news = self._before + done > self.done
        self._stage = (done, total)
        self.done, self.total = max(self.done, self._before + done), self._before + total
        return news
