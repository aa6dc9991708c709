"""How a lab stands, in words and as a drawing: what a colour says can be read, too."""

import re

import pytest

from studium.domain.lab import Adjacency, Cable, Lab, LabDevice, LiveLab, LivePort, Port
from studium.faculties.labs import LabState
from studium.web.tutor.drawing import drawn
from studium.web.tutor.standing import link, neighbors_text, port_text, present_address, present_cost

CABLE = Cable(one="r1:Gi0", other="r2:Gi0")
LAN = Cable(one="r1:Gi1", other="pc:eth0")
LAB = Lab(
    id="two",
    title="Two <routers>",
    goal="",
    devices=(
        LabDevice(name="r1", ports=(Port(name="Gi0", address="10.0.0.1 255.255.255.0"), Port(name="Gi1"))),
        LabDevice(name="r2", ports=(Port(name="Gi0", address="10.0.0.2/24"),)),
        LabDevice(name="pc", kind="host", ports=(Port(name="eth0"),)),
    ),
    cables=(CABLE, LAN),
)
UP = LivePort(state="up", addresses=("10.0.0.1/24",), cost=10)


def state(one=UP, other=UP, *adjacencies, is_up=True):
    plain = LivePort(state="up")
    ports = {"r1:Gi0": one, "r2:Gi0": other, "r1:Gi1": UP, "pc:eth0": plain}
    answers = dict.fromkeys(("r1", "r2", "pc"), True)
    return LabState(LAB, LiveLab(ports=ports, adjacencies=adjacencies), is_up, answers=answers)


def sees(device, said, protocol="ospf", *, is_up=True):
    return Adjacency(
        device=device, port="Gi0", protocol=protocol, neighbor="9.9.9.9", address="10.0.0.9", state=said, is_up=is_up
    )


def protocols(given):
    return [(each.text, each.is_good) for each in link(given, CABLE).protocols]


@pytest.mark.parametrize(
    ("one", "other", "tone", "text"),
    [
        ("up", "up", "up", "up"),
        ("shut", "down", "shut", "shut down at r1"),
        ("down", "shut", "shut", "shut down at r2"),
        ("shut", "shut", "shut", "shut down at r1 and r2"),
        ("down", "up", "down", "no signal"),
    ],
)
def test_a_link_says_what_is_wrong_and_where(one, other, tone, text):
    found = link(state(LivePort(state=one), LivePort(state=other)), CABLE)
    assert (found.tone, found.text) == (tone, text)


def test_of_a_lab_that_is_off_nothing_is_claimed():
    off = state(UP, UP, sees("r1", "Full/DR"), is_up=False)
    assert (link(off, CABLE).tone, link(off, CABLE).protocols) == ("off", ())
    assert (port_text(off, "r1:Gi0"), neighbors_text(off, "r1:Gi0"), present_address(off, "r2:Gi0")) == (
        "off",
        "",
        None,
    )
    assert "t-mark" not in drawn(off)


def test_of_devices_elsewhere_it_is_said_that_nothing_is_known():
    elsewhere = LabState(LAB, LiveLab(), is_up=True, is_ours=False)
    assert link(elsewhere, CABLE).text == "not known"
    assert port_text(elsewhere, "r1:Gi0") == "not known"
    assert "t-up" not in drawn(elsewhere)
    assert ": r1 not known, r2 not known, pc not known;" in drawn(elsewhere)
    assert drawn(elsewhere).count(">not known</text>") == 3
    assert "not known" not in drawn(state(is_up=False))


def test_two_ends_that_see_each_other_are_adjacent_and_one_alone_is_not():
    assert protocols(state(UP, UP, sees("r1", "Full/DR"), sees("r2", "Full/Backup"))) == [("OSPF Full", True)]
    assert protocols(state(UP, UP, sees("r1", "Init/-", is_up=False))) == [("OSPF Init", False)]
    assert protocols(state(UP, UP, sees("r1", "Full/DR"))) == [("OSPF Full at r1 only", False)]
    both = (sees("r1", "Full/DR"), sees("r2", "ExStart/DR", is_up=False))
    assert protocols(state(UP, UP, *both)) == [("OSPF ExStart", False)]


def test_ospf_without_a_neighbour_is_told_between_routers_only():
    silent = LivePort(state="up")
    assert protocols(state(UP, silent)) == [("OSPF no neighbour", False)]
    assert protocols(state(silent, silent)) == []
    assert protocols(state(UP, LivePort(state="down"))) == [], "the link itself says why"
    assert link(state(), LAN).protocols == ()


def test_sessions_of_bgp_are_told_beside_ospf():
    bgp = (sees("r1", "Active", "bgp", is_up=False), sees("r2", "Idle", "bgp", is_up=False))
    assert protocols(state(UP, UP, *bgp)) == [("BGP Active", False), ("OSPF no neighbour", False)]
    assert neighbors_text(state(UP, UP, *bgp), "r1:Gi0") == "BGP 9.9.9.9 Active"


def test_an_address_and_a_cost_are_told_where_they_are_not_as_planned():
    moved = LivePort(state="up", addresses=("10.7.0.1/24",), cost=5)
    assert present_address(state(), "r1:Gi0") is None, "a mask is a mask however it is written"
    assert present_address(state(moved), "r1:Gi0") == "10.7.0.1/24"
    assert present_address(state(LivePort(state="up")), "r1:Gi0") == "no address"
    assert present_address(state(), "pc:eth0") is None
    assert (present_cost(state(), "r1:Gi0"), present_cost(state(moved), "r1:Gi0")) == (None, 5)


def test_the_drawing_says_everything_without_colours_and_nothing_unescaped():
    shut = state(LivePort(state="shut"), LivePort(state="down"), sees("r1", "<b>", "bgp", is_up=False))
    picture = drawn(shut)
    assert re.findall(r'class="t-mark[^>]*>(.)<', picture) == ["✕", "○", "●", "●"]
    assert 'aria-label="Topology of Two &lt;routers&gt;: r1 up, r2 up, pc up; r1 to r2 shut down at r1, BGP' in picture
    assert "<b>" not in picture
    assert "does not answer" not in picture
    dead = LabState(LAB, shut.live, is_up=True, answers={"r1": False, "r2": True, "pc": True})
    assert "does not answer" in drawn(dead)
