"""Patterns learned from a transcript: general, harmless to healthy output, honest about what they know."""

import json
from pathlib import Path

import pytest

import studium
from studium.tutor.domain import TypedCommand
from studium.tutor.error_detection.base import PatternEntry
from studium.tutor.error_detection.detector import ErrorDetector, get_default_detector
from studium.tutor.error_detection.registry import PatternRegistry
from studium.tutor.pattern_learning import propose_patterns

DATA = Path(__file__).parent.parent / "error_detection"
HEALTHY = Path(studium.__file__).parent / "tutor" / "data" / "healthy"


def lines(name):
    return [json.loads(line) for line in (HEALTHY / f"{name}.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def healthy():
    rows = [*lines("frr"), *lines("written")]
    return [TypedCommand(command=row["command"], output=row["output"], prompt=row.get("prompt") or "") for row in rows]


@pytest.fixture
def learn(healthy):
    """Proposes patterns for commands that a detector without any pattern does not know."""

    def propose(*typed, detector=None):
        return propose_patterns(typed, detector or ErrorDetector(PatternRegistry()), healthy)

    return propose


def config(command, output="", prompt="SW1(config-if)#"):
    return TypedCommand(command=command, output=output, prompt=prompt, device="SW1")


def detector_with(proposed):
    registry = PatternRegistry()
    for one in proposed:
        assert registry.add(PatternEntry.model_validate(json.loads(json.dumps(one.as_json())))) == []
    return ErrorDetector(registry)


def test_a_message_is_generalised(learn):
    (one,) = learn(config("glbp 7 ip 10.1.1.9", "% GLBP group 7 address 10.1.1.9 clashes on GigabitEthernet0/1"))
    assert one.entry.error_type == "GLBP_GROUP_ADDRESS_CLASHES"
    assert one.entry.id == "learned-glbp-group-address-clashes"
    told = detector_with([one]).detect(
        "glbp 12 ip 192.168.7.1", "% GLBP group 12 address 192.168.7.1 clashes on Vlan20"
    )
    assert told.diagnosis == (
        "The device answered `glbp 12 ip 192.168.7.1` with: % GLBP group 12 address 192.168.7.1 clashes on Vlan20"
    )
    assert told.fix.startswith("The transcript shows no fix")


def test_the_correction_that_was_accepted_is_given_for_other_lines(learn):
    (one,) = learn(
        config("storm-control broadcast level 120", "Error: level 120 is out of limits for broadcast"),
        config("show clock", "12:00", "SW1#"),
        config("storm-control broadcast level 80"),
    )
    assert one.correction == ("storm-control broadcast level 80",)
    assert "`storm-control broadcast level 80`" in one.entry.fix[0]
    assert one.entry.commands == ()


def test_what_made_the_same_command_acceptable_comes_before_it(learn):
    refused = config("channel-group 3 mode active", "Command rejected (Fa0/3): port is routed, channel 3 is switched")
    (one,) = learn(refused, config("switchport"), config("channel-group 3 mode active"))
    assert one.correction == ("switchport", "channel-group 3 mode active")
    told = detector_with([one]).detect(
        "channel-group 5 mode active", "Command rejected (Fa0/9): port is routed, channel 5 is switched"
    )
    assert told.commands == ("switchport", "channel-group 5 mode active")


def test_values_of_the_line_are_used_in_the_correction(learn):
    (one,) = learn(
        config("standby 1 ip 10.0.0.1", "% Address 10.0.0.1 is the interface's own"),
        config("standby 1 ip 10.0.0.1 secondary"),
    )
    told = detector_with([one]).detect("standby 4 ip 10.4.0.1", "% Address 10.4.0.1 is the interface's own")
    assert told.commands == ("standby 4 ip 10.4.0.1 secondary",)


def test_one_pattern_for_messages_of_one_kind(learn):
    (one,) = learn(
        config("vrrp 1 ip 10.0.0.1", "% VRRP group 1 has no such owner"),
        config("vrrp 2 ip 10.0.0.2", "% VRRP group 2 has no such owner"),
    )
    assert [example.command for example in one.entry.examples] == ["vrrp 1 ip 10.0.0.1", "vrrp 2 ip 10.0.0.2"]


def test_what_is_known_is_not_learned_again(learn):
    known = config("ip address 10.0.12.0 255.255.255.252", "Bad mask /30 for address 10.0.12.0")
    refused = config("ip adress 10.0.0.1 255.0.0.0", "        ^\n% Invalid input detected at '^' marker.")
    assert learn(known, refused, detector=get_default_detector()) == []


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("no shutdown", "%LINK-3-UPDOWN: Interface GigabitEthernet0/0, changed state to up"),
        ("show interfaces", "GigabitEthernet0/0 is up\nError: 0 input errors, 0 CRC"),
        ("do show log", "Error counters follow\nError: none"),
        ("switchport mode access", ""),
        ("ip route 0.0.0.0 0.0.0.0 10.0.0.1", "% 5"),
    ],
)
def test_healthy_words_teach_nothing(learn, command, output):
    assert learn(config(command, output)) == []


def test_a_pattern_that_finds_a_healthy_output_is_dropped():
    typed = [config("clear counters", "% Counters were cleared on all interfaces")]
    detector = ErrorDetector(PatternRegistry())
    assert len(propose_patterns(typed, detector, [])) == 1
    said = config("clear counters", "Clear? [confirm]\n% Counters were cleared on all interfaces")
    assert propose_patterns(typed, detector, [said]) == []


def test_passwords_stay_with_the_student(learn):
    (one,) = learn(
        config("username ann secret Tr0ub4dor", "% Account names need at least nine letters"),
        config("username annabella secret Tr0ub4dor"),
    )
    assert "Tr0ub4dor" not in json.dumps(one.as_json())


def test_every_unknown_complaint_of_the_labelled_situations_can_be_learned(learn):
    """Where the detector has no message pattern at all, the proposals find each message they were made from."""
    rows = json.loads((DATA / "situations" / "dev.json").read_text())
    rows = rows["situations"] if isinstance(rows, dict) else rows
    typed = [TypedCommand(command=row["command"], output=row["output"], prompt=row.get("prompt") or "") for row in rows]
    proposed = learn(*typed)
    assert len(proposed) >= 20
    detector = detector_with(proposed)
    for one in proposed:
        for example in one.entry.examples:
            assert detector.detect(example.command, example.output).error_type
