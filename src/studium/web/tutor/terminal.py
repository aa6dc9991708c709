"""A device's own command line in the browser."""

import asyncio
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TypeVar, TypeVarTuple

from nicegui import background_tasks, ui
from nicegui.events import XtermDataEventArguments, XtermResizeEventArguments

from studium.core.domain.errors import StudiumError
from studium.domain.lab import Diagnosis
from studium.faculties import labs
from studium.faculties.labs import Console
from studium.web.house import service
from studium.web.tutor.line import Line, keys_in
from studium.web.tutor.room import Room

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
    """One console in one browser tab; `found` hears of every command what is wrong with it."""

    def __init__(self, room: Room, device: str, found: Found) -> None:
        self._room, self._device, self._found = room, device, found
        self._screen = ui.xterm(_LOOKS, on_data=self._typed, on_resize=self._resized).classes("t-terminal")
        size = ui.element("q-resize-observer").props("debounce=50")
        size.on("resize", js_handler=f"() => getElement({self._screen.id})?.fit()")
        self._line = Line(self._screen.write)
        self._keys: asyncio.Queue[str] = asyncio.Queue()
        self._opened = ExitStack()
        self._is_closed = False
        # One thread a console: what is opened, typed and closed on a device comes one after the other.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"console-{device}")
        self._serving = background_tasks.create(self._serve(), name=f"console {device}")
        self._screen.client.on_delete(self.close)

    def close(self) -> None:
        """Let go of the device; what is typed on it this moment is finished first."""
        if self._is_closed:  # when its lab was taken down, and again when its page is left
            return
        self._is_closed = True
        self._serving.cancel()
        self._thread.submit(self._opened.close)
        self._thread.shutdown(wait=False)

    def focus(self) -> None:
        """Put the cursor here."""
        self._screen.run_terminal_method("focus")

    def _typed(self, event: XtermDataEventArguments) -> None:
        if "\x03" in event.data:
            while not self._keys.empty():  # what was pasted and not yet typed is not typed any more
                self._keys.get_nowait()
        for key in keys_in(event.data):
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
        console = labs.open_console(service().settings, self._room.lab.id, self._device)
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
            self._room.check_soon()
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
        """Finish the word that was begun, if only one can be meant."""
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
