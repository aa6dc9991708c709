"""A lab on this machine: started, used, copied, broken, fixed, stopped."""

import os
import signal
import socket
import time

import pytest

from studium.core.domain.errors import BadInput, MissingPart, NotFound, ServiceDown
from studium.tutor.devices.frr.namespaces import NETNS, namespace_prefix
from studium.tutor.devices.frr.ping import in_namespace
from studium.tutor.devices.frr.testbed import FrrTestbed
from studium.tutor.domain import Cable, Lab, LabDevice, Port

pytestmark = [pytest.mark.part("frr"), pytest.mark.xdist_group("frr")]


def ask(bench, name, *commands):
    """What a device says to the last of some commands."""
    device = bench.device(name)
    try:
        return [device.run(command) for command in commands][-1]
    finally:
        device.close()


def kill(bench, name, daemon, how=signal.SIGKILL):
    os.kill(int((bench._router(name).startup.parent / f"{daemon}.pid").read_text()), how)


def until(true, seconds=5.0):
    deadline = time.monotonic() + seconds
    while not (holds := true()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return holds


def test_hosts_reach_each_other_through_the_routers(bench):
    assert bench.ping("h1", "10.2.0.10")
    assert bench.ping("h2", "10.1.0.10")
    assert "10.2.0.0/24 [1/0] via 10.0.12.2, eth0" in ask(bench, "r1", "show ip route static")


def test_three_ospf_routers_are_up_and_converged_within_20_seconds(benches, ospf_lab):
    bench = benches("triangle")
    started = time.monotonic()
    bench.up(ospf_lab)
    assert bench.ping("r1", "10.255.0.3", timeout=20)
    assert bench.ping("r3", "10.255.0.2", timeout=20)
    assert time.monotonic() - started < 60
    assert ask(bench, "r1", "show ip ospf neighbor").count("Full/") >= 1


def test_each_port_has_a_linux_interface(bench):
    assert bench.interface_names("r2") == {
        "GigabitEthernet0/0": "eth0",
        "GigabitEthernet0/1": "eth1",
        "GigabitEthernet0/2": "eth2",
    }


def test_a_port_without_a_cable_has_no_carrier_and_further_loopbacks_are_up(benches):
    ports = tuple(Port(name=name) for name in ("FastEthernet0/0", "Loopback0", "Loopback7"))
    bench = benches("alone")
    bench.up(Lab(id="alone", title="", goal="", devices=(LabDevice(name="r1", ports=ports),)))
    assert bench.interface_names("r1") == {"FastEthernet0/0": "eth0", "Loopback0": "lo", "Loopback7": "lo7"}
    assert ask(bench, "r1", "show interface eth0").startswith("Interface eth0 is up, line protocol is down")
    assert until(lambda: ask(bench, "r1", "show interface lo7").startswith("Interface lo7 is up, line protocol is up"))


def test_a_lab_stays_up_for_the_next_process(bench):
    again = FrrTestbed(bench.folder)
    assert again.lab.id == "static"
    assert again.ping("h1", "10.2.0.10")
    assert again.is_alive("r1")


def test_nothing_leads_out(bench):
    with socket.create_server(("127.0.0.1", 0)) as outside:
        whom = outside.getsockname()
        with pytest.raises(ConnectionRefusedError):
            in_namespace(f"{namespace_prefix(bench.folder)}-r1", lambda: socket.create_connection(whom, timeout=1))
    assert not bench.ping("h1", "192.0.2.1", timeout=0.3)
    assert "0.0.0.0/0" not in ask(bench, "r1", "show ip route")


def test_ipv6_is_routed_and_pinged(bench):
    ask(bench, "r1", "configure terminal", "interface eth0", "ipv6 address 2001:db8:12::1/64")
    ask(bench, "r2", "configure terminal", "interface eth0", "ipv6 address 2001:db8:12::2/64")
    assert bench.ping("r1", "2001:db8:12::2", timeout=5)
    assert not bench.ping("r1", "2001:db8:12::3", timeout=0.3)


def test_rip_and_bgp_run_where_the_lab_names_them(benches, static_lab):
    spoken = "router rip\n network eth0\nexit\nrouter bgp 65001\n neighbor 10.0.12.2 remote-as 65002\nexit\n"
    bench = benches("spoken")
    bench.up(static_lab.model_copy(update={"start": {"r1": static_lab.start["r1"] + spoken}}))
    assert "65002" in ask(bench, "r1", "show bgp summary")
    assert 'Routing Protocol is "rip"' in ask(bench, "r1", "show ip rip status")


def test_a_starting_configuration_cannot_write_files(benches, static_lab, tmp_path):
    tmp_path.chmod(0o777)
    bench = benches("writing")
    bench.up(static_lab.model_copy(update={"start": {"r1": f"hostname edge\nlog file {tmp_path}/told\n"}}))
    assert "hostname edge" in bench.snapshot()["r1"].splitlines()
    assert not (tmp_path / "told").exists()


def test_two_labs_at_once_do_not_meet(bench, benches, static_lab):
    other = benches("other")
    other.up(static_lab)
    ask(other, "r1", "configure terminal", "no ip route 10.2.0.0/24 10.0.12.2")
    assert bench.ping("h1", "10.2.0.10")
    assert until(lambda: not other.ping("h1", "10.2.0.10", timeout=0.2))
    other.down()
    assert bench.ping("h1", "10.2.0.10")


def test_reset_takes_every_router_back_to_the_start(bench):
    before = bench.snapshot()
    ask(bench, "r1", "configure terminal", "interface eth0", "shutdown", "ip address 10.9.9.9/24", "write memory")
    ask(bench, "r2", "configure terminal", "ip route 10.77.0.0/16 Null0", "no ip route 10.1.0.0/24 10.0.12.1")
    assert until(lambda: not bench.ping("h1", "10.2.0.10", timeout=0.2))
    bench.reset()
    assert bench.snapshot() == before
    assert bench.ping("h1", "10.2.0.10", timeout=5)
    assert until(lambda: "10.77.0.0" not in ask(bench, "r2", "show ip route")), "zebra takes a moment"


def test_a_snapshot_is_restored(bench):
    ask(bench, "r1", "configure terminal", "interface eth1", "description the LAN")
    taken = bench.snapshot()
    assert " description the LAN" in taken["r1"].splitlines()
    ask(bench, "r1", "configure terminal", "interface eth1", "no description", "no ip address 10.1.0.1/24")
    bench.restore(taken)
    assert bench.snapshot() == taken
    assert bench.ping("h1", "10.2.0.10", timeout=5)


def test_a_fix_is_tried_on_a_copy_and_the_students_routers_stay_as_they_are(bench):
    ask(bench, "r1", "configure terminal", "no ip route 10.2.0.0/24 10.0.12.2")
    before = bench.snapshot()
    started = time.monotonic()
    copy = bench.copy()
    assert time.monotonic() - started < 20
    assert copy.snapshot() == before
    ask(copy, "r1", "configure terminal", "ip route 10.2.0.0/24 10.0.12.2")
    assert copy.ping("h1", "10.2.0.10")
    assert until(lambda: not bench.ping("h1", "10.2.0.10", timeout=0.2))
    assert bench.snapshot() == before
    copy.down()
    assert bench.is_alive("r1")


def test_a_router_that_dies_is_noticed_and_restarts_with_what_it_saved(bench):
    ask(bench, "r1", "configure terminal", "interface eth1", "description saved", "end", "write memory")
    ask(bench, "r1", "configure terminal", "interface eth1", "description unsaved")
    kill(bench, "r1", "zebra")
    assert until(lambda: not bench.is_alive("r1"))
    assert bench.is_alive("r2")
    with pytest.raises(ServiceDown, match="r1 does not run"):
        bench.device("r1")
    bench.restart("r1")
    assert bench.is_alive("r1")
    assert " description saved" in bench.snapshot()["r1"].splitlines()
    assert bench.ping("h1", "10.2.0.10", timeout=5)


def test_a_router_that_hangs_is_not_alive(bench):
    kill(bench, "r1", "staticd", signal.SIGSTOP)
    assert not bench.is_alive("r1")
    kill(bench, "r1", "staticd", signal.SIGCONT)
    assert bench.is_alive("r1")


def test_an_unknown_device_is_reported_with_the_known_ones(bench):
    with pytest.raises(NotFound) as missing:
        bench.device("r9")
    assert missing.value.remedy == "It has r1, r2, h1, h2."


def test_where_no_lab_is_up_it_says_so(benches):
    with pytest.raises(NotFound, match="No lab is running"):
        benches("empty").is_alive("r1")


def test_a_cable_to_nowhere_leaves_nothing_behind(benches, static_lab):
    bench = benches("bad")
    with pytest.raises(BadInput, match="leads to `r9:eth0`"):
        bench.up(static_lab.model_copy(update={"cables": (Cable(one="r1:GigabitEthernet0/0", other="r9:eth0"),)}))
    assert not list(NETNS.glob(f"{namespace_prefix(bench.folder)}*"))


def test_a_host_with_an_impossible_address_leaves_nothing_behind(benches):
    bench = benches("bad")
    port = Port(name="eth0", address="10.0.0.300/24")
    with pytest.raises(BadInput, match=r"`10\.0\.0\.300/24` is not an address"):
        bench.up(Lab(id="x", title="", goal="", devices=(LabDevice(name="h1", kind="host", ports=(port,)),)))
    assert not list(NETNS.glob(f"{namespace_prefix(bench.folder)}*"))


@pytest.mark.parametrize("name", ["../r1", "r 1", "-x", "", ".sockets", "r1;ls"])
def test_a_device_with_an_unusable_name_is_refused(benches, name):
    lab = Lab(id="x", title="", goal="", devices=(LabDevice(name=name),))
    with pytest.raises(BadInput, match="cannot be called"):
        benches("named").up(lab)


def test_a_host_shows_its_address_and_pings(bench):
    assert bench.ping("h2", "10.1.0.10")
    assert "10.2.0.10/24" in ask(bench, "h2", "ip address")
    assert "default via 10.2.0.1" in ask(bench, "h2", "ip route")
    assert "5 packets transmitted, 5 received, 0% packet loss" in ask(bench, "h2", "ping 10.1.0.10")
    assert ask(bench, "h2", "bash").startswith("% Unknown command: bash")
    hops = ask(bench, "h1", "traceroute 10.2.0.10").splitlines()[1:]
    assert [line.split()[1] for line in hops] == ["10.1.0.1", "10.0.12.2", "10.2.0.10"]


def test_without_frr_the_command_that_installs_it_is_named(tmp_path, monkeypatch, static_lab):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingPart) as missing:
        FrrTestbed(tmp_path / "bench").up(static_lab)
    assert "sudo apt install frr" in missing.value.remedy


def test_without_root_sudo_is_named(tmp_path, static_lab):
    os.seteuid(65534)
    try:
        with pytest.raises(MissingPart) as missing:
            FrrTestbed(tmp_path / "bench").up(static_lab)
    finally:
        os.seteuid(0)
    assert "sudo" in missing.value.remedy
