"""The scripted server as a process: `python -m studium.testing --delay 0.2`.

Prints its address on the first line, answers everything validly after the delay, and ends when its input closes.
"""

import argparse
import sys
from functools import partial

from studium.testing.script import valid_reply
from studium.testing.server import WireServer


def main() -> None:
    """Serve until the standard input closes."""
    arguments = argparse.ArgumentParser(prog="python -m studium.testing", description=__doc__)
    arguments.add_argument("--delay", type=float, default=0.0, help="seconds before each answer")
    given = arguments.parse_args()
    with WireServer(partial(valid_reply, delay=given.delay)) as server:
        print(server.address, flush=True)  # noqa: T201 - the address is this program's output
        sys.stdin.read()


if __name__ == "__main__":
    main()
