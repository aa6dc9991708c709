"""Devices over SSH: they answer as at their own console, and every failure is reported plainly."""

import socket
import time
from contextlib import closing

import pytest

from studium.core.domain.errors import BadInput, ServiceDown
from studium.tutor.devices.ssh import SshAddress, SshDevice


@pytest.fixture
def address(door):
    """The address of the server, with what is to be other."""

    def make(**other):
        given = {"host": "127.0.0.1", "port": door.port, "user": "student", "password": "lab"}
        return SshAddress(**({**given, "known_hosts": door.known_hosts} | other))

    return make


@pytest.fixture
def r1(address):
    with closing(SshDevice(address(), "r1")) as device:
        yield device


def test_a_command_is_answered_without_echo_prompt_and_codes(r1):
    assert r1.run("show clock") == "*12:00:01.003 UTC Mon Nov 16 2026"
    assert r1.run("show colours") == "bold"
    assert r1.prompt == "R1#"


def test_the_conversation_remembers_its_mode(r1):
    seen = [(r1.run(command), r1.prompt) for command in ("conf t", "int g0/0", "end")]
    assert seen == [("", "R1(config)#"), ("", "R1(config-if)#"), ("", "R1#")]


def test_a_caret_keeps_its_column(r1):
    assert r1.run("shw clock") == "    ^\n% Invalid input detected at '^' marker."


def test_a_long_answer_comes_whole(r1):
    lines = r1.run("show tech", timeout=30).splitlines()
    assert (len(lines), lines[-1]) == (20_000, "line 19999 of # many >")


def test_a_password_is_asked_and_given(r1):
    r1.run("enable")
    assert r1.prompt == "Password:"
    assert (r1.run("secret"), r1.prompt) == ("", "R1#")


def test_a_key_opens_as_well(address, door):
    with closing(SshDevice(address(password=None, key=door.key), "r1")) as device:
        assert device.prompt == "R1#"


def test_commands_are_quick(r1):
    took = []
    for _ in range(20):
        begun = time.perf_counter()
        r1.run("show clock")
        took.append(time.perf_counter() - begun)
    assert sorted(took)[10] < 1


def test_a_timeout_is_reported_and_the_next_command_reconnects(r1):
    with pytest.raises(ServiceDown, match=r"r1 did not answer within 0\.3 s"):
        r1.run("wait", timeout=0.3)
    assert r1.run("show clock") == "*12:00:01.003 UTC Mon Nov 16 2026"


def test_a_lost_connection_is_reported_and_reopened(r1):
    with pytest.raises(ServiceDown, match="The connection to r1 was lost"):
        r1.run("reload")
    assert r1.run("show clock") == "*12:00:01.003 UTC Mon Nov 16 2026"


@pytest.mark.parametrize("command", ["show clock\nreload", "show\x03clock"])
def test_only_one_line_is_typed(r1, command):
    with pytest.raises(BadInput, match="one line"):
        r1.run(command)


def test_a_wrong_password_is_reported(address):
    with pytest.raises(ServiceDown, match="rejected the login of student") as told:
        SshDevice(address(password="wrong"), "r1")
    assert told.value.remedy == "Check the user name and the password or key."


def test_an_unknown_host_key_is_refused_unless_wanted(address, tmp_path):
    with pytest.raises(ServiceDown, match=r"host key of 127\.0\.0\.1 is not in") as told:
        SshDevice(address(known_hosts=tmp_path / "none"), "r1")
    assert "compare the fingerprint" in told.value.remedy
    empty = tmp_path / "empty"
    empty.touch()
    with pytest.raises(ServiceDown, match=r"host key of 127\.0\.0\.1 is not in"):
        SshDevice(address(known_hosts=empty), "r1")
    with closing(SshDevice(address(known_hosts=empty, trust_any_host=True), "r1")) as device:
        assert device.prompt == "R1#"


def test_a_host_with_another_key_is_refused(address, door, tmp_path):
    import asyncssh

    other = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode()
    known = tmp_path / "other"
    known.write_text(f"[127.0.0.1]:{door.port} {other}")
    with pytest.raises(ServiceDown, match=r"host key of 127\.0\.0\.1 is another than"):
        SshDevice(address(known_hosts=known), "r1")


def test_a_closed_port_is_reported(address):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ServiceDown, match=f"refuses connections to port {port}"):
        SshDevice(address(port=port), "r1")


def test_a_server_without_ssh_is_reported(address):
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        pytest.raises(ServiceDown, match="but not as an SSH server"),
    ):
        SshDevice(address(port=silent.getsockname()[1], connect_timeout=0.5), "r1")


def test_a_password_is_never_shown(address):
    assert "lab" not in repr(address())
