"""Bringing a file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from nicegui import ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from studium.web.house import service
from studium.web.parts.kept import KeptFiles

_MB = 1_000_000


@dataclass(frozen=True)
class Brought:
    """A file that was brought: where to find it again, what it was called, how long it is."""

    id: str
    name: str
    size: int


class _Drop(Element, component="upload_drop.js"):
    """The drop zone itself."""


def upload_drop(label: str, kinds: Sequence[str], on_file: Callable[[Brought], Any]) -> Element:
    """A place to drop a file of these endings (`.pdf`); when it is all there, `on_file` gets it.

    Under it is what was brought before, which is shown by itself where there is no room for more.
    """
    most = service().settings.serve.max_upload
    with ui.element("div").classes("s-bring") as place:
        drop, kept = _Drop(), KeptFiles()
    accept = ",".join(kinds)
    hint = f"{', '.join(kinds) or 'any file'} · up\u00a0to\u00a0{most}\u00a0MB"
    drop.props.update(label=label, hint=hint, accept=accept, url="/api/v1/uploads", most=most * _MB)

    def brought(event: GenericEventArguments) -> Any:
        return on_file(Brought(event.args["id"], event.args["name"], event.args["size"]))

    drop.on("brought", brought, args=None)
    drop.on("full", kept.open)
    return place
