"""Faults of the shipped labs: each says what it breaks, breaks it on real routers, and can be fixed."""

import time
from pathlib import Path

import pytest

from studium.tutor.devices.frr.testbed import FrrTestbed
from studium.tutor.devices.ios.device import IosDevice
from studium.tutor.devices.ios.session import IosOnlyConfig
from studium.tutor.labs.checks import check_lab
from studium.tutor.labs.fault_catalog import faults_for
from studium.tutor.labs.finished_lab import TargetConfig, target_config
from studium.tutor.labs.reader import read_lab

LABS = Path(__file__).parents[3] / "src" / "studium" / "tutor" / "labs" / "shipped"
NAMES = sorted(folder.name for folder in LABS.iterdir() if (folder / "lab.yaml").exists())


def lab_of(name):
    return read_lab(LABS / name).lab


def fault_of(lab, name):
    return next(fault for fault in faults_for(lab) if fault.id == name)


@pytest.mark.parametrize("name", NAMES)
def test_every_lab_has_faults_whose_mending_restores_the_configuration(name):
    lab = lab_of(name)
    faults = faults_for(lab)
    assert len(faults) >= 2
    for fault in faults:
        whole = target_config(lab, fault.device)
        broken = whole.after(fault.commands)
        mended = broken.after(fault.mending)
        sections = ["", *whole.sections("interface "), *whole.sections("router ")]
        assert any(set(broken.lines(one)) != set(whole.lines(one)) for one in sections), fault.id
        for section in sections:
            assert set(mended.lines(section)) - {"shutdown"} == set(whole.lines(section)) - {"shutdown"}, fault.id


@pytest.mark.parametrize("name", NAMES)
def test_every_fault_names_checks_of_its_lab_and_asks_about_the_symptom(name):
    lab = lab_of(name)
    titles = {check.id: check.title for check in lab.checks}
    for fault in faults_for(lab):
        assert set(fault.fails) <= set(titles)
        assert any(titles[check] in fault.question for check in fault.fails)
        assert fault.device in fault.cause
        assert fault.cause not in fault.question


@pytest.mark.parametrize("name", NAMES)
def test_the_first_topic_of_every_lab_can_be_broken(name):
    lab = lab_of(name)
    faults = faults_for(lab, lab.topics[0])
    assert {fault.topic for fault in faults} == {lab.topics[0]}


def test_a_wrong_next_hop_breaks_the_way_there():
    fault = fault_of(lab_of("02-static-routing"), "next-hop-r1-192.168.2.0-24")
    assert fault.commands == (
        "configure terminal",
        "no ip route 192.168.2.0 255.255.255.0 10.0.12.2",
        "ip route 192.168.2.0 255.255.255.0 192.168.1.254",
        "end",
    )
    assert fault.fails == ("r1-command", "r1-route", "pc1-to-pc2")
    assert fault.cause == "The static route of r1 to 192.168.2.0/24 points to 192.168.1.254 instead of 10.0.12.2."


def test_a_missing_way_back_breaks_the_ping():
    assert fault_of(lab_of("03-default-route"), "no-route-isp-172.16.1.0-24").fails == ("pc1-to-web",)


def test_in_a_triangle_one_link_less_breaks_only_its_own_adjacency():
    lab = lab_of("04-ospf-single-area")
    assert fault_of(lab, "ospf-area-r2-10.0.23.0-30").fails == ("r2-r3",)
    assert fault_of(lab, "no-network-r1-192.168.1.0-24").fails == ("lan-known", "pc1-to-r3")


def test_a_wrong_autonomous_system_breaks_the_session_and_all_it_carries():
    fault = fault_of(lab_of("07-bgp-basics"), "remote-as-r1-10.0.12.2")
    assert fault.fails == ("r1-neighbor", "session", "r1-route", "r2-route", "pc1-to-pc2")


def test_a_passive_rip_router_still_listens():
    fault = fault_of(lab_of("06-rip"), "passive-r1-gigabitethernet0-1")
    assert fault.fails == ("pc1-to-pc2",)
    assert fault.shows_within == 200.0


def test_what_shows_quickly_comes_first():
    waits = [fault.shows_within for fault in faults_for(lab_of("06-rip"))]
    assert waits == sorted(waits)
    assert (waits[0], waits[-1]) == (10.0, 200.0)


def test_a_lab_without_links_has_no_faults():
    lab = lab_of("02-static-routing").model_copy(update={"cables": (), "solution": {}, "checks": ()})
    assert faults_for(lab) == []


def test_the_solution_is_typed_upon_the_start():
    made = TargetConfig(
        "interface Gi0/0\n ip address 10.0.0.1 255.0.0.0\n shutdown\n!\nip route 0.0.0.0 0.0.0.0 10.0.0.2",
        "interface Gi0/0\n ip address 10.0.0.9 255.0.0.0\n no shutdown\nexit\nno ip route 0.0.0.0 0.0.0.0 10.0.0.2",
    )
    assert made.lines("interface Gi0/0") == ["ip address 10.0.0.9 255.0.0.0"]
    assert made.lines("") == []


@pytest.fixture
def finished(tmp_path):
    """Brings a lab up on real routers, done; gives the lab, its bench and a way to open its devices."""
    bench = FrrTestbed(tmp_path / "bench")

    def bring_up(name):
        lab = lab_of(name)
        bench.up(lab.model_copy(update={"start": {}}))
        kept = {device.name: IosOnlyConfig(hostname=device.name) for device in lab.devices if device.kind == "router"}

        def device_for(device):
            return IosDevice(bench.device(device), bench.interface_names(device), kept=kept[device])

        for texts in (lab.start, lab.solution):
            for device, text in texts.items():
                type_on(device_for, device, ["configure terminal", *text.splitlines(), "end"])
        assert not failing(lab, bench, device_for, patience=60)
        return lab, bench, device_for

    yield bring_up
    bench.down()


def type_on(device_for, name, commands):
    device = device_for(name)
    device.run("enable")
    for command in commands:
        device.run(command.strip())
    device.close()


def failing(lab, bench, device_for, patience=0.0):
    return {one.check.id for one in check_lab(lab, bench, device_for, patience=patience) if not one.holds}


@pytest.mark.part("frr")
@pytest.mark.xdist_group("frr")
@pytest.mark.parametrize(
    ("name", "faults"),
    [
        pytest.param(
            "01-basic-routing",
            ["mask-r1-gigabitethernet0-0", "shutdown-r1-gigabitethernet0-1"],
            marks=pytest.mark.endurance,
        ),
        ("02-static-routing", ["next-hop-r1-192.168.2.0-24", "no-route-r2-192.168.1.0-24"]),
        # An adjacency of OSPF is lost and found again after the time of several hellos.
        pytest.param("05-ospf-faults", ["ospf-area-r1-10.0.12.0-30"], marks=pytest.mark.endurance),
    ],
)
def test_on_real_routers_a_fault_breaks_its_checks_and_can_be_fixed(finished, name, faults):
    lab, bench, device_for = finished(name)
    for fault in (fault_of(lab, one) for one in faults):
        type_on(device_for, fault.device, fault.commands)
        deadline = time.monotonic() + fault.shows_within
        while not set(fault.fails) <= (seen := failing(lab, bench, device_for)) and time.monotonic() < deadline:
            time.sleep(0.5)
        assert set(fault.fails) <= seen, fault.id
        type_on(device_for, fault.device, fault.mending)
        assert failing(lab, bench, device_for, patience=60) == set(), fault.id
