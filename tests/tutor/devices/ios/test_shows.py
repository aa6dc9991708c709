"""What a router shows, from what FRR was seen to say."""

import re
from pathlib import Path

import pytest
from tests.tutor.devices.ios.offline_router import OfflineRouter

RECORDED = Path(__file__).parent / "recorded"


class RecordedRouter(OfflineRouter):
    """Answers show commands as FRR 8.4 did, between two routers that run OSPF, RIP and BGP."""

    def run(self, command: str, *, timeout: float = 10.0) -> str:
        file = RECORDED / f"{command.replace(' ', '_')}.txt"
        return file.read_text() if file.exists() else super().run(command, timeout=timeout)


@pytest.fixture
def beneath():
    return RecordedRouter("R1")


def body(text: str, start: str) -> list[str]:
    lines = text.splitlines()
    return lines[next(at for at, line in enumerate(lines) if line.startswith(start)) :]


def test_interfaces_in_brief(type_lines):
    assert type_lines("sh ip int br").splitlines() == [
        "Interface                  IP-Address      OK? Method Status                Protocol",
        "GigabitEthernet0/0         10.0.12.1       YES manual up                    up      ",
        "GigabitEthernet0/1         192.168.1.1     YES manual down                  down    ",
        "Loopback0                  1.1.1.1         YES manual up                    up      ",
    ]


def test_the_routing_table(type_lines):
    shown = body(type_lines("show ip route"), "Gateway")
    assert [re.sub(r"\d\d:\d\d:\d\d", "AGE", line) for line in shown] == [
        "Gateway of last resort is 10.0.12.2 to network 0.0.0.0",
        "",
        "S*    0.0.0.0/0 [1/0] via 10.0.12.2",
        "      1.0.0.0/32 is subnetted, 1 subnets",
        "C        1.1.1.1/32 is directly connected, Loopback0",
        "      2.0.0.0/32 is subnetted, 1 subnets",
        "O IA     2.2.2.2/32 [110/10] via 10.0.12.2, AGE, GigabitEthernet0/0",
        "S     5.0.0.0/8 is directly connected, Null0",
        "O E2  6.0.0.0/8 [110/20] via 10.0.12.2, AGE, GigabitEthernet0/0",
        "      10.0.0.0/8 is variably subnetted, 2 subnets, 2 masks",
        "C        10.0.12.0/30 is directly connected, GigabitEthernet0/0",
        "L        10.0.12.1/32 is directly connected, GigabitEthernet0/0",
        "      11.0.0.0/32 is subnetted, 1 subnets",
        "C        11.0.0.1/32 is directly connected, Loopback0",
        "      22.0.0.0/32 is subnetted, 1 subnets",
        "B        22.0.0.1/32 [20/0] via 10.0.12.2, AGE",
    ]


def test_the_routes_of_one_protocol(type_lines):
    assert body(type_lines("sh ip route static"), "S*") == [
        "S*    0.0.0.0/0 [1/0] via 10.0.12.2",
        "S     5.0.0.0/8 is directly connected, Null0",
    ]


def test_the_route_to_an_address(type_lines):
    assert type_lines("show ip route 6.1.2.3").splitlines() == [
        "Routing entry for 6.0.0.0/8",
        '  Known via "ospf", distance 110, metric 20',
        "  Routing Descriptor Blocks:",
        "  * 10.0.12.2, via GigabitEthernet0/0",
    ]
    assert type_lines("show ip route 99.1.2.3") == "% Network not in table"
    assert type_lines("show ip route 10.99.0.1") == "% Subnet not in table"


def test_ospf_neighbours(type_lines):
    heading, neighbour = type_lines("show ip ospf neighbor").splitlines()
    assert heading == "Neighbor ID     Pri   State           Dead Time   Address         Interface"
    assert neighbour.startswith("2.2.2.2           1   FULL/  -        00:00:0")
    assert neighbour.endswith("10.0.12.2       GigabitEthernet0/0")


def test_ospf_interfaces_in_brief(type_lines):
    assert type_lines("show ip ospf interface brief").splitlines() == [
        "Interface    PID   Area            IP Address/Mask    Cost  State Nbrs F/C",
        "Gi0/0        1     0               10.0.12.1/30       10    P2P   1/1",
        "Lo0          1     0               1.1.1.1/32         0     LOOP  0/0",
    ]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("filtering", ["include", "exclude", "begin", "section", "count"])
@pytest.mark.parametrize("pattern", [".*.*.*.*.*.*.*.*zz$", "(a+)+zz$", "(.|..)*zz$", "( *)*zz$"])
def test_no_filter_takes_long(type_lines, filtering, pattern):
    shown = type_lines("enable", f"show running-config | {filtering} {pattern}")
    assert (shown == "") == (filtering in ("include", "begin", "section"))


def test_a_filter_that_is_no_expression_looks_for_its_letters(type_lines):
    assert type_lines("enable", "show run | include (?=hostname)") == ""
    assert type_lines("enable", "show run | include [") == ""


def test_one_interface(type_lines):
    shown = type_lines("show interfaces g0/0").splitlines()
    assert shown[0] == "GigabitEthernet0/0 is up, line protocol is up"
    assert "  Internet address is 10.0.12.1/30" in shown
    assert type_lines("show interfaces g0/9") == "%Invalid interface type and number"


def test_the_running_configuration(type_lines):
    shown = body(type_lines("enable", "show running-config"), "hostname")
    assert shown == [
        "hostname R1",
        "!",
        "interface Loopback0",
        " ip address 11.0.0.1 255.255.255.255 secondary",
        " ip address 1.1.1.1 255.255.255.255",
        "!",
        "interface GigabitEthernet0/0",
        " ip address 10.0.12.1 255.255.255.252",
        " ip ospf dead-interval 4",
        " ip ospf hello-interval 1",
        " ip ospf network point-to-point",
        "!",
        "interface GigabitEthernet0/1",
        " ip address 192.168.1.1 255.255.255.0",
        "!",
        "router ospf 1",
        " redistribute static subnets",
        " network 1.1.1.1 0.0.0.0 area 0",
        " network 10.0.12.0 0.0.0.3 area 0",
        " network 192.168.1.0 0.0.0.255 area 0",
        "!",
        "router rip",
        " version 2",
        " network 10.0.0.0",
        "!",
        "router bgp 65001",
        " neighbor 10.0.12.2 remote-as 65002",
        " network 11.0.0.1 mask 255.255.255.255",
        "!",
        "ip route 0.0.0.0 0.0.0.0 10.0.12.2",
        "ip route 5.0.0.0 255.0.0.0 Null0",
        "!",
        "line con 0",
        "line vty 0 4",
        "!",
        "end",
    ]


def test_filters_after_the_pipe(type_lines):
    assert type_lines("enable", "show run | include ^ip route") == (
        "ip route 0.0.0.0 0.0.0.0 10.0.12.2\nip route 5.0.0.0 255.0.0.0 Null0"
    )
    assert type_lines("sh run | sec rip") == "router rip\n version 2\n network 10.0.0.0"
    assert type_lines("sh run | begin line con").splitlines()[0] == "line con 0"
    assert type_lines("sh ip int br | exc up").splitlines()[1].split()[0] == "GigabitEthernet0/1"
    assert type_lines("sh run | count router") == "Number of lines which match regexp = 3"


def test_one_interface_of_the_running_configuration(type_lines):
    shown = type_lines("en", "sh run int g0/1").splitlines()
    assert shown[-3:] == ["interface GigabitEthernet0/1", " ip address 192.168.1.1 255.255.255.0", "end"]


def test_the_routing_protocols(type_lines):
    shown = type_lines("show ip protocols").splitlines()
    assert [line for line in shown if line.startswith("Routing Protocol")] == [
        'Routing Protocol is "ospf 1"',
        'Routing Protocol is "rip"',
        'Routing Protocol is "bgp 65001"',
    ]
    assert "    192.168.1.0 0.0.0.255 area 0" in shown


def test_saving(type_lines):
    assert type_lines("en", "show startup-config") == "startup-config is not present"
    assert type_lines("copy run start") == "Destination filename [startup-config]? \nBuilding configuration...\n[OK]"
    assert "interface GigabitEthernet0/1" in type_lines("show startup-config").splitlines()
