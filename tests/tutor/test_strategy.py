"""The way to help changes with what a student knows and how long she is stuck."""

import pytest

from studium.tutor.domain import Hint, Lab
from studium.tutor.mastery import Learner, Mastery, Outcome
from studium.tutor.strategy import choose_strategy, hint_level, lab_hint

KNOWN = {"novice": 0.2, "intermediate": 0.6, "advanced": 0.97}


def student(level, *outcomes, now):
    """Somebody of a level who did these things without her level changing."""
    learner = Learner()
    for outcome, *error_type in outcomes:
        learner = learner.after("ospf", outcome, now, *error_type)
    return learner.model_copy(update={"mastery": {"ospf": Mastery(known=KNOWN[level])}})


FIRST = (Outcome.ERROR, "OSPF_AREA_MISMATCH")
OTHER = (Outcome.ERROR, "OSPF_TIMER_MISMATCH")
HINT = (Outcome.HINT_USED,)
GOAL = (Outcome.GOAL_REACHED,)


@pytest.mark.parametrize(
    ("level", "intent", "done", "strategy"),
    [
        ("novice", "troubleshooting", [FIRST], "direct"),
        ("intermediate", "troubleshooting", [FIRST], "hint"),
        ("intermediate", "troubleshooting", [FIRST, HINT], "hint"),
        ("intermediate", "troubleshooting", [FIRST, HINT, HINT], "direct"),
        ("intermediate", "troubleshooting", [FIRST, FIRST], "direct"),
        ("intermediate", "troubleshooting", [FIRST, OTHER], "hint"),
        ("intermediate", "troubleshooting", [FIRST, FIRST, (Outcome.FIXED,), FIRST], "hint"),
        ("advanced", "troubleshooting", [FIRST], "socratic"),
        ("advanced", "troubleshooting", [FIRST, HINT], "hint"),
        ("advanced", "troubleshooting", [FIRST, HINT, HINT], "direct"),
        ("advanced", "troubleshooting", [GOAL], "socratic"),
        ("novice", "teaching", [], "direct"),
        ("intermediate", "teaching", [], "socratic"),
        ("intermediate", "teaching", [(Outcome.QUIZ_WRONG,), (Outcome.QUIZ_WRONG,)], "direct"),
        ("advanced", "teaching", [], "direct"),
        ("advanced", "teaching", [GOAL], "challenge"),
        ("advanced", "ambiguous", [GOAL], "challenge"),
        ("novice", "ambiguous", [], "direct"),
        ("intermediate", "ambiguous", [], "hint"),
    ],
)
def test_the_strategy_fits_the_student(level, intent, done, strategy, now):
    assert choose_strategy(student(level, *done, now=now), intent, "ospf") == strategy


def test_trouble_in_one_topic_changes_nothing_in_another(now):
    learner = student("intermediate", FIRST, FIRST, now=now)
    assert choose_strategy(learner, "troubleshooting", "ospf") == "direct"
    assert choose_strategy(learner.model_copy(update={"mastery": {"rip": Mastery(known=0.6)}}), "teaching", "rip") == (
        "socratic"
    )


def test_hints_get_stronger_until_something_goes_right(now):
    levels = [hint_level(student("intermediate", FIRST, *[HINT] * used, now=now), "ospf") for used in range(4)]
    assert levels == [1, 2, 3, 3]
    assert hint_level(student("intermediate", FIRST, HINT, (Outcome.FIXED,), now=now), "ospf") == 1


def test_a_lab_gives_its_own_hints():
    hints = (Hint(level=1, text="Look at the areas.", check="full"), Hint(level=3, text="Area 0.", check="full"))
    lab = Lab(id="ospf", title="OSPF", goal="Neighbours", hints=hints)
    assert [lab_hint(lab, "full", level) for level in (1, 2, 3)] == ["Look at the areas."] * 2 + ["Area 0."]
    assert lab_hint(lab, "ping", 3) == ""
