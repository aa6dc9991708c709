"""The service behind the pages."""

from typing import TYPE_CHECKING, cast

from fastapi import FastAPI
from nicegui import app as pages

if TYPE_CHECKING:
    from studium.core.jobs.service import Service


def use_service_of(app: FastAPI) -> None:
    """Let the pages use the service of this app."""
    pages.state.outer = app


def service() -> "Service":
    """The service behind the pages: `settings`, `app`, `jobs`, `uploads`, `paths`."""
    return cast("Service", pages.state.outer.state.service)
