"""Running configurations of IOS and FRR, read."""

from ipaddress import IPv4Address, IPv4Interface
from time import perf_counter

from hypothesis import given
from hypothesis import strategies as st

from studium.tutor.configuration.parser import parse_configuration
from studium.tutor.configuration.silent_mistakes import silent_mistakes

IOS = """\
hostname R1
!
vlan 10
 name STAFF
!
interface GigabitEthernet0/1
 description to R2
 ip address 10.0.12.1 255.255.255.252
 ip ospf hello-interval 5
!
router ospf 1
 router-id 1.1.1.1
 passive-interface GigabitEthernet0/0
 network 10.0.12.0 0.0.0.3 area 0
!
router rip
 version 2
 network 10.0.0.0
!
router bgp 65001
 network 192.168.1.0 mask 255.255.255.128
 neighbor 10.0.12.2 remote-as 65002
!
ip route 192.168.2.0 255.255.255.0 10.0.12.2 200
"""
FRR = """\
hostname R1
!
ip route 192.168.2.0/24 10.0.12.2 200
!
interface eth1
 description to R2
 ip address 10.0.12.1/30
 ip ospf hello-interval 5
exit
!
router ospf
 ospf router-id 1.1.1.1
 network 10.0.12.0/30 area 0.0.0.0
exit
!
router bgp 65001
 neighbor 10.0.12.2 remote-as 65002
 !
 address-family ipv4 unicast
  network 192.168.1.0/25
 exit-address-family
exit
"""


def test_ios_is_read():
    read = parse_configuration(IOS)
    interface = read.interface("gi0/1")
    assert read.hostname == "R1"
    assert read.vlans == {10: "STAFF"}
    assert (interface.description, interface.address, interface.hello) == (
        "to R2",
        IPv4Interface("10.0.12.1/30"),
        5,
    )
    assert (read.ospf.router_id, read.ospf.passive, read.ospf.area_of(interface)) == ("1.1.1.1", {"gi0/0"}, "0")
    assert (read.rip.version, read.rip.covers(interface)) == (2, True)
    assert read.bgp.neighbors[0].remote_as == "65002"


def test_frr_says_the_same_in_its_own_spelling():
    ios, frr = parse_configuration(IOS), parse_configuration(FRR)
    assert frr.routes == ios.routes
    assert frr.routes[0].hop == IPv4Address("10.0.12.2")
    assert frr.ospf.networks == ios.ospf.networks
    assert frr.bgp.networks == ios.bgp.networks == (IPv4Interface("192.168.1.0/25"),)
    assert frr.interface("eth1").address == ios.interface("Gig 0/1").address


def test_carriage_returns_change_nothing():
    assert parse_configuration(IOS.replace("\n", "\r\n")) == parse_configuration(IOS)


KEYWORDS = "no ip route network area address interface router ospf rip bgp neighbor remote-as mask vlan shutdown ! exit"
ARGUMENTS = "eth0 10 65001 10.0.0.1 10.0.0.0/8 255.255.255.0 0.0.0.255 999.1.1.1 300.0.0.0/40 1..2 0.0.0.300 default"
WORDS = st.sampled_from(f"{KEYWORDS} {ARGUMENTS}".split())
LINES = st.builds(
    lambda indent, words: indent + " ".join(words), st.sampled_from(["", " "]), st.lists(WORDS, max_size=6)
)


@given(st.lists(LINES, max_size=12).map("\n".join))
def test_any_lines_can_be_read_and_looked_through(text):
    for one in silent_mistakes({"r1": parse_configuration(text), "r2": parse_configuration(FRR)}):
        assert one.metadata["device"] in {"r1", "r2"}


def test_a_long_dump_is_read_in_a_moment():
    dump = IOS + "".join(f"counter {number} of errors\nno thing {number}\n" for number in range(20_000))
    started = perf_counter()
    assert parse_configuration(dump).hostname == "R1"
    assert perf_counter() - started < 20
