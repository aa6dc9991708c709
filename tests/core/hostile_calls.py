"""What a reader process may be asked to do by a hostile file."""

import ctypes
import os
import re
import sys
import time
from multiprocessing import Pipe
from multiprocessing.connection import Connection

from studium.core.fork_server import die_with_server, fork_process
from studium.core.reader_process import outside_server
from studium.core.yaml_files import UnreadableYaml


def double(number: int) -> int:
    return 2 * number


def process_id() -> int:
    return os.getpid()


def spin() -> None:
    """A C call that holds the interpreter for ever."""
    re.match(r"(x+x+)+y", "x" * 60)


def fill_memory() -> int:
    return len([object() for _ in range(10**9)])


def no_room_for_thread() -> None:
    """How the C runtime ends a process that has no memory for what belongs to a thread."""
    os._exit(127)


def crash() -> None:
    ctypes.string_at(0)


def long_answer() -> bytes:
    return b"x" * 3_000_000


def deep_answer() -> list[object]:
    nested: list[object] = []
    for _ in range(100_000):
        nested = [nested]
    return nested


def refuse() -> None:
    raise UnreadableYaml("it is not", 7, name="note.md", remedy="Write it again.")


def fail() -> None:
    raise KeyError("unforeseen")


@outside_server(lambda: "It")
def where() -> int:
    return os.getpid()


def spin_as_a_job_does(pipe: Connection) -> None:
    die_with_server(pipe)
    spin()


if __name__ == "__main__":
    ours, theirs = Pipe()
    print(fork_process(spin_as_a_job_does, theirs).pid, flush=True)  # noqa: T201 - the test reads it
    theirs.close()
    sys.stdin.close()
    time.sleep(600)
