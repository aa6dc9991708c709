"""The labs that come with Studium: what is broken on purpose is found, and the solution is clean."""

from pathlib import Path

import pytest

import studium
from studium.tutor.configuration.parser import parse_configuration
from studium.tutor.configuration.silent_mistakes import silent_mistakes
from studium.tutor.labs.reader import read_lab

LABS = sorted((Path(studium.__file__).parent / "tutor" / "labs" / "shipped").iterdir())


def mistakes(lab, *, solved):
    texts = {
        device: text + "\n!\n" + (lab.solution.get(device, "") if solved else "") for device, text in lab.start.items()
    }
    return silent_mistakes({device: parse_configuration(text) for device, text in texts.items()}, lab)


@pytest.mark.parametrize("folder", LABS, ids=lambda folder: folder.name)
def test_a_solved_lab_has_no_mistakes(folder):
    assert mistakes(read_lab(folder).lab, solved=True) == []


def test_the_faults_of_the_ospf_lab_are_found():
    folder = next(folder for folder in LABS if folder.name == "05-ospf-faults")
    found = {(one.error_type, one.metadata["device"]) for one in mistakes(read_lab(folder).lab, solved=False)}
    assert found == {("OSPF_AREA_MISMATCH", "r2"), ("OSPF_TIMER_MISMATCH", "r2"), ("OSPF_PASSIVE_INTERFACE", "r3")}
