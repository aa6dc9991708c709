"""The current state of a lab, as its routers report it: ports, addresses, costs and neighbours."""

import os
import signal
import time

import pytest

from studium.tutor.devices.frr.live_state import DeviceObserver
from studium.tutor.devices.frr.router import ask_daemon
from studium.tutor.domain import PortState

pytestmark = [pytest.mark.part("frr"), pytest.mark.xdist_group("frr")]

GIGABIT = "GigabitEthernet0/"
RIP = """Routing Protocol is "rip"
  Passive Interface(s):
    eth0
  Routing Information Sources:
    Gateway          BadPackets BadRoutes  Distance Last Update
    10.0.12.2                0         0       120   00:00:06
    10.77.0.9                0         0       120   00:03:01
  Distance: (default is 120)
"""


def configure(bench, name, *commands):
    device = bench.device(name)
    try:
        for command in ("configure terminal", *commands, "end"):
            device.run(command)
    finally:
        device.close()


def until(bench, true, seconds=20.0):
    """The first look at which something holds; the last one, if it never does."""
    deadline = time.monotonic() + seconds
    while not true(live := bench.look()[1]) and time.monotonic() < deadline:
        time.sleep(0.1)
    return live


def seen(live, device, protocol="ospf"):
    """Whom a device sees, and how: {port: state}."""
    of = (each for each in live.adjacencies if (each.device, each.protocol) == (device, protocol))
    return {each.port: each.state.partition("/")[0] for each in of}


def all_full(live):
    return len(live.adjacencies) == 6 and all(each.is_up for each in live.adjacencies)


def test_a_triangle_comes_to_full_then_loses_what_is_shut_down_made_passive_or_dies(benches, ospf_lab):
    triangle = benches("triangle")
    triangle.up(ospf_lab)
    live = until(triangle, all_full)
    assert all_full(live)
    assert seen(live, "r1") == {f"{GIGABIT}0": "Full", f"{GIGABIT}1": "Full"}
    assert live.ports[f"r1:{GIGABIT}0"] == PortState(state="up", addresses=("10.0.12.1/30",), cost=10)
    assert {each.neighbor for each in live.neighbors_at(f"r1:{GIGABIT}0")} == {"2.2.2.2"}

    configure(triangle, "r1", "interface eth0", "shutdown")
    live = until(triangle, lambda live: live.ports[f"r2:{GIGABIT}0"].state == "down" and len(seen(live, "r1")) == 1, 5)
    assert (live.ports[f"r1:{GIGABIT}0"].state, live.ports[f"r2:{GIGABIT}0"].state) == ("shut", "down")
    assert seen(live, "r1") == {f"{GIGABIT}1": "Full"}

    configure(triangle, "r3", "interface eth0", "ip ospf passive")
    live = until(triangle, lambda live: not seen(live, "r1") and len(seen(live, "r3")) == 1, 10)
    assert seen(live, "r1") == {}
    assert live.ports[f"r1:{GIGABIT}1"].cost == 10, "OSPF still runs there"
    assert seen(live, "r3") == {f"{GIGABIT}1": "Full"}

    readdressed = ("no ip address 10.0.12.1/30", "ip address 10.9.9.1/24", "ip ospf cost 77", "no shutdown")
    configure(triangle, "r1", "interface eth0", *readdressed)
    live = until(triangle, lambda live: live.ports[f"r1:{GIGABIT}0"].cost == 77, 5)
    assert live.ports[f"r1:{GIGABIT}0"] == PortState(state="up", addresses=("10.9.9.1/24",), cost=77)
    assert live.ports["r1:Loopback0"].addresses == ("10.255.0.1/32",)

    os.kill(int((triangle._router("r2").startup.parent / "ospfd.pid").read_text()), signal.SIGKILL)
    answers, live = triangle.look()
    assert answers == {"r1": True, "r2": False, "r3": True}
    assert seen(live, "r2") == {}
    assert live.ports[f"r2:{GIGABIT}1"].state == "up", "the kernel knows its ports all the same"


def test_a_session_of_bgp_is_seen_where_it_runs(benches, static_lab):
    start = {
        name: f"{text}\nrouter bgp 6500{number}\n neighbor 10.0.12.{3 - number} remote-as 6500{3 - number}\n"
        for number, (name, text) in enumerate(static_lab.start.items(), start=1)
    }
    bench = benches("bgp")
    bench.up(static_lab.model_copy(update={"start": start}))
    live = until(bench, lambda live: seen(live, "r1", "bgp").get(f"{GIGABIT}0") == "Established")
    assert [(each.neighbor, each.is_up) for each in live.neighbors_at(f"r1:{GIGABIT}0")] == [("AS 65002", True)]
    assert live.ports["h1:eth0"] == PortState(state="up", addresses=("10.1.0.10/24",))
    configure(bench, "r2", "router bgp 65002", "neighbor 10.0.12.1 shutdown", "exit")
    live = until(bench, lambda live: seen(live, "r1", "bgp")[f"{GIGABIT}0"] != "Established", 5)
    assert not live.neighbors_at(f"r1:{GIGABIT}0")[0].is_up


def test_what_a_daemon_says_that_is_no_table_is_no_neighbour(bench):
    space = bench._wiring.namespace("r1")
    for said in ("", "% OSPF instance not found", "[]", '{"neighbors": []}', '{"neighbors": {', "{" * 1000):
        onlooker = DeviceObserver(
            "r1", space, bench.interface_names("r1"), "ip", lambda _daemon, _command, said=said: said
        )
        live = onlooker.look()
        assert live.adjacencies == ()
        assert live.ports[f"r1:{GIGABIT}0"].state == "up"


def test_rip_neighbours_are_shown_until_they_time_out(bench):
    space = bench._wiring.namespace("r1")
    onlooker = DeviceObserver(
        "r1", space, bench.interface_names("r1"), "ip", lambda daemon, _: RIP if daemon == "ripd" else ""
    )
    told = [(each.port, each.address, each.state, each.is_up) for each in onlooker.look().adjacencies]
    assert told == [(f"{GIGABIT}0", "10.0.12.2", "heard", True), ("", "10.77.0.9", "silent", False)]


def test_a_daemon_that_is_not_there_says_nothing(tmp_path):
    assert ask_daemon(tmp_path / "none.vty", "show version") == ""
