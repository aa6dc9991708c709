"""Every lab on real routers: the start leaves something to do, the solution does all of it."""

from pathlib import Path

import pytest

from studium.tutor import labs
from studium.tutor.devices.frr.testbed import FrrTestbed
from studium.tutor.devices.ios.device import IosDevice
from studium.tutor.devices.ios.session import IosOnlyConfig
from studium.tutor.labs.checks import check_lab
from studium.tutor.labs.reader import read_lab

SHIPPED = Path(labs.__file__).parent / "shipped"
# The short form; all other labs run in `make endurance`.
SHORT = "03-default-route"


@pytest.fixture
def bench(tmp_path):
    bench = FrrTestbed(tmp_path / "bench")
    yield bench
    bench.down()


def as_parameter(folder):
    """A lab by its folder."""
    return pytest.param(folder, id=folder.name, marks=() if folder.name == SHORT else pytest.mark.endurance)


def beneath(lab):
    """What the routers run before the lab begins: OSPF tells and believes changes at once, not every five seconds."""
    routers = [device.name for device in lab.devices if device.kind == "router" and "ospf" in lab.topics]
    return dict.fromkeys(routers, "router ospf\n timers throttle lsa all 0\n timers lsa min-arrival 0\nexit\n")


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
@pytest.mark.parametrize("folder", [as_parameter(path.parent) for path in sorted(SHIPPED.glob("*/lab.yaml"))])
def test_the_solution_reaches_the_goal_and_the_start_does_not(bench, folder):
    lab = read_lab(folder).lab
    bench.up(lab.model_copy(update={"start": beneath(lab)}))
    device_for = conversations(bench, lab)
    load(lab.start, device_for)
    assert [one.check.id for one in check_lab(lab, bench, device_for) if one.holds] == []
    load(lab.solution, device_for)
    checked = check_lab(lab, bench, device_for, patience=60)
    assert [(one.check.id, one.seen, one.missing) for one in checked if not one.holds] == []
