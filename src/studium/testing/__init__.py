"""For tests and benches: a scripted server that speaks the protocols of the real language-model servers."""

from studium.testing.script import Fault, Reply, WireMessage, WireRequest
from studium.testing.server import WireServer

__all__ = ["Fault", "Reply", "WireMessage", "WireRequest", "WireServer"]
