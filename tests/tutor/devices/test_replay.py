"""Recorded devices: they answer as the real ones did, follow the mode, and say what they do not know."""

from pathlib import Path

import pytest

from studium.tutor.devices.replay import ReplayDevice
from studium.tutor.domain import Lab, LabCheck, TypedCommand
from studium.tutor.setup import recorded_lab
from studium.tutor.transcripts import read_history

BASICS = Path(__file__).parent.parent / "error_detection" / "transcripts" / "router_basics.txt"
ROUTES = "C        10.0.12.0/30 is directly connected, GigabitEthernet0/1\nS     192.168.2.0/24 [1/0] via 10.0.12.2"


@pytest.fixture
def r1():
    return ReplayDevice("r1", read_history(BASICS).typed)


def test_a_recorded_command_is_answered_in_any_spelling(r1):
    answer = r1.run("sh ip int br")
    assert answer.splitlines()[1].split()[:2] == ["GigabitEthernet0/0", "192.168.10.1"]


def test_the_latest_answer_is_given():
    device = ReplayDevice(
        "r1",
        [
            TypedCommand(command="show clock", output="12:00", prompt="R1#"),
            TypedCommand(command="show clock", output="12:01", prompt="R1#"),
        ],
    )
    assert device.run("sh clo") == "12:01"
    assert device.run("show clock") == "12:01"


def test_the_prompt_follows_the_modes(r1):
    seen = []
    for command in ("conf t", "int g0/0", "no shutdown", "exit", "router ospf 1", "end", "disable", "en"):
        r1.run(command)
        seen.append(r1.prompt)
    assert seen == [
        "R1(config)#",
        "R1(config-if)#",
        "R1(config-if)#",
        "R1(config)#",
        "R1(config-router)#",
        "R1#",
        "R1>",
        "R1#",
    ]


def test_the_same_words_are_answered_by_their_mode(r1):
    assert "Invalid input" in _in_interface(r1, "show ip interface brief")
    assert "YES manual up" in _in_interface(r1, "do show ip interface brief")


def test_what_was_not_recorded_is_reported(r1):
    assert r1.run("show clock") == ("(`show clock` was not recorded on r1. Recorded are: show ip interface brief.)")


def test_a_lab_is_checked_by_its_recordings():
    lab = Lab(
        id="static",
        title="Static",
        goal="A route.",
        checks=(
            LabCheck(id="route", title="route", kind="route", device="r1", target="192.168.2.0/24", protocol="static"),
            LabCheck(id="ping", title="ping", kind="ping", device="r1", target="192.168.2.10"),
            LabCheck(id="lost", title="lost", kind="ping", device="r1", target="192.168.3.10"),
            LabCheck(id="other", title="other", kind="route", device="r2", target="192.168.2.0/24"),
        ),
    )
    recorded = [
        TypedCommand(command="sh ip route", output=ROUTES, prompt="R1#", device="R1"),
        TypedCommand(
            command="ping 192.168.2.10", output="!!!!!\nSuccess rate is 100 percent (5/5)", prompt="R1#", device="R1"
        ),
        TypedCommand(
            command="ping 192.168.3.10", output=".....\nSuccess rate is 0 percent (0/5)", prompt="R1#", device="R1"
        ),
    ]
    assert [one.holds for one in recorded_lab(lab, recorded).check()] == [True, True, False, False]


def _in_interface(device, command):
    device.run("configure terminal")
    device.run("interface g0/0")
    return device.run(command)
