"""A conversation with a router."""

import os
import pwd
import signal
import subprocess
import time
from pathlib import Path
from statistics import median

import pytest

from studium.core.domain.errors import ServiceDown
from studium.tutor.devices.frr import vtysh

pytestmark = [pytest.mark.part("frr"), pytest.mark.xdist_group("frr")]


def daemon(bench, name):
    return int((bench._router("r1").startup.parent / f"{name}.pid").read_text())


@pytest.mark.parametrize(
    ("commands", "prompt"),
    [
        ([], "r1#"),
        (["disable"], "r1>"),
        (["disable", "enable"], "r1#"),
        (["configure terminal"], "r1(config)#"),
        (["conf t", "interface eth0"], "r1(config-if)#"),
        (["conf t", "route-map x permit 10"], "r1(config-route-map)#"),
        (["conf t", "interface eth0", "exit"], "r1(config)#"),
        (["conf t", "interface eth0", "end"], "r1#"),
        (["conf t", "hostname Edge-1.lab"], "Edge-1.lab(config)#"),
        (["exit"], "r1#"),
        (["conf t", "do exit"], "r1(config)#"),
        (["quit", "qu"], "r1#"),
    ],
)
def test_the_prompt_follows_the_mode(r1, commands, prompt):
    for command in commands:
        assert r1.run(command) == ""
    assert r1.prompt == prompt


def test_the_router_answers_in_its_own_words(r1):
    assert r1.run("shwo ip route") == "% Unknown command: shwo ip route"
    assert r1.run("show ip rout") == "% Ambiguous command: show ip rout"
    assert r1.run("show") == "% Command incomplete: show"
    assert r1.run("show ip route 10.0.12.0/30").splitlines()[0] == "Routing entry for 10.0.12.0/30"
    assert r1.run("") == ""


def test_a_question_mark_gives_help_and_leaves_nothing_on_the_line(r1):
    helped = r1.run("show ip ro?")
    assert [line.split()[0] for line in helped.splitlines()] == ["route", "router-id"]
    assert r1.run("show version").startswith("FRRouting")


def test_a_question_mark_inside_a_line_is_text(r1):
    for command in ("conf t", "interface eth1", "description why? because", "end"):
        assert r1.run(command) == ""
    assert r1.run("show running-config | include why").strip() == "description why? because"


def test_answers_come_at_once(r1):
    def typical(command):
        times = []
        for _ in range(60):
            started = time.perf_counter()
            r1.run(command)
            times.append(time.perf_counter() - started)
        return median(times)

    assert typical("show ip rout") < 0.1
    assert typical("show ip route") < 0.1


def test_what_may_leave_the_lab_never_reaches_the_router(r1, tmp_path):
    told = tmp_path / "told"
    tmp_path.chmod(0o777)
    for command in (
        f"output file {told}",
        f"log file {told}",
        "start-shell bash",
        "show version; id",
        "show version\nid",
    ):
        assert r1.run(command).startswith("% Not allowed here: ")
    assert not told.exists()
    assert r1.prompt == "r1#"


def test_the_command_line_runs_without_rights_and_can_start_nothing(r1):
    status = Path("/proc", str(r1._process.pid), "status").read_text()
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert fields["Name"] == "vtysh"
    assert set(fields["Uid"].split()) == {str(pwd.getpwnam("frr").pw_uid)}
    assert {int(fields[name], 16) for name in ("CapPrm", "CapEff", "CapBnd")} == {0}
    assert fields["NoNewPrivs"] == "1"
    limits = Path("/proc", str(r1._process.pid), "limits").read_text()
    assert next(line for line in limits.splitlines() if line.startswith("Max processes")).split()[2:4] == ["0", "0"]


def test_a_ping_is_answered_and_takes_addresses_only(r1):
    assert "5 received, 0% packet loss" in r1.run("ping 10.0.12.2")
    assert "0 received, 100% packet loss" in r1.run("ping 10.0.12.3", timeout=0.5)
    assert r1.run("ping -f").startswith("% `-f` is not an IP address.")
    assert r1.run("conf t") == ""
    assert r1.run("ping 10.0.12.2") == "% Unknown command: ping 10.0.12.2"
    assert "5 received" in r1.run("do ping ip 10.0.12.2")


def test_a_timeout_is_reported_and_the_session_continues(bench, r1):
    r1.run("configure terminal")
    zebra = daemon(bench, "zebra")
    os.kill(zebra, signal.SIGSTOP)
    try:
        with pytest.raises(ServiceDown, match="did not answer within") as late:
            r1.run("do show ip route", timeout=0.3)
    finally:
        os.kill(zebra, signal.SIGCONT)
    assert "restart r1" in late.value.remedy
    assert r1.run("nonsense") == "% Unknown command: nonsense"
    assert r1.prompt == "r1(config)#"


def test_a_dead_router_is_reported_and_reconnected_after_a_restart(bench, r1):
    os.kill(daemon(bench, "zebra"), signal.SIGKILL)
    while bench.is_alive("r1"):
        time.sleep(0.02)
    with pytest.raises(ServiceDown, match="r1 does not run"):
        r1.run("show ip route")
    bench.restart("r1")
    assert r1.run("show version").startswith("FRRouting")
    assert r1.prompt == "r1#"


def test_a_command_line_that_dies_is_opened_again(r1):
    os.kill(r1._process.pid, signal.SIGKILL)
    r1._process.wait()
    assert r1.run("show version").startswith("FRRouting")


@pytest.mark.parametrize(
    ("command", "size"),
    [("list", 50_000), pytest.param("list permutations", 5_000_000, marks=pytest.mark.endurance)],
)
def test_a_long_answer_is_read_whole_and_the_next_answer_is_the_next(bench, r1, command, size):
    said = r1.run(command, timeout=60)
    alone = bench._router("r1").vtysh("-c", command)
    expected = subprocess.run(alone, capture_output=True, text=True, check=True).stdout
    assert len(said) > size
    assert sorted(said.splitlines()) == sorted(expected.strip("\n").splitlines())
    assert r1.run("show ip rout") == "% Ambiguous command: show ip rout"


def test_a_flood_is_cut_to_what_fits(r1, monkeypatch):
    monkeypatch.setattr(vtysh, "_MOST", 10_000)
    said = r1.run("list", timeout=60)
    assert 10_000 <= len(said) < 11_000
    assert r1.run("show ip rout") == "% Ambiguous command: show ip rout"


def test_a_name_given_to_the_router_is_known_to_later_conversations_and_copies(bench, r1):
    for command in ("configure terminal", "hostname Edge", "end", "write memory"):
        r1.run(command)
    again = bench.device("r1")
    assert again.prompt == "Edge#"
    again.close()
    assert [line for line in bench.snapshot()["r1"].splitlines() if "hostname" in line] == ["hostname Edge"]
    bench.restart("r1")
    assert r1.run("show version").startswith("FRRouting")
    assert r1.prompt == "Edge#"
    bench.reset()
    r1.run("")
    assert r1.prompt == "r1#"


def test_a_closed_conversation_leaves_the_router_running(bench):
    device = bench.device("r2")
    device.run("configure terminal")
    device.close()
    device.close()
    assert bench.is_alive("r2")
