"""Kills a server that does not stop: a thread inside a long C call keeps Python from handling any signal.

A small process of its own reads a pipe. Python's `faulthandler` writes to the pipe from within the signal, which needs
no interpreter, and the pipe closes when the server is gone.
"""

import faulthandler
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS = 8.0
"""How long a server may take to stop after a signal."""


@contextmanager
def killed_if_stuck() -> Iterator[None]:
    """Kill this process if it lives for more than `SECONDS` after SIGTERM or Ctrl-C; call it once they are handled."""
    read_end, write_end = os.pipe()
    command = [sys.executable, "-I", "-S", __file__, str(read_end), str(os.getpid()), str(SECONDS)]
    subprocess.Popen(command, pass_fds=[read_end], stdin=subprocess.DEVNULL, start_new_session=True)  # noqa: S603 - ours
    os.close(read_end)
    for number in (signal.SIGTERM, signal.SIGINT):
        faulthandler.register(number, file=write_end, chain=True)
    try:
        yield
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            faulthandler.unregister(number)
        # The pipe stays open: what comes after this block may be stuck, too.


def main(read_end: int, server: int, seconds: float) -> None:
    """Wait for a signal to the server, then for its end; the process that `killed_if_stuck` starts."""
    traces = os.read(read_end, 65536)
    if not traces:
        return  # the server has ended without a signal
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        if select.select([read_end], [], [], left)[0]:
            more = os.read(read_end, 65536)
            if not more:
                return
            traces += more
    os.kill(server, signal.SIGKILL)
    told = f"Studium did not stop within {seconds:g} s and was killed. What it was doing:\n"
    sys.stderr.write(told + traces.decode(errors="replace"))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
