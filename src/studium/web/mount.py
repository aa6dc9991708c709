"""Puts the pages on the app that serves the HTTP interface."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from fastapi import FastAPI
from nicegui import app as pages
from nicegui import ui

from studium import __version__
from studium.web import house
from studium.web.astray import show_astray

_STATIC = Path(__file__).parent / "static"
_HEAD = f"""
<meta name="description" content="Study material that has been checked against its source.">
<link rel="stylesheet" href="/_studium/studium.css?{__version__}">
<script src="/_studium/studium.js?{__version__}"></script>
"""
_SECONDS_TO_COME_BACK = 30.0


def every_page() -> tuple[str, ...]:
    """The names of the modules and folders that hold pages."""
    return tuple(module.name for module in iter_modules([str(Path(__file__).parent)]))


def mount_pages(app: FastAPI, modules: Sequence[str] | None = None) -> None:
    """Serve the pages of these modules, or all, on an app that sets `state.service` when it starts; once a process."""
    house.stand_on(app)
    pages.add_static_files("/_studium", _STATIC)
    ui.add_head_html(_HEAD, shared=True)
    for module in every_page() if modules is None else modules:
        import_module(f"studium.web.{module}")
    show_astray()
    pages.config.quasar_config["loadingBar"]["skipHijack"] = True
    # Nothing is kept for a visitor: no session, no cookie, no file; the theme is remembered by the browser.
    ui.run_with(
        app,
        title="Studium",
        favicon=_STATIC / "favicon.svg",
        dark=None,
        language="en-US",
        reconnect_timeout=_SECONDS_TO_COME_BACK,
        tailwind=False,
        show_welcome_message=False,
    )
