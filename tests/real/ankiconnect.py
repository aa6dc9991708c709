"""An AnkiConnect of ours: the add-on's protocol over a real collection, with its traps and faults to switch on.

    with AnkiConnectServer(tmp_path, wrong_deck=True) as anki:
        AnkiConnect(anki.address).add(notes)
        anki.collection.find_notes("deck:Default")

Like the add-on it answers one request at a time and closes the connection after each reply without saying so.
"""

import json
import socket
import struct
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from anki.collection import Collection
from tests.real.anki_actions import Actions, Traps

How = Literal[
    "reset_before",  # the connection breaks and nothing was done
    "reset_after",  # it was done, and the connection breaks
    "close_after",  # it was done, and Anki dies
    "answer_then_close",  # it was done and answered, and Anki closes
    "status_500",  # it was done, and an error page comes back
    "garbage",  # it was done, and something else than JSON comes back
    "not_an_object",  # it was done, and JSON of another form comes back
    "hang",  # nothing happens
]
_INSTEAD = {"status_500": b"", "garbage": b"<html>Another program</html>", "not_an_object": b"[]"}
_ABORT = struct.pack("ii", 1, 0)


class AnkiConnectServer:
    """A throw-away Anki with AnkiConnect on a local port; its traps are `Traps`, its faults come from `break_on`.

    `requests` holds the action of each HTTP request, and `bodies` what came with it.
    """

    def __init__(self, folder: Path, *, closes_after: int | None = None, **traps: Any) -> None:
        self.traps = Traps(**traps)
        self.closes_after = closes_after
        self.collection_path = folder / "collection.anki2"
        self.requests: list[str] = []
        self.bodies: list[dict[str, Any]] = []
        self._faults: list[tuple[str, How]] = []
        self._port = 0
        self._closing = threading.Event()

    @property
    def address(self) -> str:
        """Where it listens, or last listened."""
        return f"http://127.0.0.1:{self._port}"

    def break_on(self, action: str, how: How) -> None:
        """Let the next request that does this action, alone or within a `multi`, go wrong."""
        self._faults.append((action, how))

    def __enter__(self) -> Self:
        self.collection_path.parent.mkdir(parents=True, exist_ok=True)
        self.collection = Collection(str(self.collection_path))
        self._actions = Actions(self.collection, self.traps)
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()
        self.collection.close()

    def start(self) -> None:
        """Listen, at the same port as before if there was one."""
        self._closing.clear()
        self._listener = socket.create_server(("127.0.0.1", self._port), backlog=5)
        self._port = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, name="ankiconnect", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """As when Anki is closed: connections are refused; the collection stays for the test to look at."""
        self._closing.set()
        with suppress(OSError), socket.create_connection(("127.0.0.1", self._port), timeout=1):
            pass
        self._thread.join()
        self._listener.close()

    def _serve(self) -> None:
        while not self._closing.is_set():
            connection, _ = self._listener.accept()
            # A client may go away at any moment.
            with connection, suppress(ConnectionError):
                if not self._closing.is_set() and (request := _received(connection)) is not None:
                    self._answer(connection, request)
            if self.closes_after is not None and len(self.requests) >= self.closes_after:
                self.closes_after = None
                break
        self._listener.close()

    def _answer(self, connection: socket.socket, request: dict[str, Any]) -> None:
        self.requests.append(request.get("action", ""))
        self.bodies.append(request)
        how = self._fault_of(request)
        if how == "reset_before":
            return _abort(connection)
        if how == "hang":
            return _hang(connection, self._closing)
        reply = json.dumps(self._actions.reply(request)).encode()
        if how in {"close_after", "answer_then_close"}:
            self.closes_after = len(self.requests)
        if how in {"reset_after", "close_after"}:
            return _abort(connection)
        if how in _INSTEAD:
            reply = _INSTEAD[how]
        connection.sendall(_http(reply, "500 Internal Server Error" if how == "status_500" else "200 OK"))
        return None

    def _fault_of(self, request: dict[str, Any]) -> How | None:
        inner = request.get("params", {}).get("actions", [])
        names = {request.get("action"), *(action.get("action") for action in inner)}
        for place, (name, how) in enumerate(self._faults):
            if name in names:
                del self._faults[place]
                return how
        return None


def _received(connection: socket.socket) -> dict[str, Any] | None:
    data = b""
    while b"\r\n\r\n" not in data:
        if not (piece := connection.recv(65536)):
            return None
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    lines = [line.partition(b": ") for line in head.lower().split(b"\r\n")]
    length = int(next((value for name, _, value in lines if name == b"content-length"), b"0"))
    pieces = [body]
    while (missing := length - sum(map(len, pieces))) > 0:
        if not (piece := connection.recv(min(missing, 1 << 20))):
            return None
        pieces.append(piece)
    return dict(json.loads(b"".join(pieces)))


def _http(body: bytes, status: str) -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def _abort(connection: socket.socket) -> None:
    """A reset instead of a reply: what is closed with this linger is not closed in good order."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _ABORT)


def _hang(connection: socket.socket, closing: threading.Event) -> None:
    """Say nothing until the client has enough of it."""
    connection.settimeout(0.02)
    while not closing.is_set():
        try:
            if not connection.recv(1):
                return
        except TimeoutError:
            continue
        except ConnectionError:
            return
