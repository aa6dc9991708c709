"""A running configuration, typed into a router that is still empty, is what that router then runs."""

import time
from random import Random

import pytest
from tests.tutor.devices.ios.offline_router import OfflineRouter

from studium.tutor.devices.frr.testbed import FrrTestbed
from studium.tutor.devices.ios.device import IosDevice
from studium.tutor.domain import Cable, Lab, LabDevice, Port

PORTS = ("GigabitEthernet0/0", "GigabitEthernet0/1")


def some_configuration(seed: int) -> list[str]:
    """Commands that a student might type in global configuration, none of them wrong."""
    dice = Random(seed)
    optional = [
        [f"hostname Edge{seed}"],
        ["interface g0/0", f"ip address 10.{seed}.0.1 255.255.255.0", "no shutdown", "description to the core"],
        ["int gi0/1", f"ip add 172.16.{seed}.1 255.255.255.128", f"ip add 172.17.{seed}.1 255.255.255.0 secondary"],
        ["int g0/1", dice.choice(["shutdown", "no shut"]), f"ip ospf cost {dice.randint(1, 99)}"],
        ["int lo0", f"ip address {seed}.{seed}.{seed}.{seed} 255.255.255.255"],
        ["int g0/0", "ip ospf hello-interval 5", "ip ospf dead-interval 20", "ip ospf network point-to-point"],
        ["int g0/0", "ipv6 address 2001:db8:1::1/64"],
        ["int g0/1.10", "encapsulation dot1Q 10", "ip address 192.168.10.1 255.255.255.0"],
        [f"router ospf {dice.randint(1, 99)}", "router-id 9.9.9.9", f"network 10.{seed}.0.0 0.0.0.255 area 0"],
        ["router rip", "version 2", "no auto-summary", "network 10.0.0.0", "passive-interface g0/1"],
        ["router rip", "timers basic 10 60 60 90", "redistribute static metric 3"],
        ["router bgp 65001", "bgp router-id 9.9.9.9", "neighbor 10.200.0.2 remote-as 65002"],
        ["router bgp 65001", "neighbor 10.200.0.2 update-source lo0", "network 10.7.0.0 mask 255.255.0.0"],
        ["ip route 0.0.0.0 0.0.0.0 10.200.0.9 200", "ip route 10.70.0.0 255.255.0.0 g0/0"],
        ["ip route 10.71.0.0 255.255.0.0 g0/0 10.200.0.9", "ip route 10.72.0.0 255.255.0.0 null 0"],
        ["ipv6 unicast-routing", "ipv6 route 2001:db8:9::/64 2001:db8:1::9"],
        ["enable secret class", "username ann privilege 15 secret cisco", "service password-encryption"],
        ["line vty 0 4", "login local", "transport input ssh", "line con 0", "password cisco", "login"],
        ["vlan 10", "name SALES", "ip dhcp pool LAN", "network 10.0.0.0 255.0.0.0", "default-router 10.0.0.1"],
        ["access-list 10 permit 10.0.0.0 0.0.0.255", "ip access-list extended WEB", "permit tcp any any eq 80"],
        ["banner motd #", "Keep out", "of here#", "no ip domain-lookup", "ip domain-name lab.example"],
    ]
    groups = dice.sample(optional, k=dice.randint(8, len(optional)))
    return [line for group in groups for line in group]


def configured(device: IosDevice, commands: list[str]) -> str:
    for line in ("enable", "configure terminal", *commands):
        said = device.run(line)
        assert "Invalid" not in said, f"{line}: {said}"
        assert "not running" not in said, f"{line}: {said}"
    device.run("end")
    return device.run("show running-config")


@pytest.mark.parametrize("seed", range(1, 41))
def test_on_an_offline_router(ports, seed):
    shown = configured(IosDevice(OfflineRouter("R1"), ports), some_configuration(seed))
    empty = IosDevice(OfflineRouter("R2"), ports)
    assert empty.load(shown) == []
    assert empty.run("show running-config") == shown


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    devices = tuple(LabDevice(name=name, ports=tuple(Port(name=port) for port in PORTS)) for name in ("r1", "r2"))
    lab = Lab(
        id="ios",
        title="Two routers",
        goal="OSPF, RIP and BGP between two routers",
        devices=devices,
        cables=(Cable(one="r1:GigabitEthernet0/0", other="r2:GigabitEthernet0/0"),),
    )
    bench = FrrTestbed(tmp_path_factory.mktemp("bench"))
    bench.up(lab)
    yield bench
    bench.down()


@pytest.fixture
def routers(bench):
    bench.reset()
    routers = [IosDevice(bench.device(name), bench.interface_names(name)) for name in ("r1", "r2")]
    yield routers
    for router in routers:
        router.close()


@pytest.mark.part("frr")
@pytest.mark.xdist_group("frr")
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.endurance) for seed in range(2, 7))])
def test_on_frr(routers, seed):
    first, second = routers
    shown = configured(first, some_configuration(seed))
    assert second.load(shown) == []
    assert second.run("show running-config") == shown


@pytest.mark.endurance
@pytest.mark.part("frr")
@pytest.mark.xdist_group("frr")
def test_two_routers_typed_by_the_book_reach_each_other(routers):
    for number, router in enumerate(routers, start=1):
        configured(
            router,
            [
                f"hostname R{number}",
                "int g0/0",
                f"ip address 10.0.12.{number} 255.255.255.252",
                "ip ospf network point-to-point",
                "ip ospf hello-interval 1",
                "ip ospf dead-interval 4",
                "no shut",
                "int lo0",
                f"ip address {number}.{number}.{number}.{number} 255.255.255.255",
                "router ospf 1",
                "network 10.0.12.0 0.0.0.3 area 0",
                f"network {number}.{number}.{number}.{number} 0.0.0.0 area 0",
            ],
        )
    r1 = routers[0]
    deadline = time.monotonic() + 40
    while "2.2.2.2/32" not in r1.run("show ip route ospf"):
        assert time.monotonic() < deadline, r1.run("show ip ospf neighbor")
        time.sleep(0.2)
    assert r1.prompt == "R1#"
    assert "FULL/  -" in r1.run("sh ip ospf nei")
    assert "[110/10] via 10.0.12.2" in r1.run("sh ip route ospf")
    assert "!!!!!\nSuccess rate is 100 percent (5/5)" in r1.run("ping 2.2.2.2")
    assert "Success rate is 0 percent (0/5)" in r1.run("ping 10.99.0.1")
    assert "\n 1  2.2.2.2" in r1.run("traceroute 2.2.2.2")
    assert r1.run("write") == "Building configuration...\n[OK]"


@pytest.mark.part("frr")
@pytest.mark.xdist_group("frr")
def test_there_is_no_way_out(routers):
    r1 = routers[0]
    r1.run("enable")
    for line in ("start-shell bash", "show version | tee /tmp/x", "; id", "ping 10.0.0.1 && id", "terminal shell"):
        assert "Invalid input" in r1.run(line), line
