"""The tools that are offered to assistants, as the settings allow."""

import asyncio
from contextlib import suppress
from typing import Annotated, Any, Literal, TypedDict

import anyio
from pydantic import BaseModel, Field

from studium.app.review_actions import answer_review
from studium.core.config import Settings
from studium.core.domain.decision import Action, Review, ReviewStatus
from studium.core.domain.errors import BadInput, Conflict, NotFound
from studium.core.domain.job import Job
from studium.core.features import all_job_types, find_job_type
from studium.core.jobs.job_types import JobRequest, JobType, ShortText
from studium.core.jobs.service import Service
from studium.core.runs import review_text
from studium.mcp.tool import (
    Json,
    McpTool,
    PageRequest,
    ShowRequest,
    ToolCall,
    ToolResult,
    feature_parts,
    in_thread,
    show_result,
)

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


class ListReviewsRequest(PageRequest):
    """Which reviews to list."""

    feature: Literal["cards", "vocabulary", "questions", "concepts", "tutor"] | None = None
    """Only of this feature."""
    status: ReviewStatus | None = ReviewStatus.OPEN
    """Only this status; null for all."""


class AnswerReviewRequest(JobRequest):
    """What the person decided about a review."""

    id: ShortText
    """The review's id, or a unique beginning of it."""
    status: Literal["approved", "edited", "rejected", "responded"]
    """What the person decided."""
    answer: Json | None = None
    """The whole proposal as the person wants it, if it was edited; or what was asked for."""
    comment: str | None = Field(None, max_length=10_000)
    """What the person said about it."""


def review_json(service: Service, review: Review) -> Json:
    """A review, with the diff of its proposal."""
    return review.model_dump(mode="json") | {"changes": review_text.review_diff(service.database, review)}


class ReviewSummary(TypedDict):
    """A review in a list."""

    id: str
    feature: str
    status: str
    opened_at: str
    item: str
    doubt: str
    """The first thing that was found against the proposal."""


class ReviewPage(TypedDict):
    """A page of the reviews."""

    total: int
    offset: int
    reviews: list[ReviewSummary]


def reviews_json(service: Service, asked: ListReviewsRequest) -> ReviewPage:
    """Reviews, a line each, and how many there are."""
    found = service.database.reviews.select(asked.status, asked.feature, limit=asked.limit, offset=asked.offset)
    counts = service.database.reviews.count(asked.status)
    total = counts.get(asked.feature, 0) if asked.feature else sum(counts.values())
    return {"total": total, "offset": asked.offset, "reviews": [_summary(review) for review in found]}


def _summary(review: Review) -> ReviewSummary:
    doubts = [finding.message for finding in review.decision.findings] or list(review.decision.reasons)
    return ReviewSummary(
        id=review.id,
        feature=review.feature,
        status=review.status.value,
        opened_at=review.model_dump(mode="json", include={"opened_at"})["opened_at"],
        item=review.decision.item,
        doubt=next(iter(doubts), ""),
    )


def _list_reviews(service: Service, asked: ListReviewsRequest) -> ToolResult:
    found = reviews_json(service, asked)
    return ToolResult(f"{found['total']} reviews; {len(found['reviews'])} are listed.", dict(found))


def _show_review(service: Service, asked: ShowRequest) -> ToolResult:
    review = service.database.reviews.get(asked.id)
    return show_result(asked, f"Review {review.id} is {review.status}.", review_json(service, review))


async def _answer_review(call: ToolCall, asked: AnswerReviewRequest) -> ToolResult:
    taken = await answer_review(call.service, asked.id, asked.status, asked.answer, asked.comment)
    return ToolResult(f"Review {taken.id} is {taken.status}.", taken.model_dump(mode="json"))


REVIEW_TOOLS = (
    McpTool(
        "list_reviews",
        "List the open reviews, oldest first.",
        ListReviewsRequest,
        in_thread(_list_reviews),
    ),
    McpTool(
        "show_review",
        "Show one review: the proposal, its evidence, and what was found.",
        ShowRequest,
        in_thread(_show_review),
    ),
    McpTool(
        "answer_review",
        "Pass on the person's decision on one review. The decision is the person's, never yours: show the proposal and"
        " what was found, ask, and call this only with what the person then said. The first answer counts.",
        AnswerReviewRequest,
        _answer_review,
        reads=False,
        writes=True,
    ),
)


_BRIEF = {"id", "kind", "status", "run", "done", "total", "placed_at", "ended_at"}


class ListRunsRequest(PageRequest):
    """Which runs to list."""

    feature: Annotated[str, Field(max_length=50)] | None = None
    """Only of this feature."""


class ListDecisionsRequest(PageRequest):
    """Which decisions of a run to list."""

    run: ShortText
    """The run's id, or a unique beginning of it."""
    action: Action | None = None
    """Only these."""


class ListJobsRequest(PageRequest):
    """Which jobs to list."""

    kind: Annotated[str, Field(max_length=50)] | None = None
    """As in `cards.sync`, or a whole feature."""


class ResumeJobRequest(JobRequest):
    """A job to resume."""

    id: ShortText
    """The job's id, or a unique beginning of it."""


def run_json(service: Service, given: str) -> Json:
    """A run, with its cost and result."""
    run = service.database.runs.get(given)
    return run.model_dump(mode="json") | {"metrics": service.database.metrics.measure(run.id).model_dump(mode="json")}


class DecisionPage(TypedDict):
    """A page of the decisions of a run."""

    total: int
    offset: int
    decisions: list[Json]


def decisions_json(service: Service, asked: ListDecisionsRequest) -> DecisionPage:
    """Decisions of a run, and how many there are."""
    found, total = service.database.items.decisions_page(
        asked.run, asked.action, limit=asked.limit, offset=asked.offset
    )
    given = [decision.model_dump(mode="json", exclude={"proposal_schema", "change"}) for decision in found]
    return {"total": total, "offset": asked.offset, "decisions": given}


def _list_runs(service: Service, asked: ListRunsRequest) -> ToolResult:
    found = service.database.runs.newest(asked.limit, asked.offset, feature=asked.feature)
    total = service.database.runs.count(asked.feature)
    given = [run.model_dump(mode="json") for run in found]
    return ToolResult(f"{total} runs, newest first; {len(given)} are listed.", {"total": total, "runs": given})


def _show_run(service: Service, asked: ShowRequest) -> ToolResult:
    found = run_json(service, asked.id)
    return show_result(asked, f"Run {found['id']} ({found['feature']}) is {found['status']}.", found)


def _list_decisions(service: Service, asked: ListDecisionsRequest) -> ToolResult:
    found = decisions_json(service, asked)
    return ToolResult(f"{found['total']} decisions; {len(found['decisions'])} are listed.", dict(found))


def _list_jobs(service: Service, asked: ListJobsRequest) -> ToolResult:
    found = service.database.jobs.newest(asked.limit, asked.offset, job_type=asked.kind)
    total = service.database.jobs.count(asked.kind)
    given = [job.model_dump(mode="json", include=_BRIEF) for job in found]
    return ToolResult(f"{total} jobs, newest first; {len(given)} are listed.", {"total": total, "jobs": given})


def _show_job(service: Service, asked: ShowRequest) -> ToolResult:
    found = job_result(service, service.database.jobs.get(asked.id))
    return show_result(asked, found.summary, found.data)


async def _resume(call: ToolCall, asked: ResumeJobRequest) -> ToolResult:
    job = await call.service.jobs.find(asked.id)
    if find_job_type(job.kind).writes and not call.service.settings.serve.assistants_may_write:
        raise BadInput(f"Assistants may not start {job.kind} here.", remedy="The person can resume it in the app.")
    return await follow_job(call, await call.service.jobs.resume(job.id))


RECORD_TOOLS = (
    McpTool("list_runs", "List the last runs of the features, newest first.", ListRunsRequest, in_thread(_list_runs)),
    McpTool("show_run", "Show one run: its status, cost and results.", ShowRequest, in_thread(_show_run)),
    McpTool(
        "list_decisions",
        "List what a run decided about each item, and why.",
        ListDecisionsRequest,
        in_thread(_list_decisions),
    ),
    McpTool("list_jobs", "List the last background jobs.", ListJobsRequest, in_thread(_list_jobs)),
    McpTool("show_job", "Show one job: its progress and its result.", ShowRequest, in_thread(_show_job)),
    McpTool("resume_job", "Resume a job that failed or was cancelled.", ResumeJobRequest, _resume, reads=False),
)


def all_tools() -> dict[str, McpTool]:
    """All tools by name."""
    lookups = (tool for parts in feature_parts() for tool in parts.tools)
    return {tool.name: tool for tool in (*REVIEW_TOOLS, *RECORD_TOOLS, *lookups, *job_tools())}


def allowed_tools(settings: Settings) -> dict[str, McpTool]:
    """The tools that assistants may use: those that write only if the settings allow it."""
    return {name: tool for name, tool in all_tools().items() if settings.serve.assistants_may_write or not tool.writes}


def find_tool(settings: Settings, name: str) -> McpTool:
    """The tool with this name, if it is offered."""
    if found := allowed_tools(settings).get(name):
        return found
    if name in all_tools():
        raise NotFound(
            f"The tool '{name}' changes things outside Studium, and assistants may not do that here.",
            remedy="The person can do it in the app, or set `serve.assistants_may_write`.",
        )
    raise NotFound(f"There is no tool '{name}'.", remedy="List the tools.")
