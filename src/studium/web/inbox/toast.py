"""The last answer, with the way back."""

from collections.abc import Callable
from typing import Any

from nicegui import html, ui

_SECONDS = 12


class Toast:
    """A line over the page that says what was answered and takes it back."""

    def __init__(self, undo: Callable[[], Any]) -> None:
        self._undo = undo
        self._place = ui.element("div").classes("in-toast").props("role=status")

    def say(self, what: str, *, can_undo: bool = True) -> None:
        """Say it for a while."""
        self.hide()
        with self._place:
            html.span(what)
            if can_undo:
                ui.button("Undo (u)", on_click=self._undo).props("flat dense")
            ui.timer(_SECONDS, self.hide, once=True)

    def hide(self) -> None:
        """Say nothing any more."""
        self._place.clear()
