"""Labs on real routers: commands, inspection, and fixes on a copy."""

from contextlib import closing

import pytest

from studium.core.domain.errors import BadInput
from studium.core.llm.models import RulesModel
from studium.tutor import NetworkingLabTutor
from studium.tutor.dependencies import TutorDependencies
from studium.tutor.rules.answers import RULES
from studium.tutor.tutor import default_dependencies

pytestmark = [pytest.mark.part("frr"), pytest.mark.xdist_group("frr")]


def tutor_over(live) -> NetworkingLabTutor:
    shipped = default_dependencies()
    dependencies = TutorDependencies(RulesModel(RULES), shipped.detector, shipped.knowledge, shipped.lab, lambda: live)
    tutor = NetworkingLabTutor(dependencies)
    tutor.start_lab(live.lab.id)
    return tutor


def test_the_solution_of_a_lab_reaches_every_goal(live):
    lab = live("02-static-routing")
    assert not any(each.holds for each in lab.check())
    for device, text in lab.lab.solution.items():
        assert lab.load_configuration(device, text) == []
    assert [each.check.title for each in lab.check(patience=10) if not each.holds] == []
    lab.reset()
    assert not any(each.holds for each in lab.check())


async def test_a_silent_mistake_is_found_in_the_configurations_and_its_fix_proved(live):
    lab = live("05-ospf-faults")
    tutor = tutor_over(lab)
    tutor.checked(lab.check())
    answer = await tutor.ask("why is r3 no neighbour of r1?")
    assert "is passive" in answer["response"]
    assert "no passive-interface GigabitEthernet0/1" in answer["response"]
    (proof,) = answer["proofs"]
    assert proof["proved"]
    assert "Proved on r3" in answer["response"]
    with closing(lab.device("r3")) as router:
        router.run("enable")
        assert "passive-interface GigabitEthernet0/1" in router.run("show running-config"), "only the copy was mended"


def test_what_ios_keeps_is_remembered_between_conversations(live):
    lab = live("01-basic-routing")
    with closing(lab.device("r1")) as router:
        for command in ("enable", "configure terminal", "hostname Edge", "banner motd #keep out#", "end"):
            router.run(command)
        assert router.prompt == "Edge#"
    with closing(lab.device("r1")) as router:
        assert router.prompt == "Edge>"


def test_a_model_runs_only_what_the_student_allows_and_nothing_harmful_ever(live):
    lab = live("01-basic-routing")
    for command in ("configure terminal", "reload", "show run | redirect x", "show ip route; ls", ""):
        with pytest.raises(BadInput):
            lab.look("r1", command)
    asked = []
    lab.allowed = lambda device, command: asked.append((device, command)) is None
    assert lab.look("r1", "copy running-config startup-config")
    assert asked == [("r1", "copy running-config startup-config")]
    with pytest.raises(BadInput, match="characters"):
        lab.look("r1", "show version; reboot")


def test_a_fault_is_made_for_a_model_only_if_the_student_allows_it(live):
    lab = live("02-static-routing")
    with pytest.raises(BadInput, match="not allowed"):
        lab.inject_fault("")
    lab.allowed = lambda _lab, what: what == "a fault for you to find"
    assert "no longer holds" in lab.inject_fault("")
