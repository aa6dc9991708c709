"""Mounts the pages on the app that serves the HTTP API."""

from collections.abc import Sequence
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from nicegui import app as pages
from nicegui import html, ui
from nicegui.client import Client

from studium import __version__
from studium.core.domain.errors import NotFound
from studium.core.features import Ref, all_features
from studium.core.jobs.problem_details import problem_details
from studium.web import service
from studium.web.components.notices import empty_state
from studium.web.frame import frame

_NOT_FOUND = 404


def register_error_pages() -> None:
    """Show errors as pages with a link home; programs get a problem document."""
    pages.on_page_exception(_show_error_page)
    pages.exception_handler(_NOT_FOUND)(_show_not_found)


def _show_error_page() -> None:
    with frame("Error", "/"):
        _link_home("This page could not be shown", "The server log says why. Try again in a moment.", "heart_broken")


async def _show_not_found(request: Request, _error: Exception) -> Response:
    if request.url.path.startswith("/api/"):
        problem = problem_details(
            NotFound(f"There is nothing at {request.url.path}.", remedy="See /docs for the available routes.")
        )
        return JSONResponse(problem, _NOT_FOUND, media_type="application/problem+json")
    with Client(ui.page(""), request=request) as client:
        with frame("Not found", request.url.path):
            _link_home("Page not found", "Check the address, or start from the home page.", "explore_off")
        return client.build_response(request, _NOT_FOUND)


def _link_home(title: str, what_to_do: str, icon: str) -> None:
    with empty_state(title, what_to_do, icon=icon):
        html.a("Go home", href="/").classes("s-button")


_STATIC = Path(__file__).parent / "static"
_HEAD = f"""
<meta name="description" content="Study material that has been checked against its source.">
<link rel="stylesheet" href="/_studium/studium.css?{__version__}">
<script src="/_studium/studium.js?{__version__}"></script>
"""
_RECONNECT_SECONDS = 30.0


def all_pages() -> tuple[Ref, ...]:
    """The modules that register pages when they are imported."""
    own = tuple(Ref(f"studium.web.{name}") for name in ("home", "inbox", "runs"))
    return (*own, *(page for feature in all_features() for page in feature.pages))


def mount_pages(app: FastAPI, modules: Sequence[Ref] | None = None) -> None:
    """Serve the pages of these modules, or all; the app sets `state.service` when it starts. Call once a process."""
    service.use_service_of(app)
    pages.add_static_files("/_studium", _STATIC)
    ui.add_head_html(_HEAD, shared=True)
    for module in all_pages() if modules is None else modules:
        module.load()
    register_error_pages()
    pages.config.quasar_config["loadingBar"]["skipHijack"] = True
    # Nothing is stored for a visitor: no session, no cookie, no file; the browser remembers the theme.
    ui.run_with(
        app,
        title="Studium",
        favicon=_STATIC / "favicon.svg",
        dark=None,
        language="en-US",
        reconnect_timeout=_RECONNECT_SECONDS,
        tailwind=False,
        show_welcome_message=False,
    )
