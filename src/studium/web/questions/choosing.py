"""Choosing a document, or a folder of them, where the settings allow it."""

import asyncio
from pathlib import Path

from nicegui import html, ui

from studium.core.documents.registry import READERS
from studium.core.domain.errors import NotFound
from studium.web.house import service

_MOST = 500
"""So many entries of a folder are listed."""


async def choose_document() -> Path | None:
    """Let a person walk through the folders that may be read; what they chose, or nothing."""
    with (
        ui.dialog(value=True).props('aria-label="Choose a document"') as dialog,
        ui.element("div").classes("s-card qa-choose"),
    ):
        walk = _Walk(dialog)
        await walk.enter(None)
    chosen = await dialog
    dialog.delete()
    return Path(chosen) if chosen else None


class _Walk:
    """Where one stands among the folders."""

    def __init__(self, dialog: ui.dialog) -> None:
        self._dialog = dialog
        self._place = ui.element("div").classes("s-stack")

    async def enter(self, folder: Path | None) -> None:
        """Show what lies in a folder; without one, the folders to begin with."""
        entries = await asyncio.to_thread(_entries, folder)
        self._place.clear()
        with self._place:
            html.h2(folder.name if folder else "Choose a document or a folder")
            if folder:
                self._ways(folder)
            if not entries:
                html.p("No document lies here." if folder else _NO_ROOTS).classes("s-muted")
            with ui.element("ul").classes("qa-entries"):
                for entry in entries:
                    self._entry(entry, folder)
            ui.button("Cancel", on_click=self._dialog.close).props("flat")

    def _ways(self, folder: Path) -> None:
        up = folder.parent if folder not in service().places.roots else None
        with ui.element("div").classes("s-row s-tight"):
            ui.button("Up", icon="arrow_upward", on_click=lambda: self.enter(up)).props("outline")
            ui.button("Ask about all of this folder", on_click=lambda: self._dialog.submit(str(folder)))

    def _entry(self, entry: Path, folder: Path | None) -> None:
        is_folder = folder is None or entry.is_dir()
        shown = entry.name if folder else str(entry)
        with ui.element("li"):
            button = ui.button(shown, icon="folder" if is_folder else "description").props("flat align=left no-caps")
            button.on_click((lambda: self.enter(entry)) if is_folder else (lambda: self._dialog.submit(str(entry))))


_NO_ROOTS = "No folder may be read yet. Start the server with `studium serve --root FOLDER`, or drop a file."


def _entries(folder: Path | None) -> list[Path]:
    """Folders and documents, folders first."""
    places = service().places
    if folder is None:
        return [root for root in places.roots if root.is_dir()]
    try:
        found = [entry for entry in places.inside(str(folder)).iterdir() if _is_shown(entry)]
    except OSError as error:
        raise NotFound(f"{folder.name} cannot be opened: {error.strerror}.", remedy="Choose another folder.") from error
    return sorted(found, key=lambda entry: (not entry.is_dir(), entry.name.lower()))[:_MOST]


def _is_shown(entry: Path) -> bool:
    return not entry.name.startswith(".") and (entry.is_dir() or entry.suffix.lower() in READERS)
