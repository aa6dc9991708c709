"""The state of a lab in words and as a drawing: what a colour says is written, too."""

import re

import pytest

from studium.tutor.domain import Adjacency, Cable, Lab, LabDevice, NetworkState, Port, PortState
from studium.tutor.lab_use_cases import LabState
from studium.tutor.web.topology_svg import (
    draw_topology,
    link_status,
    neighbors_text,
    port_text,
    present_address,
    present_cost,
)

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
UP = PortState(state="up", addresses=("10.0.0.1/24",), cost=10)


def state(one=UP, other=UP, *adjacencies, is_up=True):
    plain = PortState(state="up")
    ports = {"r1:Gi0": one, "r2:Gi0": other, "r1:Gi1": UP, "pc:eth0": plain}
    answers = dict.fromkeys(("r1", "r2", "pc"), True)
    return LabState(LAB, NetworkState(ports=ports, adjacencies=adjacencies), is_up, answers=answers)


def sees(device, said, protocol="ospf", *, is_up=True):
    return Adjacency(
        device=device, port="Gi0", protocol=protocol, neighbor="9.9.9.9", address="10.0.0.9", state=said, is_up=is_up
    )


def protocols(given):
    return [(each.text, each.is_good) for each in link_status(given, CABLE).protocols]


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
    found = link_status(state(PortState(state=one), PortState(state=other)), CABLE)
    assert (found.tone, found.text) == (tone, text)


def test_of_a_lab_that_is_off_nothing_is_claimed():
    off = state(UP, UP, sees("r1", "Full/DR"), is_up=False)
    assert (link_status(off, CABLE).tone, link_status(off, CABLE).protocols) == ("off", ())
    assert (port_text(off, "r1:Gi0"), neighbors_text(off, "r1:Gi0"), present_address(off, "r2:Gi0")) == (
        "off",
        "",
        None,
    )
    assert "t-mark" not in draw_topology(off)


def test_of_devices_elsewhere_it_is_said_that_nothing_is_known():
    elsewhere = LabState(LAB, NetworkState(), is_up=True, is_ours=False)
    assert link_status(elsewhere, CABLE).text == "not known"
    assert port_text(elsewhere, "r1:Gi0") == "not known"
    assert "t-up" not in draw_topology(elsewhere)
    assert ": r1 not known, r2 not known, pc not known;" in draw_topology(elsewhere)
    assert draw_topology(elsewhere).count(">not known</text>") == 3
    assert "not known" not in draw_topology(state(is_up=False))


def test_two_ends_that_see_each_other_are_adjacent_and_one_alone_is_not():
    assert protocols(state(UP, UP, sees("r1", "Full/DR"), sees("r2", "Full/Backup"))) == [("OSPF Full", True)]
    assert protocols(state(UP, UP, sees("r1", "Init/-", is_up=False))) == [("OSPF Init", False)]
    assert protocols(state(UP, UP, sees("r1", "Full/DR"))) == [("OSPF Full at r1 only", False)]
    both = (sees("r1", "Full/DR"), sees("r2", "ExStart/DR", is_up=False))
    assert protocols(state(UP, UP, *both)) == [("OSPF ExStart", False)]


def test_ospf_without_a_neighbour_is_reported_between_routers_only():
    silent = PortState(state="up")
    assert protocols(state(UP, silent)) == [("OSPF no neighbour", False)]
    assert protocols(state(silent, silent)) == []
    assert protocols(state(UP, PortState(state="down"))) == [], "the link itself says why"
    assert link_status(state(), LAN).protocols == ()


def test_sessions_of_bgp_are_told_beside_ospf():
    bgp = (sees("r1", "Active", "bgp", is_up=False), sees("r2", "Idle", "bgp", is_up=False))
    assert protocols(state(UP, UP, *bgp)) == [("BGP Active", False), ("OSPF no neighbour", False)]
    assert neighbors_text(state(UP, UP, *bgp), "r1:Gi0") == "BGP 9.9.9.9 Active"


def test_an_address_and_a_cost_are_told_where_they_are_not_as_planned():
    moved = PortState(state="up", addresses=("10.7.0.1/24",), cost=5)
    assert present_address(state(), "r1:Gi0") is None, "a mask is a mask however it is written"
    assert present_address(state(moved), "r1:Gi0") == "10.7.0.1/24"
    assert present_address(state(PortState(state="up")), "r1:Gi0") == "no address"
    assert present_address(state(), "pc:eth0") is None
    assert (present_cost(state(), "r1:Gi0"), present_cost(state(moved), "r1:Gi0")) == (None, 5)


def test_the_drawing_says_everything_without_colours_and_nothing_unescaped():
    shut = state(PortState(state="shut"), PortState(state="down"), sees("r1", "<b>", "bgp", is_up=False))
    picture = draw_topology(shut)
    assert re.findall(r'class="t-mark[^>]*>(.)<', picture) == ["✕", "○", "●", "●"]
    assert 'aria-label="Topology of Two &lt;routers&gt;: r1 up, r2 up, pc up; r1 to r2 shut down at r1, BGP' in picture
    assert "<b>" not in picture
    assert "does not answer" not in picture
    dead = LabState(LAB, shut.live, is_up=True, answers={"r1": False, "r2": True, "pc": True})
    assert "does not answer" in draw_topology(dead)
