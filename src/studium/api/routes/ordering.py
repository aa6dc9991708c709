"""One route a kind of order: `POST /api/v1/cards/sync` places an order of the kind `cards.sync`."""

from typing import Any

from fastapi import APIRouter, Body, Response

from studium.api.asked import TheService
from studium.core.domain.job import Job
from studium.service.kinds.kind import Kind
from studium.service.kinds.registry import all_kinds


def ordering() -> APIRouter:
    """The routes that place orders."""
    router = APIRouter()
    for kind in all_kinds().values():
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


def _taking(kind: Kind) -> Any:
    async def take_order(service: TheService, response: Response, request: Any = Body()) -> Job:  # noqa: B008 - FastAPI reads the default
        order = await service.order(kind.name, request)
        response.headers["Location"] = f"/api/v1/orders/{order.id}"
        return order

    take_order.__annotations__["request"] = kind.request
    take_order.__doc__ = f"{kind.told} The work goes on in the background: watch the order that is answered."
    return take_order
