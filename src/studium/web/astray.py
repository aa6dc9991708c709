"""What is shown where there is no page, and where a page could not be made."""

from fastapi import Request, Response
from fastapi.responses import JSONResponse
from nicegui import app as pages
from nicegui import html, ui
from nicegui.client import Client

from studium.core.domain.errors import NotFound
from studium.core.jobs.problem_details import problem_details
from studium.web.frame import frame
from studium.web.parts.notices import empty_state

_NOT_FOUND = 404


def show_astray() -> None:
    """Say it in the frame, with a way back; programs are told as programs are."""
    pages.on_page_exception(_not_made)
    pages.exception_handler(_NOT_FOUND)(_not_there)


def _not_made() -> None:
    with frame("That did not work", "/"):
        _way_back("This page could not be made", "The server's log says why. Try it again in a moment.", "heart_broken")


async def _not_there(request: Request, _error: Exception) -> Response:
    if request.url.path.startswith("/api/"):
        said = problem_details(
            NotFound(f"There is nothing at {request.url.path}.", remedy="/docs lists what there is.")
        )
        return JSONResponse(said, _NOT_FOUND, media_type="application/problem+json")
    with Client(ui.page(""), request=request) as client:
        with frame("Not found", request.url.path):
            _way_back("There is no such page", "Check the address, or begin anew from home.", "explore_off")
        return client.build_response(request, _NOT_FOUND)


def _way_back(title: str, what_to_do: str, icon: str) -> None:
    with empty_state(title, what_to_do, icon=icon):
        html.a("Go home", href="/").classes("s-button")
