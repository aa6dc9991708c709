"""Uploading a file, and the list of uploaded files."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from nicegui import html, ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from studium.core.jobs.uploads import Upload
from studium.web.components.labels import ago, counted
from studium.web.components.notices import show_message
from studium.web.service import service

_MOST = 20
_UNITS = ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB"))


class UploadManager:
    """A link under a drop zone that opens a list of the largest files, each with a button to remove it."""

    def __init__(self) -> None:
        self._is_open = False
        self._details = html.details().classes("s-kept")
        with self._details:
            html.summary("Uploaded files").classes("s-small")
            self._place = ui.element("div").classes("s-stack")
        # Read only when it is opened, since hardly anybody does.
        self._details.on("toggle", self._toggled, js_handler="event => emit(event.target.open)")

    async def open(self) -> None:
        """Show the list, or reload it if it is shown already."""
        if self._is_open:
            await self._show()
        self._details.client.run_javascript(f"getHtmlElement({self._details.id}).open = true")

    async def _toggled(self, event: GenericEventArguments) -> None:
        self._is_open = bool(event.args)
        if self._is_open:
            await self._show()

    async def _show(self) -> None:
        kept = sorted(await asyncio.to_thread(service().uploads.all), key=lambda each: -each.size)
        self._place.clear()
        with self._place:
            most = service().settings.serve.max_uploads
            taken = format_size(sum(each.size for each in kept))
            html.p(f"{counted(len(kept), 'file')}, {taken} of {most:,} MB.").classes("s-muted s-small")
            if kept:
                with ui.element("ul").classes("s-list"):
                    for each in kept[:_MOST]:
                        self._row(each)
            if len(kept) > _MOST:
                html.p(f"The other {len(kept) - _MOST:,} files are smaller.").classes("s-muted s-small")

    def _row(self, upload: Upload) -> None:
        with ui.element("li").classes("s-row"):
            with ui.element("div").classes("s-grow"):
                html.div(upload.name)
                html.div(f"{format_size(upload.size)} · {ago(upload.brought_at)}").classes("s-muted s-small")
            remove = ui.button("Remove", on_click=lambda: self._ask(upload)).props("flat dense")
            remove.props.update({"aria-label": f"Remove {upload.name}"})

    def _ask(self, upload: Upload) -> None:
        with (
            self._details.client.content,
            ui.dialog(value=True).props('aria-label="Remove a file"') as dialog,
            ui.element("div").classes("s-card s-help"),
        ):
            html.h2(f"Remove {upload.name}?")
            html.p("What was made from it stays. To open the file itself again, upload it once more.")

            async def remove() -> None:
                dialog.close()
                await self._remove(upload)

            with ui.element("div").classes("s-row"):
                ui.button("Remove", on_click=remove)
                ui.button("Keep it", on_click=dialog.close).props("flat")
        dialog.on("hide", dialog.delete)

    async def _remove(self, upload: Upload) -> None:
        await asyncio.to_thread(service().uploads.remove, upload.id)
        show_message(f"{upload.name} was removed.")
        await self._show()
        self._details.client.run_javascript(f"getHtmlElement({self._details.id}).querySelector('summary').focus()")


def format_size(number: int) -> str:
    """`3.4 MB`."""
    for unit, name in _UNITS:
        if number >= unit:
            return f"{number / unit:.3g} {name}"
    return counted(number, "byte")


_MB = 1_000_000


@dataclass(frozen=True)
class UploadedFile:
    """An uploaded file: its id, name and size."""

    id: str
    name: str
    size: int


class _Drop(Element, component="upload_drop.js"):
    """The drop zone itself."""


def upload_drop(label: str, kinds: Sequence[str], on_file: Callable[[UploadedFile], Any]) -> Element:
    """A drop zone for files with these suffixes (`.pdf`); `on_file` gets each uploaded file.

    Below it are the files uploaded before, opened when the storage is full.
    """
    most = service().settings.serve.max_upload
    with ui.element("div").classes("s-upload") as place:
        drop, kept = _Drop(), UploadManager()
    accept = ",".join(kinds)
    hint = f"{', '.join(kinds) or 'any file'} · up\u00a0to\u00a0{most}\u00a0MB"
    drop.props.update(label=label, hint=hint, accept=accept, url="/api/v1/uploads", most=most * _MB)

    def uploaded(event: GenericEventArguments) -> Any:
        return on_file(UploadedFile(event.args["id"], event.args["name"], event.args["size"]))

    drop.on("uploaded", uploaded, args=None)
    drop.on("full", kept.open)
    return place
