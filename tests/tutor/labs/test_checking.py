"""Checks by configuration and by behaviour, over what devices printed."""

import time
from ipaddress import IPv4Network

import pytest

from studium.tutor.domain import Lab, LabCheck
from studium.tutor.labs.checks import (
    Route,
    best_route,
    check_lab,
    missing_lines,
    ping_succeeded,
    read_bgp_neighbors,
    read_ospf_neighbors,
    read_rip_gateways,
    read_rip_neighbors,
    read_routes,
)

RUNNING = """\
Building configuration...

Current configuration : 1104 bytes
!
version 15.4
hostname R1
!
interface GigabitEthernet0/0
 description LAN
 ip address 192.168.1.1 255.255.255.0
 duplex auto
!
interface GigabitEthernet0/1
 ip address 10.0.12.1 255.255.255.252
 shutdown
!
router ospf 1
 router-id 1.1.1.1
 network 192.168.1.0 0.0.0.255 area 0
 network 10.0.12.0 0.0.0.3 area 1
!
ip route 0.0.0.0 0.0.0.0 10.0.12.2
!
end
"""

IOS_ROUTES = """\
Codes: L - local, C - connected, S - static, R - RIP, M - mobile, B - BGP
       D - EIGRP, EX - EIGRP external, O - OSPF, IA - OSPF inter area

Gateway of last resort is 10.0.12.2 to network 0.0.0.0

S*    0.0.0.0/0 [1/0] via 10.0.12.2
      10.0.0.0/8 is variably subnetted, 3 subnets, 2 masks
C        10.0.12.0/30 is directly connected, GigabitEthernet0/1
L        10.0.12.1/32 is directly connected, GigabitEthernet0/1
O IA     10.9.0.0/24 [110/65] via 10.0.12.2, 00:10:11, GigabitEthernet0/1
      172.16.0.0/24 is subnetted, 2 subnets
O        172.16.1.0 [110/2] via 10.0.12.2, 00:00:12, GigabitEthernet0/1
                    [110/2] via 10.0.13.2, 00:00:12, GigabitEthernet0/2
O E2     172.16.9.0 [110/20] via 10.0.13.2, 00:00:12, GigabitEthernet0/2
R     192.168.7.0/24 [120/1] via 10.0.12.2, 00:00:05, GigabitEthernet0/1
B     198.51.100.0/24 [20/0] via 203.0.113.1, 00:01:00
S     192.168.9.0/24 is directly connected, Serial0/0/0
O E2  192.168.100.0/24
           [110/20] via 10.0.12.2, 1w3d, GigabitEthernet0/1
"""

FRR_ROUTES = """\
Codes: K - kernel route, C - connected, S - static, R - RIP,
       O - OSPF, I - IS-IS, B - BGP, E - EIGRP, N - NHRP,
       > - selected route, * - FIB route, q - queued, r - rejected, b - backup
       t - trapped, o - offload failure

S>* 0.0.0.0/0 [1/0] via 10.0.12.2, eth1, weight 1, 00:00:04
O   10.0.12.0/30 [110/10] is directly connected, eth1, weight 1, 00:00:41
C>* 10.0.12.0/30 is directly connected, eth1, 00:00:49
O>* 10.0.23.0/30 [110/20] via 10.0.12.2, eth1, weight 1, 00:00:31
  *                       via 10.0.13.2, eth2, weight 1, 00:00:31
S   10.77.0.0/24 [1/0] via 10.99.0.9 inactive, weight 1, 00:00:04
R   10.88.0.0/24 [120/2] via 10.0.12.2, eth1, weight 1, 00:00:04
                         via 10.0.13.2, eth2, weight 1, 00:00:04
B>* 192.168.2.0/24 [20/0] via 10.0.12.2, eth1, weight 1, 00:00:09
"""


def test_exactly_the_missing_lines_are_named_under_their_section():
    expected = """
interface GigabitEthernet0/0
 ip address 192.168.1.1 255.255.255.0
 no shutdown
interface GigabitEthernet0/1
 ip address 10.0.12.1 255.255.255.252
 no shutdown
router ospf 1
 network 192.168.1.0 0.0.0.255 area 0
 network 10.0.12.0 0.0.0.3 area 0
 no network 10.0.12.0 0.0.0.3 area 1
ip route 192.168.2.0 255.255.255.0 10.0.12.2
"""
    assert [line.split(maxsplit=1) for line in missing_lines(RUNNING, expected)] == [
        ["interface", "GigabitEthernet0/1"],
        ["no", "shutdown"],
        ["router", "ospf 1"],
        ["network", "10.0.12.0 0.0.0.3 area 0"],
        ["no", "network 10.0.12.0 0.0.0.3 area 1"],
        ["ip", "route 192.168.2.0 255.255.255.0 10.0.12.2"],
    ]


@pytest.mark.parametrize(
    ("expected", "missing"),
    [
        ("hostname R1", 0),
        ("hostname R2", 1),
        ("no ip route 0.0.0.0 0.0.0.0 10.0.12.2", 1),
        ("no ip route 1.1.1.0 255.255.255.0 10.0.12.2", 0),
        ("interface GigabitEthernet0/0", 0),
        ("interface GigabitEthernet0/5\n ip address 1.1.1.1 255.0.0.0", 2),
        ("", 0),
    ],
)
def test_a_line_is_missing_or_not(expected, missing):
    assert len(missing_lines(RUNNING, expected)) == missing


def test_an_empty_device_misses_everything():
    assert missing_lines("", "router rip\n version 2") == ("router rip", "  version 2")


def test_routes_as_ios_prints_them():
    assert read_routes(IOS_ROUTES) == (
        Route(IPv4Network("0.0.0.0/0"), "static", ("10.0.12.2",)),
        Route(IPv4Network("10.0.12.0/30"), "connected"),
        Route(IPv4Network("10.0.12.1/32"), "local"),
        Route(IPv4Network("10.9.0.0/24"), "ospf", ("10.0.12.2",)),
        Route(IPv4Network("172.16.1.0/24"), "ospf", ("10.0.12.2", "10.0.13.2")),
        Route(IPv4Network("172.16.9.0/24"), "ospf", ("10.0.13.2",)),
        Route(IPv4Network("192.168.7.0/24"), "rip", ("10.0.12.2",)),
        Route(IPv4Network("198.51.100.0/24"), "bgp", ("203.0.113.1",)),
        Route(IPv4Network("192.168.9.0/24"), "static"),
        Route(IPv4Network("192.168.100.0/24"), "ospf", ("10.0.12.2",)),
    )


def test_of_frr_only_the_routes_in_use_count():
    assert read_routes(FRR_ROUTES) == (
        Route(IPv4Network("0.0.0.0/0"), "static", ("10.0.12.2",)),
        Route(IPv4Network("10.0.12.0/30"), "connected"),
        Route(IPv4Network("10.0.23.0/30"), "ospf", ("10.0.12.2", "10.0.13.2")),
        Route(IPv4Network("192.168.2.0/24"), "bgp", ("10.0.12.2",)),
    )


def test_a_network_is_looked_up_exactly_and_an_address_by_its_longest_prefix():
    routes = read_routes(IOS_ROUTES)
    assert best_route(routes, "172.16.0.0/16") is None
    assert best_route(routes, "172.16.1.0/24").hops == ("10.0.12.2", "10.0.13.2")
    assert best_route(routes, "172.16.1.77").network == IPv4Network("172.16.1.0/24")
    assert best_route(routes, "8.8.8.8").network == IPv4Network("0.0.0.0/0")
    assert best_route((), "8.8.8.8") is None


IOS_OSPF = """\
Neighbor ID     Pri   State           Dead Time   Address         Interface
2.2.2.2           1   FULL/DR         00:00:35    10.0.12.2       GigabitEthernet0/1
3.3.3.3           0   FULL/  -        00:00:31    10.0.13.2       Serial0/0/0
4.4.4.4           1   2WAY/DROTHER    00:00:31    10.0.14.2       GigabitEthernet0/2
5.5.5.5           1   EXSTART/BDR     00:00:31    10.0.15.2       GigabitEthernet0/3
"""
FRR_OSPF = """\

Neighbor ID     Pri State           Up Time         Dead Time Address         Interface            RXmtL RqstL DBsmL
2.2.2.2           1 Full/Backup     41.236s            3.761s 10.0.12.2       eth1:10.0.12.1           0     0     0
3.3.3.3           1 Init/DROther    1m03s              3.900s 10.0.13.2       eth2:10.0.13.1           0     0     0
"""


def test_only_a_full_ospf_neighbour_is_up():
    ios = list(read_ospf_neighbors(IOS_OSPF))
    assert [(sorted(one.names), one.is_up) for one in ios] == [
        (["10.0.12.2", "2.2.2.2"], True),
        (["10.0.13.2", "3.3.3.3"], True),
        (["10.0.14.2", "4.4.4.4"], False),
        (["10.0.15.2", "5.5.5.5"], False),
    ]
    frr = list(read_ospf_neighbors(FRR_OSPF))
    assert [(sorted(one.names), one.state, one.is_up) for one in frr] == [
        (["10.0.12.2", "2.2.2.2"], "Full/Backup", True),
        (["10.0.13.2", "3.3.3.3"], "Init/DROther", False),
    ]


def test_a_bgp_neighbour_is_up_when_prefixes_are_counted():
    summary = """\
BGP router identifier 1.1.1.1, local AS number 65001 vrf-id 0
BGP table version 3

Neighbor        V         AS   MsgRcvd   MsgSent   TblVer  InQ OutQ  Up/Down State/PfxRcd   PfxSnt Desc
10.0.12.2       4      65002         9         9        0    0    0 00:03:10            1        2 N/A
10.0.13.2       4      65003         0         4        0    0    0    never       Active        0 N/A
10.0.14.2       4      65004         9         9        0    0    0 00:01:10     (Policy) (Policy) N/A
10.0.15.2       4      65005         9         9        0    0    0 00:01:10            0
10.0.16.2       4      65006         9         9        0    0    0 00:01:10 Idle (Admin)
"""
    assert [(min(one.names), one.state) for one in read_bgp_neighbors(summary)] == [
        ("10.0.12.2", "Established"),
        ("10.0.13.2", "Active"),
        ("10.0.14.2", "Established"),
        ("10.0.15.2", "Established"),
        ("10.0.16.2", "Idle"),
    ]


@pytest.mark.parametrize(
    "output",
    [
        """\
Routing Protocol is "rip"
  Routing for Networks:
    10.0.0.0
  Routing Information Sources:
    Gateway         Distance      Last Update
    10.0.12.2            120      00:00:11
  Distance: (default is 120)
""",
        """\
Routing Protocol is "rip"
  Routing Information Sources:
    Gateway          BadPackets BadRoutes  Distance Last Update
    10.0.12.2                0         0       120   00:00:11
  Distance: (default is 120)
""",
    ],
    ids=["ios", "frr"],
)
def test_rip_names_the_routers_it_heard(output):
    assert [(set(one.names), one.state) for one in read_rip_neighbors(output)] == [
        ({"10.0.12.2"}, "last heard 00:00:11 ago")
    ]
    assert not list(read_rip_neighbors(output.replace("Sources", "Things")))


def test_a_rip_route_proves_that_its_gateway_was_heard():
    assert [set(one.names) for one in read_rip_gateways(IOS_ROUTES)] == [{"10.0.12.2"}]


@pytest.mark.parametrize(
    ("output", "answered"),
    [
        ("!!!!!\nSuccess rate is 100 percent (5/5), round-trip min/avg/max = 1/2/4 ms", True),
        (".!!!!\nSuccess rate is 80 percent (4/5), round-trip min/avg/max = 1/2/4 ms", True),
        (".....\nSuccess rate is 0 percent (0/5)", False),
        ("5 packets transmitted, 5 received, 0% packet loss, time 4004ms", True),
        ("5 packets transmitted, 0 received, 100% packet loss, time 4004ms", False),
        ("Reply from 10.0.0.1: bytes=32 time<1ms TTL=64", True),
        ("64 bytes from 10.0.0.1: icmp_seq=1 ttl=64 time=0.03 ms", True),
        ("% Unrecognized host or address, or protocol not running.", False),
        ("", False),
    ],
)
def test_a_ping_is_answered_if_one_echo_came_back(output, answered):
    assert ping_succeeded(output) is answered


def lab_of(*checks):
    return Lab(id="x", title="X", goal="Y.", checks=checks)


def check(kind, **values):
    return LabCheck(id=kind, title=kind, kind=kind, device="r1", **values)


CHECKS = lab_of(
    check("config", expect="ip route 0.0.0.0 0.0.0.0 10.0.12.2\nhostname R9"),
    check("route", target="172.16.1.0/24", protocol="ospf", via="10.0.13.2"),
    check("neighbor", target="4.4.4.4", protocol="ospf"),
    check("ping", target="10.0.12.2"),
)
OUTPUTS = {
    "show running-config": RUNNING,
    "show ip route": IOS_ROUTES,
    "show ip ospf neighbor": IOS_OSPF,
    "ping 10.0.12.2": "!!!!!\nSuccess rate is 100 percent (5/5)",
}


def test_a_lab_is_checked_from_a_transcript(recorded):
    device = recorded(OUTPUTS)
    checked = check_lab(CHECKS, None, lambda _: device)
    assert [one.holds for one in checked] == [False, True, False, True]
    assert checked[0].missing == ("hostname R9",)
    assert checked[1].seen == "r1 goes to 172.16.1.0/24 by ospf through 10.0.12.2 and 10.0.13.2."
    assert checked[2].seen == "r1 sees 4.4.4.4: 2WAY/DROTHER."
    assert checked[2].missing == ("4.4.4.4 as OSPF neighbour, fully up",)
    assert checked[3].seen == "r1 reaches 10.0.12.2."
    assert device.closed == 1, "one conversation serves all checks, and is closed"


@pytest.mark.parametrize(
    ("wanted", "seen", "missing"),
    [
        ({"target": "172.16.5.0/24"}, "r1 has no route to 172.16.5.0/24.", "a route to 172.16.5.0/24"),
        (
            {"target": "172.16.9.0/24", "protocol": "static"},
            "r1 goes to 172.16.9.0/24 by ospf through 10.0.13.2.",
            "a route to 172.16.9.0/24 by static",
        ),
        (
            {"target": "172.16.9.0/24", "via": "10.0.12.2"},
            "r1 goes to 172.16.9.0/24 by ospf through 10.0.13.2.",
            "a route to 172.16.9.0/24 through 10.0.12.2",
        ),
    ],
)
def test_a_wrong_route_is_reported(recorded, wanted, seen, missing):
    (checked,) = check_lab(lab_of(check("route", **wanted)), None, lambda _: recorded(OUTPUTS))
    assert not checked.holds
    assert (checked.seen, checked.missing) == (seen, (missing,))


@pytest.mark.parametrize(("prompt", "first"), [("R1>", "enable"), ("R1(config-if)#", "end"), ("R1#", "show ip route")])
def test_the_way_to_privileged_mode_is_found(recorded, prompt, first):
    device = recorded(OUTPUTS, prompt=prompt)
    (checked,) = check_lab(lab_of(check("route", target="8.8.8.8")), None, lambda _: device)
    assert checked.holds
    assert device.typed[0] == first


def test_patience_waits_for_routers_to_agree_but_not_for_configuration(recorded):
    down = IOS_OSPF.replace("FULL/DR ", "INIT/DR ")
    device = recorded({"show running-config": RUNNING, "show ip ospf neighbor": [down, down, IOS_OSPF]})
    lab = lab_of(check("config", expect="hostname R9"), check("neighbor", target="2.2.2.2", protocol="ospf"))
    checked = check_lab(lab, None, lambda _: device, patience=20)
    assert [one.holds for one in checked] == [False, True]
    assert device.typed == ["show running-config", *["show ip ospf neighbor"] * 3]


def test_patience_ends(recorded):
    began = time.monotonic()
    lab = lab_of(check("neighbor", target="9.9.9.9", protocol="ospf"))
    (checked,) = check_lab(lab, None, lambda _: recorded(OUTPUTS), patience=0.6)
    assert not checked.holds
    assert checked.seen == "r1 does not see 9.9.9.9."
    assert 0.6 <= time.monotonic() - began < 20


def test_a_device_that_does_not_answer_holds_nothing(recorded):
    (checked,) = check_lab(lab_of(check("route", target="8.8.8.8")), None, lambda _: recorded({}))
    assert (checked.holds, checked.seen) == (False, "r1 does not answer.")
