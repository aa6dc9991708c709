"""A device's command line in the browser."""

import asyncio
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TypeVar, TypeVarTuple

from nicegui import background_tasks, html, ui
from nicegui.events import XtermDataEventArguments, XtermResizeEventArguments

from studium.core.domain.errors import StudiumError
from studium.tutor import lab_use_cases
from studium.tutor.domain import Diagnosis
from studium.tutor.lab_use_cases import Console
from studium.tutor.web.diagnosis import show_diagnosis
from studium.tutor.web.lab_session import LabSession
from studium.web.components.notices import empty_state
from studium.web.service import service

_KEYS = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Za-z]|\r\n|[^\x00-\x1f\x7f?]+|.", re.DOTALL)
_REMEMBERED = 500


def split_keys(data: str) -> list[str]:
    """Split terminal input into keys; a run of text counts as one."""
    return _KEYS.findall(data)


class LineEditor:
    """Edits the line at the prompt; `write` prints to a terminal of a given width."""

    def __init__(self, write: Callable[[str], object], columns: int = 80) -> None:
        self.columns = columns
        self.text = ""
        self.prompt = ""
        self._write = write
        self._at = 0
        self._earlier: list[str] = []
        self._place = 0
        self._moves: dict[str, Callable[[], None]] = {
            "\x7f": self._erase_left,
            "\x08": self._erase_left,
            "\x1b[3~": self._erase_right,
            "\x1b[D": lambda: self._go(self._at - 1),
            "\x02": lambda: self._go(self._at - 1),
            "\x1b[C": lambda: self._go(self._at + 1),
            "\x06": lambda: self._go(self._at + 1),
            "\x1b[H": lambda: self._go(0),
            "\x01": lambda: self._go(0),
            "\x1b[F": lambda: self._go(len(self.text)),
            "\x05": lambda: self._go(len(self.text)),
            "\x1b[A": lambda: self._recall(-1),
            "\x10": lambda: self._recall(-1),
            "\x1b[B": lambda: self._recall(1),
            "\x0e": lambda: self._recall(1),
            "\x0b": lambda: self._replace(self.text[: self._at]),
            "\x15": lambda: self._replace(self.text[self._at :], 0),
            "\x17": self._erase_word,
        }

    def begin(self, prompt: str, text: str = "") -> None:
        """Show a new prompt with initial text."""
        self.prompt, self.text, self._at = prompt, text, len(text)
        self._place = len(self._earlier)
        self._draw(0)

    def press(self, key: str) -> None:
        """Handle a key; unknown keys do nothing."""
        before, at, text = self._cell, self._at, self.text
        if move := self._moves.get(key.replace("\x1bO", "\x1b[")):
            move()
        elif key.isprintable():
            self._replace(text[:at] + key + text[at:], at + len(key))
        # Only what changed is drawn, so that a screen reader reads the key and not the whole line.
        if self.text == text:
            self._write(self._way(before, self._cell))
        elif at == len(text) and self.text.startswith(text) and before // self.columns == self._cell // self.columns:
            self._write("" if self._is_secret else self.text[at:])
        else:
            self._draw(before)

    def take(self) -> str:
        """Finish the line and return it; it enters the history unless it is secret."""
        self._go_to_end()
        if self.text.strip() and not self._is_secret and self.text not in self._earlier[-1:]:
            self._earlier = [*self._earlier, self.text][-_REMEMBERED:]
        return self.text

    def leave(self, mark: str = "^C") -> None:
        """Discard the line."""
        self._go_to_end(mark)

    @property
    def _is_secret(self) -> bool:
        return self.prompt.startswith("Password")

    @property
    def _cell(self) -> int:
        """The cursor's column, counted from the start of the prompt."""
        return len(self.prompt) + (0 if self._is_secret else self._at)

    def _go_to_end(self, mark: str = "") -> None:
        before = self._cell
        self._at = len(self.text)
        self._draw(before)
        self._write(f"{mark}\r\n")

    def _go(self, place: int) -> None:
        self._at = min(max(place, 0), len(self.text))

    def _replace(self, text: str, at: int | None = None) -> None:
        self.text, self._at = text, len(text) if at is None else at

    def _erase_left(self) -> None:
        if self._at:
            self._replace(self.text[: self._at - 1] + self.text[self._at :], self._at - 1)

    def _erase_right(self) -> None:
        self._replace(self.text[: self._at] + self.text[self._at + 1 :], self._at)

    def _erase_word(self) -> None:
        kept = re.sub(r"\S*\s*$", "", self.text[: self._at])
        self._replace(kept + self.text[self._at :], len(kept))

    def _recall(self, step: int) -> None:
        self._place = min(max(self._place + step, 0), len(self._earlier))
        self._replace(self._earlier[self._place] if self._place < len(self._earlier) else "")

    def _draw(self, before: int) -> None:
        """Redraw the line and place the cursor."""
        shown = self.prompt + ("" if self._is_secret else self.text)
        # A terminal wraps only when the next character comes.
        wrap = "\r\n" if shown and len(shown) % self.columns == 0 else ""
        drawn = f"{self._way(before, 0)}\x1b[J{shown}{wrap}"
        self._write(drawn + self._way(len(shown), self._cell))

    def _way(self, here: int, there: int) -> str:
        """The control codes that move the cursor between two cells."""
        if here == there:
            return ""
        down, column = there // self.columns - here // self.columns, there % self.columns
        rows = f"\x1b[{abs(down)}{'B' if down > 0 else 'A'}" if down else ""
        return f"{rows}\r" + (f"\x1b[{column}C" if column else "")


_LOOKS = {
    "fontFamily": "ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, 'DejaVu Sans Mono', monospace",
    "fontSize": 13,
    "cursorBlink": True,
    "scrollback": 5000,
    "convertEol": True,
    "screenReaderMode": True,
    "theme": {"background": "#12161a", "foreground": "#e8e6df", "cursor": "#7cc7bd", "selectionBackground": "#30504d"},
}
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_MOST = 400_000
_CHUNK = 32_000
_SECONDS = 45.0

Given = TypeVarTuple("Given")
T = TypeVar("T")
Found = Callable[[str, Diagnosis | None], None]


class Terminal:
    """One console in one browser tab; `found` receives the diagnosis of every command."""

    def __init__(self, session: LabSession, device: str, found: Found) -> None:
        self._session, self._device, self._found = session, device, found
        self._screen = ui.xterm(_LOOKS, on_data=self._typed, on_resize=self._resized).classes("t-terminal")
        size = ui.element("q-resize-observer").props("debounce=50")
        size.on("resize", js_handler=f"() => getElement({self._screen.id})?.fit()")
        self._line = LineEditor(self._screen.write)
        self._keys: asyncio.Queue[str] = asyncio.Queue()
        self._opened = ExitStack()
        self._is_closed = False
        # One thread a console: what is opened, typed and closed on a device comes one after the other.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"console-{device}")
        self._serving = background_tasks.create(self._serve(), name=f"console {device}")
        self._screen.client.on_delete(self.close)

    def close(self) -> None:
        """Close the session after the running command."""
        if self._is_closed:  # when its lab was taken down, and again when its page is left
            return
        self._is_closed = True
        self._serving.cancel()
        self._thread.submit(self._opened.close)
        self._thread.shutdown(wait=False)

    def focus(self) -> None:
        """Focus the terminal."""
        self._screen.run_terminal_method("focus")

    def _typed(self, event: XtermDataEventArguments) -> None:
        if "\x03" in event.data:
            while not self._keys.empty():  # the rest of the paste is dropped
                self._keys.get_nowait()
        for key in split_keys(event.data):
            self._keys.put_nowait(key)

    def _resized(self, event: XtermResizeEventArguments) -> None:
        self._line.columns = max(event.cols, 10)

    async def _serve(self) -> None:
        while (opened := await self._open()) is None:
            await self._keys.get()
        self._line.begin(opened.prompt)
        while True:
            await self._press(opened, await self._keys.get())

    async def _open(self) -> Console | None:
        console = lab_use_cases.open_console(service().settings, self._session.lab.id, self._device)
        try:
            return await self._wait(self._opened.enter_context, console)
        except StudiumError as error:
            self._complain(error)
            self._screen.write("Press a key to try again.\r\n")
            return None

    async def _press(self, console: Console, key: str) -> None:
        if key in ("\r", "\n", "\r\n"):
            await self._run(console, self._line.take())
        elif key == "\x03":
            self._line.leave()
            self._line.begin(console.prompt)
        elif key == "\x0c":
            self._screen.write("\x1b[2J\x1b[H")
            self._line.begin(console.prompt, self._line.text)
        elif key in ("?", "\t") and console.helps:
            await self._help(console, key)
        else:
            self._line.press(key)

    async def _run(self, console: Console, command: str) -> None:
        prompt, found = console.prompt, None
        if command.strip():
            try:
                said, found = await self._wait(console.run, command, _SECONDS)
                await self._show(said)
            except StudiumError as error:
                self._complain(error)
            self._found(command, found)
        if "(config" in prompt:
            self._session.check_soon()
        self._line.begin(console.prompt)

    async def _help(self, console: Console, key: str) -> None:
        begun = self._line.text
        said = await self._wait(console.help, begun)
        if key == "\t":
            self._complete(begun, said)
            return
        self._line.press("?")
        self._line.leave(mark="")
        await self._show(said)
        self._line.begin(console.prompt, begun)

    def _complete(self, begun: str, said: str) -> None:
        """Complete the current word if it is unambiguous."""
        word = begun.rpartition(" ")[2]
        choices = [choice for choice in said.split() if word and choice.startswith(word)]
        if len(choices) == 1:
            self._line.press(choices[0].removeprefix(word) + " ")

    async def _show(self, said: str) -> None:
        text = _CONTROL.sub("", said.replace("\r\n", "\n"))
        if len(text) > _MOST:
            text = f"{text[: _MOST // 2]}\n… {len(text) - _MOST} characters are left out …\n{text[-_MOST // 2 :]}"
        for start in range(0, len(text), _CHUNK):
            self._screen.write(text[start : start + _CHUNK])
            await asyncio.sleep(0)
        if text and not text.endswith("\n"):
            self._screen.write("\r\n")

    def _complain(self, error: StudiumError) -> None:
        self._screen.write(f"\x1b[31m{_CONTROL.sub('', error.what)}\r\n{_CONTROL.sub('', error.remedy)}\x1b[0m\r\n")

    async def _wait(self, work: Callable[[*Given], T], *given: *Given) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *given)


class DeviceTerminals:
    """The consoles of a lab's devices, opened on first view."""

    def __init__(self, session: LabSession) -> None:
        self._session = session
        self._was_up: bool | None = None
        self._terminals: dict[str, Terminal] = {}
        self._panels: dict[str, ui.element] = {}
        with ui.element("section").classes("s-card t-bench").props('aria-label="Command lines"') as self._card:
            pass
        self._build()
        session.changed.subscribe(self._build)

    def _build(self) -> None:
        if self._session.state.is_up == self._was_up:
            return
        self._was_up = self._session.state.is_up
        self._close()
        self._card.clear()
        with self._card:
            if self._was_up:
                self._command_lines()
            else:
                empty_state(
                    "The routers are off",
                    "Start the lab to use their consoles. Until then you can ask the tutor, take the quiz and diagnose "
                    "pasted output.",
                    icon="terminal",
                )

    def _command_lines(self) -> None:
        devices = sorted(self._session.lab.devices, key=lambda device: device.kind != "router")
        with ui.tabs().props('dense no-caps align=left inline-label aria-label="Devices"') as tabs:
            for device in devices:
                ui.tab(device.name, icon="router" if device.kind == "router" else "computer")
        self._place = ui.element("div").classes("t-panels")
        self._told = ui.element("div").classes("t-told").props("aria-live=polite")
        with self._told:
            html.p("Mistakes in your commands are explained here.").classes("s-muted s-small")
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
                self._terminals[device] = Terminal(self._session, device, self._found)
        for name, each in self._panels.items():
            each.classes(remove="t-hidden") if name == device else each.classes("t-hidden")

    def _found(self, command: str, found: Diagnosis | None) -> None:
        self._told.clear()
        with self._told:
            if found:
                show_diagnosis(found)
            elif command.strip():
                html.p("No mistake in the last command.").classes("s-muted s-small")

    def _close(self) -> None:
        for terminal in self._terminals.values():
            terminal.close()
        self._terminals, self._panels = {}, {}
