"""Every command of the table can be typed, in every way it can be written."""

from random import Random

import pytest
from tests.tutor.devices.ios.offline_router import OfflineRouter
from tests.tutor.devices.ios.sample_commands import sample_commands

from studium.tutor.devices.ios.device import IosDevice
from studium.tutor.ios.syntax import command_table

ENTRANCE = {
    "user": [],
    "priv": ["enable"],
    "config": ["enable", "configure terminal"],
    "if": ["enable", "configure terminal", "interface g0/0"],
    "ospf": ["enable", "configure terminal", "router ospf 1"],
    "rip": ["enable", "configure terminal", "router rip"],
    "bgp": ["enable", "configure terminal", "router bgp 65001"],
    "line": ["enable", "configure terminal", "line vty 0 4"],
    "vlan": ["enable", "configure terminal", "vlan 10"],
    "std": ["enable", "configure terminal", "ip access-list standard X"],
    "ext": ["enable", "configure terminal", "ip access-list extended X"],
    "dhcp": ["enable", "configure terminal", "ip dhcp pool X"],
}
EXAMPLES = {
    "<ip>": "10.0.0.1",
    "<mask>": "10.0.0.1",
    "<wildcard>": "10.0.0.1",
    "<ip6>": "2001:db8::1",
    "<prefix6>": "2001:db8::/64",
    "<word>": "word",
    "<line>": "some words",
    "<if>": "gig 0/1",
    "<area>": "0",
    "<n>": "7",
    "<vlans>": "10,20-30",
    "<mac>": "0011.2233.4455",
    "<hostname>": "server",
    "<port>": "www",
    "<hours>": "-5",
    "<time>": "02:00",
}


def written(parts: tuple[str, ...]) -> str:
    return " ".join(EXAMPLES.get(part) or (part[3:].split("-")[0] if part[0] == "<" else part) for part in parts)


COMMANDS = [
    (mode, written(parts))
    for row in command_table()
    if row.action
    for parts in sample_commands(row.syntax)
    for mode in sorted(row.modes)
]


@pytest.mark.parametrize("mode", ENTRANCE)
def test_each_is_understood(ports, mode):
    lines = [line for where, line in COMMANDS if where == mode]
    assert lines
    for line in lines:
        device = IosDevice(OfflineRouter("R1"), ports)
        for entering in ENTRANCE[mode]:
            device.run(entering)
        said = device.run(line)
        assert "Invalid input" not in said, line
        assert "Incomplete" not in said, line
        assert "Ambiguous" not in said, line


@pytest.mark.parametrize("seed", range(5))
def test_any_line_gets_an_answer(ports, seed):
    dice = Random(seed)
    words = sorted({word for _, line in COMMANDS for word in line.split()})
    device = IosDevice(OfflineRouter("R1"), ports)
    for _ in range(300):
        typed = " ".join(dice.choice(words)[: dice.randint(1, 12)] for _ in range(dice.randint(1, 6)))
        assert isinstance(device.run(dice.choice([typed, dice.choice(COMMANDS)[1]])), str)
    device.run("end")
    assert device.prompt
