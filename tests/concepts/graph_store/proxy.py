"""A cable to a server on which something happens after so many bytes: it breaks for good, if nothing else is said."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread


class Cable:
    """Carries bytes to a server and back for as long as it is whole."""

    def __init__(self, server: tuple[str, int]) -> None:
        self._server = server
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._ends: list[socket.socket] = []
        self._threads = [Thread(target=self._accept)]
        self.port = self._listener.getsockname()[1]
        self.left: float = float("inf")
        self.happens: Callable[[], None] = self.cut
        self._threads[0].start()

    def cut(self) -> None:
        """Break it."""
        for end in (self._listener, *self._ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def drop(self) -> None:
        """Break the open connections; new ones work."""
        self.left = float("inf")
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Break it, and wait until nothing moves on it."""
        self.cut()
        for thread in self._threads:
            thread.join()
        for end in (self._listener, *self._ends):
            end.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(self._server)
                self._ends += [near, far]
                for one, other, counts in ((near, far, True), (far, near, False)):
                    thread = Thread(target=self._carry, args=(one, other, counts))
                    self._threads.append(thread)
                    thread.start()

    def _carry(self, one: socket.socket, other: socket.socket, counts: bool) -> None:
        with suppress(OSError):
            while data := one.recv(4096):
                self.left -= len(data) if counts else 0
                if self.left < 0:
                    self.happens()
                    return
                other.sendall(data)


@contextmanager
def cable(uri: str) -> Iterator[Cable]:
    """A cable to the server at this address."""
    host, port = uri.removeprefix("bolt://").split(":")
    made = Cable((host, int(port)))
    try:
        yield made
    finally:
        made.close()
