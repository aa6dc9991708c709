"""The HTTP application: every capability under `/api/v1`, and the guard before all of it."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi_offline import FastAPIOffline
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.routing import compile_path
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocketClose

from studium import __version__
from studium.app.samples import add_first_samples
from studium.core.config import Settings
from studium.core.domain.errors import StudiumError
from studium.core.domain.job import ProblemDetails
from studium.core.features import Feature, Ref, all_features
from studium.core.jobs.problem_details import problem_details
from studium.core.jobs.service import open_service
from studium.core.redaction import register_secret
from studium.http.guard import Guard
from studium.http.middleware import ErrorMiddleware, ETagMiddleware, IdempotencyMiddleware, JsonLimitMiddleware
from studium.http.routes.jobs import job_routes
from studium.http.sessions import SESSIONS_FILE, Sessions


class Problem(BaseModel):
    """Why a request failed: what happened, and what to do."""

    type: str
    title: str
    status: int
    detail: str
    remedy: str
    error: str

    model_config = {
        "json_schema_extra": {
            "examples": [
                {
                    "type": "about:blank",
                    "title": "Not found",
                    "status": 404,
                    "detail": "There is no run 'x'.",
                    "remedy": "Check the name.",
                    "error": "There is no run 'x'. Check the name.",
                }
            ]
        }
    }


PROBLEMS: dict[int | str, dict[str, Any]] = {
    "default": {
        "description": "A problem: what happened, and what to do.",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
}


def add_problem_schema(app: FastAPI) -> None:
    """Add the schema of a problem to the OpenAPI description."""
    describe = app.openapi

    def described() -> dict[str, Any]:
        described = describe()
        described["components"]["schemas"]["Problem"] = Problem.model_json_schema()
        return described

    app.openapi = described  # type: ignore[method-assign] # FastAPI's way of changing its description


_MB = 1_000_000
_MOST_FAULTS = 20
_LONGEST_PLACE = 100
_LONGEST_MESSAGE = 500
_ROUTERS = (
    Ref("studium.http.routes.system:router"),
    Ref("studium.http.routes.runs:reviews_router"),
    Ref("studium.http.routes.runs:router"),
    Ref("studium.http.routes.jobs:router"),
    Ref("studium.http.routes.uploads:router"),
)


def create_app(settings: Settings, features: Sequence[Feature] | None = None) -> FastAPI:
    """The application for these settings, with the routes of these features; by default of all."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_service(settings) as service:
            app.state.service = service
            await add_first_samples(service)
            yield

    app = FastAPIOffline(
        title="Studium",
        version=__version__,
        summary="Study material that has been checked against its source.",
        lifespan=lifespan,
        static_url="/docs-assets",
    )
    app.include_router(_version_1(all_features() if features is None else features))
    # Otherwise the pages, which are mounted on this app, would answer unknown paths under `/api` as missing pages.
    app.mount("/api", _unknown_path)
    app.add_exception_handler(StudiumError, _failed)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    add_problem_schema(app)
    app.add_middleware(ETagMiddleware)
    app.add_middleware(IdempotencyMiddleware, state=app.state)
    app.add_middleware(JsonLimitMiddleware)
    app.add_middleware(ErrorMiddleware)
    token = settings.serve.token.get_secret_value() if settings.serve.token else None
    if token:
        register_secret(token)
    app.state.sessions = Sessions(settings.home / SESSIONS_FILE)
    app.add_middleware(
        Guard,
        allowed_hosts=(settings.serve.host, *settings.serve.names),
        token=token,
        sessions=app.state.sessions,
        max_upload=settings.serve.max_upload * _MB,
    )
    return app


def _version_1(features: Sequence[Feature]) -> APIRouter:
    api = APIRouter(prefix="/api/v1", responses=PROBLEMS)
    for router in (*_ROUTERS, *(router for feature in features for router in feature.routes)):
        api.include_router(router.load())
    api.include_router(job_routes())
    return api


async def _unknown_path(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer 404 for an unknown path under `/api`, or 405 for a wrong method."""
    if scope["type"] == "websocket":
        await WebSocketClose()(scope, receive, send)
        return
    if methods := _methods(Request(scope)):
        raise HTTPException(405, headers={"Allow": ", ".join(methods)})
    raise HTTPException(404)


async def _failed(_request: Request, error: Exception) -> Response:
    """An error of Studium, as a problem document."""
    assert isinstance(error, StudiumError)  # noqa: S101 - the handler is registered for these alone
    return _problem_response(problem_details(error))


async def _invalid(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - likewise
    found = error.errors()
    faults = "; ".join(_fault(fault) for fault in found[:_MOST_FAULTS])
    if len(found) > _MOST_FAULTS:
        faults += f"; and {len(found) - _MOST_FAULTS:,} more"
    return _problem(
        422,
        "The request is not valid",
        f"The request is not valid: {faults}",
        "See /docs for the fields and their limits.",
    )


def _fault(fault: Mapping[str, Any]) -> str:
    place = ".".join(map(str, fault["loc"][1:]))
    shown = place if len(place) <= _LONGEST_PLACE else f"{place[:_LONGEST_PLACE]}…"
    return f"{shown}: {fault['msg'][:_LONGEST_MESSAGE]}"


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - likewise
    response = _problem(error.status_code, str(error.detail), f"{error.detail}.", "See /docs for the available routes.")
    response.headers.update(error.headers or {})
    if "allow" in response.headers:
        response.headers["allow"] = ", ".join(_methods(request)) or response.headers["allow"]
    return response


def _methods(request: Request) -> list[str]:
    """The methods of a path: Starlette names only those of the first route that matches."""
    known: dict[str, Any] = request.app.openapi()["paths"]
    path = request.url.path
    matching = {path} & known.keys() or {each for each in known if compile_path(each)[0].match(path)}
    return sorted({method.upper() for each in matching for method in known[each]})


def _problem(status: int, title: str, detail: str, remedy: str) -> Response:
    return _problem_response(
        {"type": "about:blank", "title": title, "status": status, "detail": detail, "remedy": remedy}
    )


def _problem_response(problem: ProblemDetails) -> Response:
    content = {"error": f"{problem['detail']} {problem['remedy']}", **problem}
    return JSONResponse(content, status_code=problem["status"], media_type="application/problem+json")
