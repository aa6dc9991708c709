import pytest
from pydantic import ValidationError

from studium.core.domain.decision import Action, Decision, Plan, review_id
from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.domain.run import (
    RunContext,
    current_context,
    emit,
    emit_progress,
    emit_text,
    use_context,
    without_progress,
)
from studium.core.domain.usage import Budget


def test_a_locator_reads_as_file_and_line():
    assert str(Locator(path="notes/ospf.md", line=12)) == "notes/ospf.md:12"
    assert str(Locator(path="notes/ospf.md", line=12, end_line=14)) == "notes/ospf.md:12-14"
    assert str(Locator(path="paper.pdf", line=3, end_line=3, page=2)) == "paper.pdf:3 (page 2)"


def test_values_are_frozen_and_reject_unknown_fields():
    finding = Finding(code="x", severity=Severity.ERROR, message="No answer.")
    with pytest.raises(ValidationError, match="frozen"):
        finding.code = "y"
    with pytest.raises(ValidationError, match="Extra inputs"):
        Finding(code="x", severity=Severity.ERROR, message="No answer.", colour="red")


def test_a_plan_counts_every_action_including_unused_ones():
    decisions = tuple(Decision(item=str(n), action=Action.CREATE) for n in range(3))
    assert Plan(run="r", feature="cards", decisions=decisions).counts == {
        "create": 3,
        "update": 0,
        "skip": 0,
        "manual_review": 0,
    }


def test_the_same_doubt_has_the_same_id_and_another_proposal_another():
    doubt = Decision(item="a.md", action=Action.MANUAL_REVIEW, proposal={"Front": "x"}, reasons=("first",))
    again = doubt.model_copy(update={"reasons": ("in other words",)})
    other = doubt.model_copy(update={"proposal": {"Front": "y"}})
    assert review_id("cards", doubt) == review_id("cards", again) != review_id("cards", other)
    assert review_id("cards", doubt) != review_id("questions", doubt)


def test_a_context_applies_only_inside_its_block():
    assert current_context().run == ""
    with use_context(RunContext(run="r1", item="a.md")):
        assert (current_context().run, current_context().item) == ("r1", "a.md")
    assert current_context().run == ""


def test_an_item_has_its_own_calls_and_the_listeners_of_its_run():
    events, pieces = [], []
    run = RunContext(on_event=lambda kind, data: events.append((kind, data)), on_text=pieces.append)
    with use_context(run.for_item("r1", "a.md", Budget())) as item:
        emit_progress(1, 2, "a.md")
        emit_text("")
        emit_text("So.")
    assert item.calls is not run.calls
    assert events == [("progress", {"done": 1, "total": 2, "item": "a.md"})]
    assert pieces == ["So."]


def test_progress_of_a_part_is_suppressed_but_other_events_pass():
    events = []
    with use_context(RunContext(run="r1", on_event=lambda kind, data: events.append((kind, data)))):
        with without_progress():
            assert current_context().run == "r1"
            emit_progress(1, 2, "a.md")
            emit("accepted", pair=1)
        emit_progress(2, 2, "b.md")
    emit("accepted", pair=2)
    assert events == [("accepted", {"pair": 1}), ("progress", {"done": 2, "total": 2, "item": "b.md"})]
