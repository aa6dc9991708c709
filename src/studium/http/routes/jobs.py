"""Jobs over HTTP: background work that can be watched."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Header, Path, Query, Response
from fastapi.responses import FileResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent

from studium.core.domain.errors import NotFound
from studium.core.domain.job import Job
from studium.core.features import all_job_types
from studium.core.jobs.job_types import JobType
from studium.http.deps import Listing, PageParams, ServiceDep

router = APIRouter(prefix="/jobs", tags=["jobs"])

Id = Annotated[str, Path(min_length=1, max_length=64, description="The job's id, or a unique beginning of it.")]


@router.get("")
def list_jobs(
    service: ServiceDep,
    page: PageParams,
    kind: Annotated[str | None, Query(max_length=50, description="As in `cards.sync`, or a whole feature.")] = None,
) -> Listing[Job]:
    """The last jobs, newest first."""
    found = service.database.jobs.newest(page.limit, page.offset, job_type=kind)
    return page.of(found, service.database.jobs.count(kind))


@router.get("/{job}")
async def show_job(service: ServiceDep, job: Id) -> Job:
    """One job: its progress and its result."""
    return await service.jobs.find(job)


@router.post("/{job}/cancel")
async def cancel_job(service: ServiceDep, job: Id) -> Job:
    """Cancel a job: the current step is finished, and what was done is kept."""
    return await service.jobs.cancel(job)


@router.post("/{job}/resume", status_code=202)
async def resume_job(service: ServiceDep, job: Id) -> Job:
    """Resume a job that failed or was cancelled."""
    return await service.jobs.resume(job)


@router.get("/{job}/events", response_class=EventSourceResponse)
async def watch_job(
    service: ServiceDep,
    found: Annotated[Job, Depends(show_job)],
    last_event_id: Annotated[int, Header(ge=0, description="Continue after this event.")] = 0,
) -> AsyncIterator[ServerSentEvent]:
    """The events of a job, as server-sent events, until it ends."""
    async for event in service.jobs.watch(found.id, last_event_id):
        yield ServerSentEvent(id=str(event.number), event=event.kind, data=event.data)


@router.get("/{job}/files/{name}", response_class=FileResponse)
async def job_file(
    service: ServiceDep,
    job: Id,
    name: Annotated[str, Path(min_length=1, max_length=255, description="One of the job's `files`.")],
) -> FileResponse:
    """A file that a job made."""
    found = await service.jobs.find(job)
    if name not in found.files:
        raise NotFound(f"Job {found.id} made no file '{name}'.", remedy=f"It made: {', '.join(found.files)}.")
    return FileResponse(service.jobs.folder_of(found) / name, filename=name, content_disposition_type="attachment")


def job_routes() -> APIRouter:
    """The routes that start jobs."""
    router = APIRouter()
    for kind in all_job_types().values():
        router.add_api_route(
            f"/{kind.name.replace('.', '/')}",
            _start_route(kind),
            methods=["POST"],
            status_code=202,
            response_model=Job,
            summary=kind.description,
            operation_id=f"start_{kind.name.replace('.', '_')}",
            tags=[kind.name.partition(".")[0]],
        )
    return router


def _start_route(kind: JobType) -> Any:
    async def start_job(service: ServiceDep, response: Response, request: Any = Body()) -> Job:  # noqa: B008 - FastAPI reads the default
        job = await service.start_job(kind.name, request)
        response.headers["Location"] = f"/api/v1/jobs/{job.id}"
        return job

    start_job.__annotations__["request"] = kind.request
    start_job.__doc__ = f"{kind.description} It runs in the background: watch the job in the response."
    return start_job
