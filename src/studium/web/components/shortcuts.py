"""What can be done from the keyboard, and the help that lists it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import isawaitable
from typing import Any

from nicegui import html, ui
from nicegui.events import KeyEventArguments


@dataclass
class Shortcuts:
    """The keys of one page: `here().keys.on("j", "Next review", next_one)`; `?` lists them."""

    rows: list[tuple[str, str]] = field(default_factory=lambda: [("?", "This help")])
    handlers: dict[str, Callable[[], Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.handlers["?"] = self.show
        ui.keyboard(self._pressed, ignore=["input", "select", "textarea"], repeating=False)

    def on(self, key: str, does: str, handler: Callable[[], Any]) -> None:
        """Do this when the key is pressed outside of any field; the handler may be asynchronous."""
        self.rows.append((key, does))
        self.handlers[key] = handler

    def button(self) -> ui.button:
        """The button that opens the help."""
        return ui.button(icon="help_outline", on_click=self.show).props('flat round dense aria-label="Keys and help"')

    def show(self) -> None:
        """Open the help."""
        with ui.dialog(value=True).props('aria-label="Keys"') as dialog, ui.element("div").classes("s-card s-help"):
            html.h2("Keys")
            with ui.element("dl"):
                for key, does in self.rows:
                    with html.dt():
                        html.kbd(key)
                    html.dd(does)
            ui.button("Close", on_click=dialog.close).props("flat")
        dialog.on("hide", dialog.delete)

    async def _pressed(self, pressed: KeyEventArguments) -> None:
        modifiers = pressed.modifiers
        if not pressed.action.keydown or modifiers.ctrl or modifiers.alt or modifiers.meta or _dialog_is_open():
            return
        if handler := self.handlers.get(str(pressed.key)):
            doing = handler()
            if isawaitable(doing):
                await doing


def _dialog_is_open() -> bool:
    """Whether a key would act on what lies behind a dialog."""
    return any(isinstance(each, ui.dialog) and each.value for each in ui.context.client.elements.values())
