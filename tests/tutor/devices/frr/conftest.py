"""Small labs on real routers, and a bench that is always taken down."""

import socket
from contextlib import ExitStack

import pytest

from studium.core.domain.errors import StudiumError
from studium.tutor.devices.frr.testbed import FrrTestbed
from studium.tutor.domain import Cable, Lab, LabDevice, Port

GIGABIT = "GigabitEthernet0/"


def router(name, ports):
    return LabDevice(name=name, ports=tuple(Port(name=f"{GIGABIT}{number}") for number in range(ports)))


def host(name, address, gateway):
    return LabDevice(name=name, kind="host", ports=(Port(name="eth0", address=address),), gateway=gateway)


def configured(interfaces, *more):
    lines = [
        line for name, address in interfaces.items() for line in (f"interface {name}", f" ip address {address}", "exit")
    ]
    return "\n".join((*lines, *more, ""))


@pytest.fixture(scope="session")
def static_lab():
    """Two routers with static routes, and a host behind each."""
    return Lab(
        id="static",
        title="Static routes",
        goal="Both hosts reach each other.",
        devices=(
            router("r1", 2),
            router("r2", 3),
            host("h1", "10.1.0.10/24", "10.1.0.1"),
            host("h2", "10.2.0.10 255.255.255.0", "10.2.0.1"),
        ),
        cables=(
            Cable(one=f"r1:{GIGABIT}0", other=f"r2:{GIGABIT}0"),
            Cable(one="h1:eth0", other=f"r1:{GIGABIT}1"),
            Cable(one=f"r2:{GIGABIT}1", other="h2:eth0"),
        ),
        start={
            "r1": configured({"eth0": "10.0.12.1/30", "eth1": "10.1.0.1/24"}, "ip route 10.2.0.0/24 10.0.12.2"),
            "r2": configured({"eth0": "10.0.12.2/30", "eth1": "10.2.0.1/24"}, "ip route 10.1.0.0/24 10.0.12.1"),
        },
    )


@pytest.fixture
def ospf_lab():
    """Three routers in a triangle that speak OSPF with timers of 1 s and 4 s."""

    def ospf(name, interfaces):
        quick = [
            line
            for interface in interfaces
            if interface != "lo"
            for line in (
                f"interface {interface}",
                " ip ospf network point-to-point",
                " ip ospf hello-interval 1",
                " ip ospf dead-interval 4",
                "exit",
            )
        ]
        return configured(
            interfaces,
            *quick,
            "router ospf",
            f" ospf router-id {name[1:]}.{name[1:]}.{name[1:]}.{name[1:]}",
            " network 10.0.0.0/8 area 0",
            # A change is told and believed at once; by default there are five seconds between two.
            " timers throttle lsa all 0",
            " timers lsa min-arrival 0",
            "exit",
        )

    cables = (("r1", 0, "r2", 0), ("r2", 1, "r3", 1), ("r1", 1, "r3", 0))
    return Lab(
        id="triangle",
        title="A triangle",
        goal="All routers know all networks by OSPF.",
        devices=tuple(
            LabDevice(name=name, ports=(*router(name, 2).ports, Port(name="Loopback0"))) for name in ("r1", "r2", "r3")
        ),
        cables=tuple(
            Cable(one=f"{one}:{GIGABIT}{port}", other=f"{other}:{GIGABIT}{peer}") for one, port, other, peer in cables
        ),
        start={
            "r1": ospf("r1", {"eth0": "10.0.12.1/30", "eth1": "10.0.13.1/30", "lo": "10.255.0.1/32"}),
            "r2": ospf("r2", {"eth0": "10.0.12.2/30", "eth1": "10.0.23.1/30", "lo": "10.255.0.2/32"}),
            "r3": ospf("r3", {"eth0": "10.0.13.2/30", "eth1": "10.0.23.2/30", "lo": "10.255.0.3/32"}),
        },
    )


@pytest.fixture
def benches(tmp_path):
    """Makes benches in folders of their own and takes them all down."""
    with ExitStack() as after:

        def make(name):
            bench = FrrTestbed(tmp_path / name)
            after.callback(bench.down)
            return bench

        yield make


@pytest.fixture(scope="session")
def running_bench(tmp_path_factory, static_lab):
    """The static lab, up once for all tests, and its configurations at the start."""
    bench = FrrTestbed(tmp_path_factory.mktemp("shared") / "bench")
    _bring_up(bench, static_lab)
    yield bench, _configurations(bench)
    bench.down()


@pytest.fixture
def bench(running_bench, static_lab):
    """The static lab, up and as it starts; started again after a test that changed it."""
    bench, start = running_bench
    yield bench
    if not _is_as_started(bench, start):
        _bring_up(bench, static_lab)


def _bring_up(bench, lab):
    """Start a lab and wait until its routes are there, which takes the routers a moment."""
    bench.up(lab)
    assert bench.ping("h1", "10.2.0.10", timeout=20)


def _is_as_started(bench, start):
    try:
        alive = all(bench.is_alive(device.name) for device in bench.lab.devices)
        # Routes come back a moment after the configuration that was changed for a while.
        return alive and _configurations(bench) == start and bench.ping("h1", "10.2.0.10", timeout=5)
    except (StudiumError, OSError, AssertionError):
        return False


def _configurations(bench):
    """What each router runs, as its daemons say without a command line being started, and what it saved."""
    return {router.name: (_running_config(router), router.startup.read_text()) for router in bench._routers()}


def _running_config(router):
    """The configuration of every daemon of a router, and the name that was given to it."""
    doors = [router.startup.with_name(f"{daemon}.vty") for daemon in ("zebra", *router.daemons)]
    return router.hostname, [_ask(door, "enable", "show running-config") for door in doors]


def _ask(door, *commands):
    """What a daemon says to the last of some commands."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(5)
        line.connect(str(door))
        for command in commands:
            line.sendall(command.encode() + b"\0")
            heard = b""
            while heard[-4:-1] != b"\0\0\0":
                piece = line.recv(1 << 16)
                assert piece, door
                heard += piece
    return heard


@pytest.fixture
def r1(bench):
    """A conversation with the first router."""
    device = bench.device("r1")
    yield device
    device.close()
