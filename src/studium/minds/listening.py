"""Listening: whoever wants to read an answer while it is being written hears it piece by piece.

It is ambient, as the assignment is: the one who asks sets the listener, the mind that answers tells it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[str], None]

_listener: ContextVar[Listener | None] = ContextVar("studium_listener", default=None)
_OPENS, _CLOSES = "<think>", "</think>"


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """In this block, prose is told to the listener as it comes."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def is_heard() -> bool:
    """Whether anybody listens."""
    return _listener.get() is not None


def tell(text: str) -> None:
    """Let the listener hear a piece of an answer."""
    listener = _listener.get()
    if listener and text:
        listener(text)


class WithoutThoughts:
    """Lets the words of an answer through, but not the thoughts that some models write before it."""

    def __init__(self) -> None:
        self._held: str | None = ""

    def hear(self, piece: str) -> str:
        """What of this piece is to be told."""
        if self._held is None:
            return piece
        self._held += piece
        begun = self._held.lstrip()
        if _CLOSES in begun:
            told = begun.partition(_CLOSES)[2].lstrip()
        elif begun.startswith(_OPENS) or _OPENS.startswith(begun):
            return ""
        else:
            told = self._held
        self._held = None
        return told
