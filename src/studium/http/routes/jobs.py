"""Orders over HTTP: work in the background, watched while it goes on."""

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

router = APIRouter(prefix="/orders", tags=["orders"])

Id = Annotated[str, Path(min_length=1, max_length=64, description="The order's id, or as much of it as is unique.")]


@router.get("")
def list_jobs(
    service: ServiceDep,
    page: PageParams,
    kind: Annotated[str | None, Query(max_length=50, description="As in `cards.sync`, or a whole feature.")] = None,
) -> Listing[Job]:
    """The last orders, newest first."""
    found = service.database.jobs.newest(page.limit, page.offset, job_type=kind)
    return page.of(found, service.database.jobs.count(kind))


@router.get("/{order}")
async def show_job(service: ServiceDep, order: Id) -> Job:
    """One order: how far it is, and what came of it."""
    return await service.workshop.find(order)


@router.post("/{order}/cancel")
async def cancel_job(service: ServiceDep, order: Id) -> Job:
    """End an order before its time: what is in flight is finished, what was done is kept."""
    return await service.workshop.cancel(order)


@router.post("/{order}/resume", status_code=202)
async def resume_job(service: ServiceDep, order: Id) -> Job:
    """Go on with an order that failed or was cancelled."""
    return await service.workshop.resume(order)


@router.get("/{order}/events", response_class=EventSourceResponse)
async def watch_job(
    service: ServiceDep,
    found: Annotated[Job, Depends(show_job)],
    last_event_id: Annotated[int, Header(ge=0, description="Go on after this event.")] = 0,
) -> AsyncIterator[ServerSentEvent]:
    """What happens to an order, as server-sent events, until it is over."""
    async for event in service.workshop.watch(found.id, last_event_id):
        yield ServerSentEvent(id=str(event.number), event=event.kind, data=event.data)


@router.get("/{order}/files/{name}", response_class=FileResponse)
async def job_file(
    service: ServiceDep,
    order: Id,
    name: Annotated[str, Path(min_length=1, max_length=255, description="One of the order's `files`.")],
) -> FileResponse:
    """A file that an order made."""
    found = await service.workshop.find(order)
    if name not in found.files:
        raise NotFound(f"Order {found.id} made no file '{name}'.", remedy=f"It made: {', '.join(found.files)}.")
    return FileResponse(service.workshop.folder_of(found) / name, filename=name, content_disposition_type="attachment")


def job_routes() -> APIRouter:
    """The routes that place orders."""
    router = APIRouter()
    for kind in all_job_types().values():
        router.add_api_route(
            f"/{kind.name.replace('.', '/')}",
            _taking(kind),
            methods=["POST"],
            status_code=202,
            response_model=Job,
            summary=kind.told,
            operation_id=f"order_{kind.name.replace('.', '_')}",
            tags=[kind.name.partition(".")[0]],
        )
    return router


def _taking(kind: JobType) -> Any:
    async def take_order(service: ServiceDep, response: Response, request: Any = Body()) -> Job:  # noqa: B008 - FastAPI reads the default
        order = await service.order(kind.name, request)
        response.headers["Location"] = f"/api/v1/orders/{order.id}"
        return order

    take_order.__annotations__["request"] = kind.request
    take_order.__doc__ = f"{kind.told} The work goes on in the background: watch the order that is answered."
    return take_order
