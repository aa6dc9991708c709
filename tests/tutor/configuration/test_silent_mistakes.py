"""What devices took without a word."""

from studium.tutor.configuration.parser import parse_configuration
from studium.tutor.configuration.silent_mistakes import silent_mistakes


def found_in(network, lab):
    configurations = {device: parse_configuration(text) for device, text in network["devices"].items()}
    return silent_mistakes(configurations, lab(network))


def test_a_mistake_is_found_on_its_device_with_the_commands_that_mend_it(mistaken, lab):
    found = [
        {"type": one.error_type, "device": one.metadata["device"], "commands": list(one.commands)}
        for one in found_in(mistaken, lab)
    ]
    assert found == mistaken["finds"]


def test_nothing_is_found_in_a_healthy_network(healthy, lab):
    assert found_in(healthy, lab) == []


def test_typing_the_commands_leaves_nothing_of_the_mistake(mistaken, lab):
    """The mended configuration is read again as a script; commands that only clear an address cannot say more."""
    mended = dict(mistaken["devices"])
    for one in mistaken["finds"]:
        mended[one["device"]] += "\n!\n" + _as_typed(one["commands"])
    left = found_in({**mistaken, "devices": mended}, lab)
    assert not {one.error_type for one in left} & {one["type"] for one in mistaken["finds"]}


def _as_typed(commands):
    sections = ("interface ", "router ")
    opened, lines = False, []
    for command in commands:
        opened = command.startswith(sections) or (opened and command != "end")
        lines.append(f" {command}" if opened and not command.startswith(sections) else command)
    return "\n".join(lines) + "\n"


def test_the_gravest_stands_first():
    text = """
interface GigabitEthernet0/0
 ip address 192.168.1.1 255.255.255.0
 shutdown
router ospf 1
 router-id 1.1.1.1
 network 192.168.1.1 0.0.0.255 area 0
"""
    found = silent_mistakes({"r1": parse_configuration(text)})
    assert [(one.error_type, one.metadata["severity"]) for one in found] == [
        ("INTERFACE_SHUTDOWN", "error"),
        ("NETWORK_MASK_MISMATCH", "notice"),
    ]
    assert found[0].diagnosis == "r1: GigabitEthernet0/0 has the address 192.168.1.1/24, but it is shut down."
    assert found[0].fix == "On r1: interface GigabitEthernet0/0, no shutdown"
