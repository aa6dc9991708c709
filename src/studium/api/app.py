"""The HTTP service: the seeds' endpoints under their own paths, one house for as long as it runs."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from studium import __version__
from studium.api import vocabulary
from studium.api.problems import problem
from studium.bootstrap.house import open_house
from studium.domain.errors import StudiumError
from studium.settings import Settings

MAX_BODY = 4_000_000
"""No request is longer, in bytes."""


def create_app(settings: Settings) -> FastAPI:
    """The service for these settings."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_house(settings) as house:
            app.state.house = house
            yield

    app = FastAPI(
        title="Studium",
        version=__version__,
        summary="Study material that has been checked against its source.",
        lifespan=lifespan,
    )
    app.include_router(vocabulary.router, prefix="/api/v1")
    app.add_exception_handler(StudiumError, _failed)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.middleware("http")(_bounded)
    return app


async def _bounded(request: Request, serve: Callable[[Request], Awaitable[Response]]) -> Response:
    """Refuse what is too long before it is read; what does not say how long it is may be of any length."""
    length = request.headers.get("content-length", "")
    if request.method in ("POST", "PUT", "PATCH") and not length.isdigit():
        return JSONResponse({"error": "The request does not say how long it is (Content-Length)."}, status_code=411)
    if length.isdigit() and int(length) > MAX_BODY:
        return JSONResponse({"error": f"The request is longer than {MAX_BODY // 1_000_000} MB."}, status_code=413)
    return await serve(request)


async def _failed(_request: Request, error: Exception) -> JSONResponse:
    """An error of ours, in the seeds' form and as a problem document."""
    assert isinstance(error, StudiumError)  # noqa: S101 - the handler is registered for these alone
    said = problem(error)
    return JSONResponse({"error": f"{said['detail']} {said['remedy']}"} | said, status_code=said["status"])


async def _invalid(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - likewise
    faults = "; ".join(f"{'.'.join(map(str, fault['loc'][1:]))}: {fault['msg']}" for fault in error.errors())
    return JSONResponse({"error": f"The request cannot be used: {faults}"}, status_code=422)
