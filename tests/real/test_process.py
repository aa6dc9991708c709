"""A real part never outlives the tests, however they end."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.real.process import running

HOLDER = """\
import os, sys, time
from pathlib import Path
from tests.real.process import running
folder = Path(sys.argv[1])
server = ["sh", "-c", "sleep 600 & echo $! > child; mv child pid; wait"]
with running(server, (folder / "pid").exists, log=folder / "log", env=os.environ):
    print("ready", flush=True)
    time.sleep(600)
"""


def test_the_whole_group_of_a_server_dies_with_tests_that_are_killed(tmp_path):
    with subprocess.Popen([sys.executable, "-c", HOLDER, tmp_path], stdout=subprocess.PIPE, text=True) as tests:
        assert tests.stdout.readline() == "ready\n"
        grandchild = Path("/proc", (tmp_path / "pid").read_text().strip())
        assert is_alive(grandchild)
        tests.kill()
    deadline = time.monotonic() + 10
    while is_alive(grandchild) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_alive(grandchild)


def test_a_server_that_ends_at_once_says_why(tmp_path):
    server = ["sh", "-c", "echo no room left; exit 1"]
    with (
        pytest.raises(RuntimeError, match=r"sh ended:\nno room left"),
        running(server, lambda: False, log=tmp_path / "log", env=os.environ),
    ):
        pytest.fail("the block must not begin")


def is_alive(process: Path) -> bool:
    """Whether a process runs, which one that waits to be collected does not."""
    try:
        return " Z " not in (process / "stat").read_text()
    except FileNotFoundError:
        return False
