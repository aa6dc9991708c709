"""A lab of real routers over HTTP: configured in one go, and seen to stand as it does."""

import os
import signal
import time

import pytest
from fastapi.testclient import TestClient

from studium.core.config import load_settings
from studium.http.app import create_app
from studium.tutor import lab_use_cases

pytestmark = [pytest.mark.part("frr"), pytest.mark.xdist_group("frr")]
LAB = "07-bgp-basics"


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    """A home in which a lab is up."""
    settings = load_settings(overrides=(f"home={tmp_path_factory.mktemp('home')}", "embedder=none"))
    lab_use_cases.lab_up(settings, LAB)
    yield settings
    lab_use_cases.lab_down(settings, LAB)


@pytest.fixture(scope="module")
def client(settings):
    """The interface over that home."""
    with TestClient(create_app(settings), base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture
def type_on(client):
    """Types commands on a device of the lab."""
    return lambda device, *commands: client.post(
        f"/api/v1/labs/{LAB}/devices/{device}/commands", json={"commands": list(commands)}
    ).json()


def until(client, true, seconds=20.0):
    """How the lab stands when something holds; or at last, if it never does."""
    deadline = time.monotonic() + seconds
    while not true(state := client.get(f"/api/v1/labs/{LAB}/state").json()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return state


def test_several_commands_walk_through_configuration_mode_and_each_is_answered(type_on, client):
    told = type_on("r1", "enable", "configure terminal", "interface GigabitEthernet0/0", "descripton LAN", "end")
    assert [each["prompt"] for each in told["said"]] == ["R1#", "R1(config)#", *["R1(config-if)#"] * 2, "R1#"]
    assert [bool(each["diagnosis"]) for each in told["said"]] == [False, False, False, True, False]
    assert (told["prompt"], told["untyped"], told["stopped"]) == ("R1#", [], "")
    alone = client.post(f"/api/v1/labs/{LAB}/devices/r1/commands", json={"command": "enable"}).json()
    assert (alone["prompt"], [each["command"] for each in alone["said"]]) == ("R1#", ["enable"])


def test_a_session_is_seen_to_come_up_and_a_port_to_go_down(type_on, client, settings):
    for device, lines in lab_use_cases.lab_state(settings, LAB).lab.solution.items():
        type_on(device, "enable", "configure terminal", *lines.splitlines(), "end")
    state = until(client, lambda state: [each["is_up"] for each in state["adjacencies"]] == [True, True])
    assert {(each["device"], each["port"], each["state"]) for each in state["adjacencies"]} == {
        ("r1", "GigabitEthernet0/1", "Established"),
        ("r2", "GigabitEthernet0/1", "Established"),
    }
    type_on("r1", "enable", "configure terminal", "interface GigabitEthernet0/1", "shutdown")
    state = until(client, lambda state: state["ports"]["r2:GigabitEthernet0/1"]["state"] == "down", 5)
    assert state["ports"]["r1:GigabitEthernet0/1"]["state"] == "shut"
    assert state["ports"]["r2:GigabitEthernet0/1"]["state"] == "down"
    shown = client.get(f"/api/v1/labs/{LAB}").json()
    assert shown["carries"]["r1:GigabitEthernet0/1"] is False
    assert shown["carries"]["pc1:eth0"] is True


def test_earlier_output_is_returned_when_the_router_dies(settings):
    zebra = lab_use_cases.running_local_lab(settings, LAB).testbed._router("r2").startup.with_name("zebra.pid")

    def commands():
        yield "enable"
        os.kill(int(zebra.read_text()), signal.SIGKILL)
        yield "show ip route"
        yield "show clock"

    with lab_use_cases.open_console(settings, LAB, "r2") as console:
        told = console.run_all(commands(), timeout=5, in_all=20)
    lab_use_cases.reset_lab(settings, LAB)
    assert [each.command for each in told.said] == ["enable"]
    assert "r2 does not run" in told.stopped


def test_what_there_was_no_time_for_is_not_typed(settings):
    with lab_use_cases.open_console(settings, LAB, "r1") as console:
        told = console.run_all(["enable", "show clock", "show version"], timeout=5, in_all=0)
    assert [each.command for each in told.said] == ["enable"]
    assert "were over" in told.stopped
