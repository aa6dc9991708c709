"""Prompts, modes and the ways between them."""

import pytest

from studium.tutor.domain import Mode
from studium.tutor.ios.modes import commands_between_modes, guess_mode, read_prompt


@pytest.mark.parametrize(
    ("text", "hostname", "mode"),
    [
        ("Router>", "Router", Mode.USER_EXEC),
        ("R1#", "R1", Mode.PRIVILEGED_EXEC),
        ("HQ-Edge.lab_1# ", "HQ-Edge.lab_1", Mode.PRIVILEGED_EXEC),
        ("R1(config)#", "R1", Mode.GLOBAL_CONFIG),
        ("r1(config-if)# ", "r1", Mode.INTERFACE_CONFIG),
        ("S1(config-if-range)#", "S1", Mode.INTERFACE_CONFIG),
        ("R1(config-subif)#", "R1", Mode.SUBINTERFACE_CONFIG),
        ("R1(config-router)#", "R1", Mode.ROUTER_CONFIG),
        ("R1(config-router-af)#", "R1", Mode.ROUTER_CONFIG),
        ("R1(config-rtr)#", "R1", Mode.ROUTER_CONFIG),
        ("R1(config-line)#", "R1", Mode.LINE_CONFIG),
        ("S1(config-vlan)#", "S1", Mode.VLAN_CONFIG),
        ("R1(config-std-nacl)#", "R1", Mode.ACL_CONFIG),
        ("R1(config-ext-nacl)#", "R1", Mode.ACL_CONFIG),
        ("R1(dhcp-config)#", "R1", Mode.DHCP_CONFIG),
        ("R1(config-route-map)#", "R1", Mode.UNKNOWN),
    ],
)
def test_a_prompt_tells_the_device_and_the_mode(text: str, hostname: str, mode: Mode) -> None:
    found = read_prompt(text)
    assert found is not None
    assert (found.hostname, found.mode) == (hostname, mode)


@pytest.mark.parametrize("text", ["", "% Invalid input", "   ^", "Building configuration..."])
def test_other_lines_are_no_prompts(text: str) -> None:
    assert read_prompt(text) is None


@pytest.mark.parametrize(
    ("before", "mode"),
    [
        ([], Mode.UNKNOWN),
        (["en"], Mode.PRIVILEGED_EXEC),
        (["enable", "conf t"], Mode.GLOBAL_CONFIG),
        (["conf t", "int gi0/0"], Mode.INTERFACE_CONFIG),
        (["conf t", "interface gi0/0.10"], Mode.SUBINTERFACE_CONFIG),
        (["conf t", "int gi0/0", "no shut", "exit"], Mode.GLOBAL_CONFIG),
        (["conf t", "router ospf 1", "end"], Mode.PRIVILEGED_EXEC),
        (["conf t", "line vty 0 4", "password cisco"], Mode.LINE_CONFIG),
        (["conf t", "vlan 10"], Mode.VLAN_CONFIG),
    ],
)
def test_the_commands_before_tell_the_mode(before: list[str], mode: Mode) -> None:
    assert guess_mode(before) is mode


@pytest.mark.parametrize(
    ("here", "there", "steps"),
    [
        (Mode.USER_EXEC, Mode.PRIVILEGED_EXEC, ["enable"]),
        (Mode.USER_EXEC, Mode.GLOBAL_CONFIG, ["enable", "configure terminal"]),
        (Mode.PRIVILEGED_EXEC, Mode.LINE_CONFIG, ["configure terminal", "line vty 0 4"]),
        (Mode.GLOBAL_CONFIG, Mode.VLAN_CONFIG, ["vlan <number>"]),
        (Mode.INTERFACE_CONFIG, Mode.PRIVILEGED_EXEC, ["end"]),
    ],
)
def test_the_way_from_mode_to_mode(here: Mode, there: Mode, steps: list[str]) -> None:
    assert commands_between_modes(here, there) == steps
