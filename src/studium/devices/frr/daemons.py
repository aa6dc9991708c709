"""A daemon asked at its own socket, as vtysh asks it: no process is started, so it costs next to nothing."""

import os
import socket
from pathlib import Path

_SECONDS = 1.0
_MOST = 4_000_000
_END = b"\0\0\0"
"""What ends an answer; a byte that says how it went comes after it."""


def asked(door: Path, command: str) -> str:
    """What a daemon says to a command that shows something; nothing, if it does not answer."""
    heard = bytearray()
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(_SECONDS)
            line.connect(os.fspath(door))
            line.sendall(command.encode() + b"\0")
            while heard[-4:-1] != _END and len(heard) < _MOST:
                if not (piece := line.recv(1 << 16)):
                    break
                heard += piece
    except OSError:
        return ""
    return heard.partition(_END)[0].decode(errors="replace")
