"""Mistakes that devices accept silently."""

from studium.tutor.configuration.parser import parse_configuration
from studium.tutor.configuration.silent_mistakes import silent_mistakes


def found_in(network, lab):
    configurations = {device: parse_configuration(text) for device, text in network["devices"].items()}
    return silent_mistakes(configurations, lab(network))


def test_mistakes_are_found_on_their_devices_with_the_commands_that_fix_them(mistaken_networks, lab):
    wrong = {}
    for network in mistaken_networks:
        found = [
            {"type": one.error_type, "device": one.metadata["device"], "commands": list(one.commands)}
            for one in found_in(network, lab)
        ]
        if found != network["finds"]:
            wrong[network["title"]] = found
    assert wrong == {}


def test_nothing_is_found_in_healthy_networks(healthy_networks, lab):
    found = {network["title"]: found_in(network, lab) for network in healthy_networks}
    assert {title: mistakes for title, mistakes in found.items() if mistakes} == {}


def test_typing_the_commands_leaves_nothing_of_the_mistakes(mistaken_networks, lab):
    """The fixed configuration is read again as a script; commands that only clear an address cannot say more."""
    wrong = {}
    for network in mistaken_networks:
        fixed = dict(network["devices"])
        for one in network["finds"]:
            fixed[one["device"]] += "\n!\n" + _as_typed(one["commands"])
        left = {one.error_type for one in found_in({**network, "devices": fixed}, lab)}
        if still := left & {one["type"] for one in network["finds"]}:
            wrong[network["title"]] = still
    assert wrong == {}


def _as_typed(commands):
    sections = ("interface ", "router ")
    opened, lines = False, []
    for command in commands:
        opened = command.startswith(sections) or (opened and command != "end")
        lines.append(f" {command}" if opened and not command.startswith(sections) else command)
    return "\n".join(lines) + "\n"


def test_the_most_serious_mistake_comes_first():
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
