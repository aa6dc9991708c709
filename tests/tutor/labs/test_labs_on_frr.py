"""Every lab on real routers: the start leaves something to do, the solution does all of it."""

import pytest

from studium.tutor.devices.frr.testbed import FrrTestbed
from studium.tutor.devices.ios.device import IosDevice
from studium.tutor.devices.ios.session import IosOnlyConfig
from studium.tutor.labs.checks import check_lab
from studium.tutor.labs.reader import read_lab


@pytest.fixture
def bench(tmp_path):
    bench = FrrTestbed(tmp_path / "bench")
    yield bench
    bench.down()


def conversations(bench, lab):
    """Opens devices as the student sees them: routers speak IOS."""
    kept = {device.name: IosOnlyConfig(hostname=device.name) for device in lab.devices if device.kind == "router"}

    def open_device(name):
        device = bench.device(name)
        return IosDevice(device, bench.interface_names(name), kept=kept[name]) if name in kept else device

    return open_device


def load(configurations, device_for):
    for name, text in configurations.items():
        device = device_for(name)
        assert device.load(text) == [], name
        device.close()


@pytest.mark.part("frr")
@pytest.mark.xdist_group("frr")
def test_the_solution_reaches_the_goal_and_the_start_does_not(bench, shipped):
    lab = read_lab(shipped).lab
    bench.up(lab.model_copy(update={"start": {}}))
    device_for = conversations(bench, lab)
    load(lab.start, device_for)
    assert [one.check.id for one in check_lab(lab, bench, device_for) if one.holds] == []
    load(lab.solution, device_for)
    checked = check_lab(lab, bench, device_for, patience=60)
    assert [(one.check.id, one.seen, one.missing) for one in checked if not one.holds] == []
