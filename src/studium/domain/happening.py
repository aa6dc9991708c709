"""Happenings: whoever wants to follow the work while it goes on hears what happens in it.

It is ambient, as the assignment is: the one who starts the work sets the listener, the step that does it tells.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

Listener = Callable[[str, dict[str, Any]], None]

_listener: ContextVar[Listener | None] = ContextVar("studium_happenings", default=None)


@contextmanager
def followed_by(listener: Listener) -> Iterator[None]:
    """In this block, the listener hears what happens."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def happened(kind: str, **what: Any) -> None:
    """Let the listener hear of it, if anybody listens."""
    listener = _listener.get()
    if listener:
        listener(kind, what)
