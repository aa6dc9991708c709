"""The goals of a lab, turning green as they are reached, and hints towards those that are not."""

import asyncio

from nicegui import html, ui

from studium.domain.lab import Checked, LabCheck
from studium.faculties import labs
from studium.web.house import service
from studium.web.tutor.prose import prose
from studium.web.tutor.room import Room

_NAMES = {True: "reached", False: "not yet", None: "not checked"}
_ICONS = {True: "check_circle", False: "radio_button_unchecked", None: "help_outline"}


class Goals:
    """The list of goals; it follows the room."""

    def __init__(self, room: Room) -> None:
        self._room = room
        with ui.element("section").classes("s-card").props('aria-label="Goals"'):
            with ui.element("div").classes("s-row s-between"):
                html.h2("Goals")
                with ui.element("div").classes("s-row s-tight"):
                    self._count = ui.label().classes("s-muted s-small").props("aria-live=polite")
                    self._button = ui.button("Check", icon="fact_check", on_click=self._check).props("outline")
            with ui.element("ol").classes("t-goals"):
                self._goals = [Goal(room, check) for check in room.lab.checks]
        self._show()
        room.changed.subscribe(self._show)

    async def _check(self) -> None:
        await self._room.check(patience=5.0)

    def _show(self) -> None:
        room = self._room
        self._button.set_enabled(room.state.is_up and not room.is_checking)
        reached = sum(each.holds for each in room.results.values())
        counted = f"{reached} of {len(room.lab.checks)} reached" if room.results else ""
        self._count.set_text("Checking …" if room.is_checking else counted)
        for goal in self._goals:
            goal.show(room.results.get(goal.check.id))


class Goal:
    """One goal: whether it is reached, what is missing, and hints, each plainer than the one before."""

    def __init__(self, room: Room, check: LabCheck) -> None:
        self.check = check
        self._room = room
        self._shown: Checked | None = None
        self._level = 0
        self._most = max((hint.level for hint in room.lab.hints if hint.check == check.id), default=0)
        with html.li().classes("t-goal") as self._row:
            self._icon = ui.icon("help_outline").props("aria-hidden=true")
            with ui.element("div").classes("s-grow"):
                html.span(check.title)
                self._state = ui.label().classes("t-goal-state")
                self._missing = ui.element("div").classes("s-small s-muted")
                self._hints = ui.element("div").classes("t-hints").props("aria-live=polite")
            self._ask = ui.button("Hint", on_click=self._hint).props("flat")
            self._ask.props["aria-label"] = f"Hint for: {check.title}"
        self._ask.set_visibility(self._most > 0)
        self._say(None)

    def show(self, result: Checked | None) -> None:
        """Show what came of the last check."""
        if result == self._shown:
            return
        self._shown = result
        self._say(result.holds if result else None)
        self._missing.clear()
        with self._missing:
            # The missing lines of a configuration are the solution: the hints lead there step by step.
            for each in result.missing if result and not result.holds and self.check.kind != "config" else ():
                html.p(f"Missing: {each}")

    def _say(self, holds: bool | None) -> None:
        self._icon.set_name(_ICONS[holds])
        self._state.set_text(_NAMES[holds])
        self._row.classes("t-reached" if holds else "", remove="" if holds else "t-reached")
        self._ask.set_visibility(not holds and self._level < self._most)

    async def _hint(self) -> None:
        self._level += 1
        given = (service().settings, self._room.lab.id, self.check.id, self._level)
        hint = await asyncio.to_thread(labs.hint, *given)
        with self._hints:
            prose(hint.text)
        self._ask.set_visibility(self._level < self._most)
