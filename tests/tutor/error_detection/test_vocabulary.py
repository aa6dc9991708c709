"""The vocabulary: the notation it is written in, abbreviations, and the spelling of words."""

import pytest
from tests.tutor.devices.ios.sample_commands import sample_commands

from studium.tutor.domain import Mode
from studium.tutor.error_detection.detector import get_default_detector
from studium.tutor.error_detection.repair import nearest_keywords, typo_distance
from studium.tutor.ios.syntax import ARGUMENT_TYPES, argument_kind, command_table
from studium.tutor.ios.vocabulary import MODES, NAMES_IN_TABLE, is_complete, parse_words, vocabulary


def test_the_notation_has_options_and_choices() -> None:
    assert sample_commands("ip address {<ip> <mask> [secondary]|dhcp}") == [
        ("ip", "address", "dhcp"),
        ("ip", "address", "<ip>", "<mask>"),
        ("ip", "address", "<ip>", "<mask>", "secondary"),
    ]


@pytest.mark.parametrize(
    ("mode", "command", "full"),
    [
        (Mode.PRIVILEGED_EXEC, "sh ip int br", "show ip interface brief"),
        (Mode.PRIVILEGED_EXEC, "conf t", "configure terminal"),
        (Mode.PRIVILEGED_EXEC, "copy run start", "copy running-config startup-config"),
        (Mode.PRIVILEGED_EXEC, "sh run | inc ospf", "show running-config | include ospf"),
        (Mode.GLOBAL_CONFIG, "int gi 0/0", "interface gi 0/0"),
        (Mode.GLOBAL_CONFIG, "ip route 0.0.0.0 0.0.0.0 s0/0/0", "ip route 0.0.0.0 0.0.0.0 s0/0/0"),
        (Mode.INTERFACE_CONFIG, "sw mo tr", "switchport mode trunk"),
        (Mode.INTERFACE_CONFIG, "ip add 10.0.0.1 255.0.0.0", "ip address 10.0.0.1 255.0.0.0"),
        (Mode.SUBINTERFACE_CONFIG, "encap dot 10", "encapsulation dot1q 10"),
        (Mode.ROUTER_CONFIG, "netw 10.0.0.0 0.0.0.3 a 0", "network 10.0.0.0 0.0.0.3 area 0"),
        (Mode.LINE_CONFIG, "trans in ssh", "transport input ssh"),
        (Mode.ACL_CONFIG, "permit tcp any host 10.0.0.1 eq www", "permit tcp any host 10.0.0.1 eq www"),
        (Mode.DHCP_CONFIG, "net 10.0.0.0 /24", "network 10.0.0.0 /24"),
    ],
)
def test_abbreviated_commands_are_understood(mode: Mode, command: str, full: str) -> None:
    words = command.split()
    found = parse_words(vocabulary(mode), words)
    assert is_complete(found, words)
    assert " ".join(found.full) == full


@pytest.mark.parametrize(
    ("mode", "command", "understood"),
    [
        (Mode.PRIVILEGED_EXEC, "show ip", 2),
        (Mode.INTERFACE_CONFIG, "ip address 10.0.0.1 255.0.255.0", 3),
        (Mode.GLOBAL_CONFIG, "interface brief", 1),
        (Mode.USER_EXEC, "configure terminal", 0),
    ],
)
def test_other_lines_are_understood_up_to_a_word(mode: Mode, command: str, understood: int) -> None:
    words = command.split()
    found = parse_words(vocabulary(mode), words)
    assert not is_complete(found, words)
    assert found.upto == understood


def test_frr_takes_prefixes_where_ios_takes_masks() -> None:
    ios, frr = ["ip", "address", "10.0.0.1", "255.0.0.0"], ["ip", "address", "10.0.0.1/8"]
    mode = Mode.INTERFACE_CONFIG
    assert [is_complete(parse_words(vocabulary(mode, "ios"), words), words) for words in (ios, frr)] == [True, False]
    assert [is_complete(parse_words(vocabulary(mode, "frr"), words), words) for words in (ios, frr)] == [False, True]


def test_swapped_letters_and_neighbouring_keys_weigh_less() -> None:
    assert typo_distance("shwo", "show") < typo_distance("shaw", "show") == 1.0
    assert typo_distance("shiw", "show") < 1.0
    assert typo_distance("adress", "address") < 1.0
    assert typo_distance("show", "show") == 0.0


def test_the_nearest_keyword_comes_first_and_short_words_have_none() -> None:
    assert nearest_keywords("rotue", ["routing", "route", "router"])[0][1] == "route"
    assert nearest_keywords("hostnane", ["hostname", "host"])[0][1] == "hostname"
    assert nearest_keywords("xy", ["ip", "xyz"]) == []
    assert nearest_keywords("banana", ["hostname", "interface"]) == []


def test_the_detector_knows_what_our_router_does() -> None:
    examples = {name: kind.help for name, kind in ARGUMENT_TYPES.items()}
    examples |= {"ip": "10.0.0.1", "mask": "255.0.0.0", "wildcard": "0.0.0.255", "if": "gi0/1", "n": "7", "area": "0"}
    examples |= {"ip6": "2001:db8::1", "prefix6": "2001:db8::/64", "vlans": "10,20", "mac": "0011.2233.4455"}
    examples |= {"hostname": "server", "port": "www", "hours": "-5", "time": "02:00", "line": "text"}
    unknown = []
    for row in command_table():
        modes = [mode for mode in MODES if row.modes & NAMES_IN_TABLE[mode]]
        for parts in sample_commands(row.syntax) if row.action and not row.dialect else ():
            words = [examples[argument_kind(part)] if part.startswith("<") else part for part in parts]
            if words[0] != "no":
                unknown += [
                    (mode, words) for mode in modes if not is_complete(parse_words(vocabulary(mode), words), words)
                ]
    assert unknown == []


def test_a_typo_in_a_command_of_user_mode_is_a_typo() -> None:
    refused = "            ^\n% Invalid input detected at '^' marker."
    found = get_default_detector().detect("show ip bpg", refused, "R1>")
    assert found
    assert found.commands == ("show ip bgp",)


@pytest.mark.parametrize(
    ("prompt", "command", "limits"),
    [
        ("SW1(config-if)#", "switchport access vlan 5000", "1–4094"),
        ("R1(config)#", "router ospf 70000", "1–65535"),
        ("R1(config)#", "access-list 200 permit any", "1–99 or 1300–1999"),
        ("R1(config-line)#", "privilege level 16", "0–15"),
    ],
)
def test_a_number_out_of_range_is_reported_with_its_limits(prompt: str, command: str, limits: str) -> None:
    number = next(word for word in command.split() if word.isdecimal())
    caret = " " * (len(prompt) + command.index(number)) + "^"
    found = get_default_detector().detect(command, f"{caret}\n% Invalid input detected at '^' marker.", prompt)
    assert found
    assert found.error_type == "VALUE_OUT_OF_RANGE"
    assert limits in found.diagnosis
