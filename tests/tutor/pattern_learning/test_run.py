"""Faults to find, patterns to learn, and recordings to check."""

import pytest

from studium.tutor.labs.live_labs import current_fault, inject_fault
from studium.tutor.pattern_learning import healthy_outputs
from studium.tutor.tutor import shipped_lab

TRANSCRIPT = """\
R1#show frobnicator status
% Frobnicator 7 is not calibrated on GigabitEthernet0/1
R1#show ip interface brief
Interface              IP-Address      OK? Method Status                Protocol
R1#
"""
SOLVED = """\
R1#show running-config
hostname R1
!
interface GigabitEthernet0/0
 ip address 192.168.1.1 255.255.255.0
!
ip route 192.168.2.0 255.255.255.0 10.0.12.2
!
end
R1#
"""


def test_an_unknown_complaint_becomes_a_pattern_once_it_is_approved(studium, tmp_path):
    transcript = tmp_path / "session.txt"
    transcript.write_text(TRANSCRIPT)
    output = tmp_path / "output.txt"
    output.write_text("% Frobnicator 9 is not calibrated on FastEthernet0/3\n")
    diagnose = ("tutor", "diagnose", "--command", "show frobnicator status", "--output", output, "--prompt", "R2#")
    assert studium(*diagnose, "--json").json is None

    (proposed,) = studium("tutor", "patterns", "learn", transcript, "--json").json
    assert proposed["action"] == "manual_review"
    assert studium(*diagnose, "--json").json is None, "nothing is added before somebody has looked at it"

    (review,) = studium("review", "list", "--feature", "tutor", "--json").json
    assert "Frobnicator 7" in review["decision"]["evidence"][0]["quote"]
    assert studium("review", "approve", review["id"]).code == 0
    (kept,) = studium("tutor", "patterns", "learn", transcript, "--json").json
    assert kept["action"] == "create"
    found = studium(*diagnose, "--json").json
    assert "not calibrated" in found["diagnosis"].lower() or "frobnicator" in found["diagnosis"].lower()
    assert studium("tutor", "patterns", "learn", transcript).out.strip() == "It has nothing for a new pattern."


def test_there_are_healthy_outputs_enough_to_hold_patterns_against():
    assert len(healthy_outputs()) >= 200


def test_a_recording_is_checked_in_place_of_devices(studium, tmp_path):
    recording = tmp_path / "r1.txt"
    recording.write_text(SOLVED)
    results = studium("tutor", "lab", "check", "02", "--replay", recording, "--json").json
    held = {each["check"]["title"]: each["holds"] for each in results}
    assert held["R1 has the static route in its configuration"]
    assert not held["PC1 reaches PC2"]


@pytest.mark.endurance
@pytest.mark.part("frr")
@pytest.mark.xdist_group("frr")
def test_each_fault_breaks_a_goal_and_its_mending_reaches_it_again(live):
    lab = live("02-static-routing")
    for turn in (0, 1):
        fault = inject_fault(lab, None, turn)
        assert current_fault(lab) == fault
        broken = {each.check.id for each in lab.check() if not each.holds}
        assert broken & set(fault.fails)
        device = lab.device(fault.device)
        for command in ("enable", *fault.mending):
            device.run(command)
        device.close()
        assert [each.check.title for each in lab.check(patience=15) if not each.holds] == []


def test_every_lab_has_goals_hints_and_pages():
    for name in ("01", "02", "03", "04", "05", "06", "07", "08"):
        lab = shipped_lab(name)
        assert lab.checks
        assert lab.documents
        assert {hint.level for hint in lab.hints} == {1, 2, 3}
