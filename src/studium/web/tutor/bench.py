"""Where the student types: a command line for each device, and beneath it what is wrong with what was typed."""

from nicegui import html, ui

from studium.domain.lab import Diagnosis
from studium.web.parts.notices import empty_state
from studium.web.tutor.diagnosis import diagnosis
from studium.web.tutor.room import Room
from studium.web.tutor.terminal import Terminal


class Bench:
    """The command lines of a lab's devices; each is opened when it is first looked at."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._was_up: bool | None = None
        self._terminals: dict[str, Terminal] = {}
        self._panels: dict[str, ui.element] = {}
        with ui.element("section").classes("s-card t-bench").props('aria-label="Command lines"') as self._card:
            pass
        self._build()
        room.changed.subscribe(self._build)

    def _build(self) -> None:
        if self._room.state.is_up == self._was_up:
            return
        self._was_up = self._room.state.is_up
        self._close()
        self._card.clear()
        with self._card:
            if self._was_up:
                self._command_lines()
            else:
                empty_state(
                    "The routers are off",
                    "Bring the lab up to type on them. Until then you can ask the tutor, take the quiz, and have "
                    "pasted output diagnosed.",
                    icon="terminal",
                )

    def _command_lines(self) -> None:
        devices = sorted(self._room.lab.devices, key=lambda device: device.kind != "router")
        with ui.tabs().props('dense no-caps align=left inline-label aria-label="Devices"') as tabs:
            for device in devices:
                ui.tab(device.name, icon="router" if device.kind == "router" else "computer")
        self._place = ui.element("div").classes("t-panels")
        self._told = ui.element("div").classes("t-told").props("aria-live=polite")
        with self._told:
            html.p("What is wrong with a command is explained here, as soon as you typed it.").classes(
                "s-muted s-small"
            )
        tabs.set_value(devices[0].name)
        tabs.on_value_change(lambda event: self._show(event.value))
        self._open(devices[0].name)

    def _show(self, device: str) -> None:
        self._open(device)
        self._terminals[device].focus()

    def _open(self, device: str) -> None:
        if device not in self._panels:
            with self._place, ui.element("div").classes("t-panel").props("role=tabpanel") as panel:
                panel.props["aria-label"] = f"Command line of {device}"
                self._panels[device] = panel
                self._terminals[device] = Terminal(self._room, device, self._found)
        for name, each in self._panels.items():
            each.classes(remove="t-hidden") if name == device else each.classes("t-hidden")

    def _found(self, command: str, found: Diagnosis | None) -> None:
        self._told.clear()
        with self._told:
            if found:
                diagnosis(found)
            elif command.strip():
                html.p("Nothing is wrong with the last command.").classes("s-muted s-small")

    def _close(self) -> None:
        for terminal in self._terminals.values():
            terminal.close()
        self._terminals, self._panels = {}, {}
