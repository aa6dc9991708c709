"""What a student types, and what is sent to the FRR router."""

import pytest
from tests.tutor.devices.ios.offline_router import to_frr, to_ios

from studium.tutor.ios.interface_names import full_interface_name, short_interface_name


@pytest.mark.parametrize(
    ("ios", "frr"),
    [
        ("interface g0/0\n ip address 10.1.1.1 255.255.255.0", "interface eth0\n ip address 10.1.1.1/24\nexit"),
        ("int gig 0/1\n shut", "interface eth1\n shutdown\nexit"),
        ("int lo0\n ip add 1.1.1.1 255.255.255.255", "interface lo\n ip address 1.1.1.1/32\nexit"),
        ("ip route 10.0.0.0 255.0.0.0 192.168.1.2 200", "ip route 10.0.0.0/8 192.168.1.2 200"),
        ("ip route 0.0.0.0 0.0.0.0 g0/1", "ip route 0.0.0.0/0 eth1"),
        ("ip route 10.2.0.0 255.255.0.0 gi0/0 10.0.0.2 5", "ip route 10.2.0.0/16 10.0.0.2 eth0 5"),
        ("ipv6 route 2001:db8:2::/64 2001:db8::2", "ipv6 route 2001:db8:2::/64 2001:db8::2"),
        ("router ospf 10\n network 10.0.0.0 0.0.0.3 area 0", "router ospf\n network 10.0.0.0/30 area 0\nexit"),
        ("router ospf 1\n network 10.0.0.5 0.0.0.0 area 1", "router ospf\n network 10.0.0.5/32 area 1\nexit"),
        ("router ospf 1\n network 10.0.0.0 255.255.0.0 area 1", "router ospf\n network 10.0.0.0/16 area 1\nexit"),
        ("router ospf 1\n router-id 1.1.1.1", "router ospf\n ospf router-id 1.1.1.1\nexit"),
        ("router ospf 1\n redistribute static subnets", "router ospf\n redistribute static\nexit"),
        (
            "router ospf 1\n passive-interface g0/1",
            "router ospf\nexit\ninterface eth1\n ip ospf passive\nexit",
        ),
        ("router rip\n version 2\n network 172.16.5.0", "router rip\n version 2\n network 172.16.0.0/16\nexit"),
        ("router rip\n network 10.0.0.0\n pass g0/0", "router rip\n network 10.0.0.0/8\n passive-interface eth0\nexit"),
        (
            "router bgp 65001\n neighbor 10.0.0.2 remote-as 65002\n network 10.1.0.0 mask 255.255.0.0",
            (
                "router bgp 65001\n no bgp ebgp-requires-policy\n neighbor 10.0.0.2 remote-as 65002\n"
                " network 10.1.0.0/16\nexit"
            ),
        ),
        ("int g0/0\n ip ospf 1 area 0", "router ospf\nexit\ninterface eth0\n ip ospf area 0\nexit"),
        ("int g0/0\n ip ospf cost 5\n ip ospf cost 7", "interface eth0\n ip ospf cost 7\nexit"),
        ("int g0/0\n ip ospf cost 5\n no ip ospf cost", "interface eth0\nexit"),
        (
            "int g0/0\n ip add 10.0.0.1 255.0.0.0\n ip add 11.0.0.1 255.0.0.0",
            "interface eth0\n ip address 11.0.0.1/8\nexit",
        ),
        ("int g0/0\n ip add 10.0.0.1 255.0.0.0\n no ip address", "interface eth0\nexit"),
        ("hostname R7\nline vty 0 4\n password cisco\n login", ""),
    ],
)
def test_ios_becomes_frr(ports, ios, frr):
    translated = to_frr(ios, ports)
    assert translated.frr == frr


def test_what_frr_has_not_is_kept_beside_it(ports):
    translated = to_frr("hostname R7\nvlan 10\n name SALES\nip domain-name lab.example", ports)
    assert translated.kept.hostname == "R7"
    assert translated.kept.sections["vlan 10"] == ["name SALES"]
    assert translated.kept.sections[""] == ["ip domain-name lab.example"]


def test_complaints_name_their_lines(ports):
    translated = to_frr(
        "interface g0/0\n ip address 10.0.0.0 255.0.0.0\n ip adress 1.1.1.1 255.0.0.0\n shutdown", ports
    )
    assert translated.frr == "interface eth0\n shutdown\nexit"
    assert translated.complaints == (
        "ip address 10.0.0.0 255.0.0.0: % Bad mask /8 for address 10.0.0.0",
        "ip adress 1.1.1.1 255.0.0.0: % Invalid input detected at '^' marker.",
    )


def test_frr_becomes_ios(ports):
    frr = "interface eth1\n ip address 10.0.0.1/30\n ip ospf passive\nrouter ospf\n network 10.0.0.0/30 area 0"
    lines = to_ios(frr, ports).splitlines()
    at = lines.index("interface GigabitEthernet0/0")
    assert lines[at:] == [
        "interface GigabitEthernet0/0",
        " no ip address",
        "!",
        "interface GigabitEthernet0/1",
        " ip address 10.0.0.1 255.255.255.252",
        "!",
        "router ospf 1",
        " passive-interface GigabitEthernet0/1",
        " network 10.0.0.0 0.0.0.3 area 0",
        "!",
        "line con 0",
        "line vty 0 4",
        "!",
        "end",
    ]


@pytest.mark.parametrize(
    ("written", "full"),
    [
        ("g0/0", "GigabitEthernet0/0"),
        ("Gi0/0/1", "GigabitEthernet0/0/1"),
        ("gig 0/0", "GigabitEthernet0/0"),
        ("GIGABITETHERNET0/0", "GigabitEthernet0/0"),
        ("fa0/1", "FastEthernet0/1"),
        ("s0/0/0", "Serial0/0/0"),
        ("Se0/1/0", "Serial0/1/0"),
        ("lo0", "Loopback0"),
        ("loop 12", "Loopback12"),
        ("vlan10", "Vlan10"),
        ("g0/0.20", "GigabitEthernet0/0.20"),
        ("t0", None),
        ("xyz0/0", None),
        ("g", None),
        ("10.0.0.1", None),
    ],
)
def test_interfaces_have_many_spellings(written, full):
    assert full_interface_name(written) == full


def test_narrow_tables_shorten_interfaces():
    assert [short_interface_name(name) for name in ("GigabitEthernet0/0", "Serial0/0/0", "Loopback0")] == [
        "Gi0/0",
        "Se0/0/0",
        "Lo0",
    ]
