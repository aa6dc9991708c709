"""Mastery follows what a student does, and forgets nothing that is written down."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studium.tutor.mastery import (
    FAILURES,
    MAX_RECENT_EVENTS,
    SUCCESSES,
    Learner,
    Mastery,
    Outcome,
    _updated,
    topic_of_error,
    topic_of_question,
    topics,
)

likelihoods = st.floats(0, 1, allow_nan=False)


@given(known=likelihoods, outcome=st.sampled_from(sorted(SUCCESSES)))
def test_success_never_lowers_mastery(known, outcome):
    assert known <= _updated(known, outcome) <= 1


@given(known=likelihoods, outcome=st.sampled_from(sorted(FAILURES)))
def test_failure_never_raises_mastery(known, outcome):
    assert 0 <= _updated(known, outcome) <= known


@given(lower=likelihoods, higher=likelihoods, outcome=st.sampled_from(Outcome))
def test_who_knew_more_knows_no_less_afterwards(lower, higher, outcome):
    lower, higher = sorted((lower, higher))
    assert _updated(lower, outcome) <= _updated(higher, outcome) + 1e-12


@given(known=likelihoods)
def test_a_half_right_answer_changes_nothing(known):
    assert _updated(known, Outcome.QUIZ_PARTLY) == known


def test_three_right_answers_lead_from_novice_to_advanced_and_wrong_ones_back(now):
    mastery, levels = Mastery(), []
    for outcome in [Outcome.QUIZ_RIGHT] * 3 + [Outcome.QUIZ_WRONG] * 2:
        mastery = mastery.after(outcome, now)
        levels.append(mastery.mastery_level)
    assert levels == ["intermediate", "intermediate", "advanced", "intermediate", "novice"]


def test_a_typo_costs_less_than_a_wrong_answer_and_a_hint_less_than_a_typo(now):
    known = {outcome: Mastery(known=0.6).after(outcome, now).known for outcome in FAILURES}
    assert 0.6 > known[Outcome.HINT_USED] > known[Outcome.ERROR] > known[Outcome.QUIZ_WRONG]


def test_a_right_answer_is_asked_again_later_each_time_and_a_wrong_one_soon(now):
    mastery, waits = Mastery(), []
    for _ in range(4):
        asked = max(now, mastery.due or now)
        mastery = mastery.after(Outcome.QUIZ_RIGHT, asked)
        waits.append(mastery.due - asked)
    assert waits == sorted(waits)
    assert waits[0] < timedelta(hours=1) < timedelta(days=5) < waits[-1]
    asked = mastery.due
    assert mastery.after(Outcome.QUIZ_WRONG, asked).due - asked < timedelta(hours=1)


def test_a_hint_does_not_move_the_date(now):
    mastery = Mastery().after(Outcome.QUIZ_RIGHT, now)
    assert mastery.after(Outcome.HINT_USED, now + timedelta(days=1)).due == mastery.due


def test_a_clock_that_was_set_back_does_no_harm(now):
    mastery = Mastery().after(Outcome.QUIZ_RIGHT, now)
    assert mastery.after(Outcome.QUIZ_RIGHT, now - timedelta(days=400)).due > now


def test_a_student_is_her_json(now):
    learner = Learner().after("ospf", Outcome.ERROR, now, "OSPF_AREA_MISMATCH").after("rip", Outcome.QUIZ_RIGHT, now)
    assert Learner.model_validate_json(learner.model_dump_json()) == learner
    assert learner.model_dump(mode="json")["mastery"]["ospf"]["known"] == pytest.approx(0.125)


def test_topics_are_due_the_longest_overdue_first(now):
    learner = Learner().after("rip", Outcome.QUIZ_RIGHT, now).after("ospf", Outcome.ERROR, now)
    assert learner.due(now) == []
    assert learner.due(now + timedelta(days=1)) == ["ospf", "rip"]


def test_a_success_ends_a_struggle_in_its_own_topic_alone(now):
    learner = Learner().after("ospf", Outcome.ERROR, now).after("rip", Outcome.FIXED, now)
    assert learner.has_open_error("ospf")
    assert not learner.after("ospf", Outcome.FIXED, now).has_open_error("ospf")


def test_only_what_happened_of_late_is_remembered(now):
    learner = Learner()
    for _ in range(MAX_RECENT_EVENTS + 10):
        learner = learner.after("cli", Outcome.ERROR, now)
    assert len(learner.recent) == MAX_RECENT_EVENTS
    assert learner.of("cli").outcomes == MAX_RECENT_EVENTS + 10


@pytest.mark.parametrize(
    ("error_type", "topic"),
    [
        ("TYPO_IN_COMMAND", "cli"),
        ("SUBNET_OVERLAP", "subnetting"),
        ("INVALID_NEXT_HOP", "static_routing"),
        ("DEFAULT_ROUTE_NO_GATEWAY", "default_route"),
        ("OSPF_TIMER_MISMATCH", "ospf"),
        ("BGP_WRONG_REMOTE_AS", "bgp"),
        ("SOMETHING_NEW", "cli"),
    ],
)
def test_a_mistake_belongs_to_a_topic(error_type, topic):
    assert topic_of_error(error_type) == topic
    assert topic in topics()


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("Why is the gateway of last resort not set?", "default_route"),
        ("What is a wildcard mask?", "subnetting"),
        ("How do I configure a default route?", "default_route"),
        ("Why is my OSPF neighbor stuck?", "ospf"),
        ("What is split horizon?", "rip"),
        ("Where does my static route go?", "static_routing"),
        ("What is an autonomous system?", "bgp"),
        ("What is a ripe banana?", "ospf"),
    ],
)
def test_a_question_belongs_to_a_topic_or_to_the_lab(question, topic):
    assert topic_of_question(question, ("ospf", "addressing")) == topic
