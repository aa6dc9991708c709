"""A real FRR router behind a real SSH server: vtysh as it echoes and edits, driven by SSH."""

import os
import pty
import statistics
import subprocess
import time
from contextlib import closing

import pytest

from studium.tutor.devices.frr.namespaces import Wiring, find_installation, namespace_prefix
from studium.tutor.devices.frr.router import Router
from studium.tutor.devices.frr.testbed import FrrTestbed
from studium.tutor.devices.ssh import SshAddress, SshDevice
from studium.tutor.domain import Lab, LabDevice, Port


@pytest.fixture
def vtysh(tmp_path):
    """The command line that opens a router's own vtysh."""
    lab = Lab(id="one", title="One", goal="None.", devices=(LabDevice(name="r1", ports=(Port(name="Gi0/0"),)),))
    folder = tmp_path / "bench"
    bench = FrrTestbed(folder)
    bench.up(lab)
    namespace = Wiring(lab, namespace_prefix(folder), find_installation()).namespace("r1")
    yield Router("r1", namespace, (), find_installation()).vtysh()
    bench.down()


def open_terminal(command):
    """The command on a terminal of its own, with what is typed there and what is shown."""
    ours, theirs = pty.openpty()
    environment = {"TERM": "vt100", "PATH": os.environ["PATH"], "HOME": "/nonexistent"}
    running = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
    )
    os.close(theirs)
    return running, os.fdopen(os.dup(ours), "wb", 0), os.fdopen(ours, "rb", 0)


@pytest.fixture
def r1(doors, vtysh):
    """A conversation with the router over SSH."""

    async def behind(process):
        running, typed, shown = open_terminal(vtysh)
        try:
            await process.redirect(stdin=typed, stdout=shown)
            await process.wait_closed()
        finally:
            running.kill()
            running.wait()

    door = doors(behind, encoding=None, line_editor=False)
    address = SshAddress(
        host="127.0.0.1", port=door.port, user="student", password="lab", known_hosts=door.known_hosts, platform="frr"
    )
    with closing(SshDevice(address, "r1")) as device:
        yield device


@pytest.mark.part("frr")
@pytest.mark.xdist_group("frr")
def test_a_router_is_configured_and_asked_over_ssh(r1):
    assert r1.run("shw version") == "% Unknown command: shw version"
    for command in ("configure terminal", "interface eth0", "ip address 10.9.0.1/24"):
        assert r1.run(command) == ""
    assert r1.prompt == "r1(config-if)#"
    assert r1.run("end") == ""
    assert " ip address 10.9.0.1/24" in r1.run("show running-config").splitlines()
    took = []
    for _ in range(20):
        begun = time.perf_counter()
        r1.run("show daemons")
        took.append(time.perf_counter() - begun)
    assert statistics.median(took) < 1
