"""A server ends soon after SIGTERM, whatever its threads do."""

import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.real.process import free_port

import studium.cli.shutdown_guard


def test_a_server_that_is_stuck_in_a_c_call_is_killed_when_its_time_is_over():
    command = [sys.executable, str(Path(__file__).with_name("stuck_server.py")), str(free_port()), "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        while server.stdout.readline().strip() != "stuck":
            assert server.poll() is None
        time.sleep(0.2)
        asked = time.monotonic()
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=20) == -signal.SIGKILL
        assert time.monotonic() - asked < 10
        told = server.stderr.read()
    assert "did not stop within 1 s" in told
    assert "stuck_server.py" in told
    assert studium.cli.shutdown_guard.SECONDS < 10, "a person waits no longer"
