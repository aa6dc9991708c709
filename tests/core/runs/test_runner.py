"""The runner: every item settled once, whatever happens on the way."""

import asyncio
import os
import signal

import pytest

from studium.core.domain.decision import Action, Decision
from studium.core.domain.errors import BadInput, BadSettings, Interrupted, ServiceDown
from studium.core.domain.finding import Finding, Severity
from studium.core.domain.run import current_context, reject_item
from studium.core.domain.usage import Call, Limits
from studium.core.runs.runner import Runner


async def test_every_item_is_saved_with_limited_concurrency(database, job_of):
    in_hand, most = 0, 0

    async def step(_state):
        nonlocal in_hand, most
        in_hand += 1
        most = max(most, in_hand)
        await asyncio.sleep(0.01)
        in_hand -= 1
        return {}

    report = await Runner(database, concurrency=3).run(job_of(step, items=10))
    assert (report.settled, most) == (10, 3)
    assert sorted(d.item for d in database.items.decisions(report.run)) == sorted(f"item-{n}" for n in range(10))
    assert database.runs.get(report.run).status == "done"
    assert database.runs.get(report.run).note == "Count to 10"


async def test_a_failing_item_waits_for_review_and_the_others_continue(database, job_of):
    async def step(state):
        if state["number"] == 2:
            raise ZeroDivisionError("no such luck")
        return {}

    report = await Runner(database).run(job_of(step))
    broken = [d for d in database.items.decisions(report.run) if d.action is Action.MANUAL_REVIEW]
    assert [(d.item, d.findings[0].message) for d in broken] == [("item-2", "ZeroDivisionError: no such luck")]
    assert (report.settled, report.waiting) == (5, 1)


async def test_an_error_for_every_item_ends_the_run_and_it_can_be_resumed(database, job_of):
    down = True

    async def step(state):
        if state["number"] >= 3 and down:
            raise ServiceDown("Nobody answers at 127.0.0.1:1.")
        return {}

    job = job_of(step)
    with pytest.raises(ServiceDown, match="Nobody answers"):
        await Runner(database, concurrency=1).run(job)
    assert [run.status for run in database.runs.newest()] == ["failed"]
    down = False
    report = await Runner(database).run(job, resume=True)
    assert (report.resumed, report.settled) == (3, 2)
    assert [run.status for run in database.runs.newest()] == ["done"]


async def test_ctrl_c_finishes_what_is_in_flight_and_leaves_the_run_resumable(database, job_of):
    worked = []

    async def step(state):
        if state["number"] == 3:
            os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0.01)
        worked.append(state["number"])
        return {}

    job = job_of(step, items=50)
    with pytest.raises(Interrupted, match="was stopped with"):
        await Runner(database, concurrency=2).run(job)
    assert 3 in worked, "the item in flight was finished"
    assert len(worked) < 10
    report = await Runner(database).run(job, resume=True)
    assert report.settled + report.resumed == 50
    assert sorted(worked) == list(range(50)), "no item was worked on twice"


async def test_a_second_ctrl_c_stops_at_once(database, job_of):
    async def step(_state):
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(60)

    with pytest.raises(Interrupted, match="immediately"):
        await asyncio.wait_for(Runner(database).run(job_of(step, items=1)), 10)
    assert database.runs.newest()[0].status == "interrupted"


async def test_without_resume_a_new_run_starts(database, job_of):
    job = job_of(lambda _state: {})
    first, second = await Runner(database).run(job), await Runner(database).run(job)
    assert first.run != second.run
    assert second.settled == 5


async def test_a_run_that_is_done_is_not_resumed(database, job_of):
    job = job_of(lambda _state: {})
    first = await Runner(database).run(job)
    assert (await Runner(database).run(job, resume=True)).run != first.run


async def test_each_item_has_its_own_budget_within_that_of_the_run(database, job_of):
    refusals = []

    async def step(_state):
        refusals.append([current_context().budget.reserve() for _ in range(3)])
        return {}

    job = job_of(step, items=2, item_limits=Limits(calls=2))
    await Runner(database, concurrency=1, limits=Limits(calls=3)).run(job)
    assert refusals[0] == [None, None, "the limit of 2 model calls is reached"]
    assert refusals[1] == [None, "the limit of 3 model calls is reached", "the limit of 3 model calls is reached"]


async def test_a_resumed_run_has_only_the_rest_of_its_budget(database, job_of):
    left = []

    async def step(state):
        context = current_context()
        left.append(context.budget.reserve())
        call = Call(skill="s", role="r", model="m", outcome="answered", seconds=0.1, cost=0.4)
        database.turns.remember(None, call, run=context.run, item=context.item)
        if state["number"] == 1 and len(left) == 2:
            raise ServiceDown("gone")
        return {}

    runner = Runner(database, concurrency=1, limits=Limits(calls=2))
    with pytest.raises(ServiceDown):
        await runner.run(job_of(step, items=2))
    await runner.run(job_of(step, items=2), resume=True)
    assert left == [None, None, "the limit of 2 model calls is reached"]


async def test_a_file_that_could_not_be_read_is_a_decision_with_its_finding(database, job_of):
    finding = Finding(code="file.binary", severity=Severity.ERROR, message="It is not text.")
    job = job_of(lambda _state: {}, items=1, already_decided=[("photo.md", [reject_item("photo.md", finding)])])
    report = await Runner(database).run(job)
    skipped = next(d for d in database.items.decisions(report.run) if d.item == "photo.md")
    assert (skipped.action, skipped.reasons) == (Action.SKIP, ("It is not text.",))


def doubtful(item, state):
    proposal = {"text": state.get("seen", "first try")}
    return [Decision(item=item.id, action=Action.MANUAL_REVIEW, proposal=proposal, proposal_schema={"type": "object"})]


@pytest.mark.parametrize(
    ("status", "answer", "action", "proposal"),
    [
        ("approved", None, Action.CREATE, {"text": "first try"}),
        ("edited", {"text": "mine"}, Action.CREATE, {"text": "mine"}),
        ("rejected", None, Action.SKIP, {"text": "first try"}),
    ],
)
async def test_a_doubt_that_a_person_answered_is_never_asked_again(database, job_of, status, answer, action, proposal):
    job = job_of(lambda _state: {}, items=1, decide=doubtful)
    await Runner(database).run(job)
    database.reviews.answer(database.reviews.select()[0].id, status, answer, None)
    report = await Runner(database).run(job)
    decision = database.items.decisions(report.run)[0]
    assert (decision.action, decision.proposal) == (action, proposal)
    assert database.reviews.select() == []


async def test_a_comment_is_given_to_the_next_attempt(database, job_of):
    async def step(state):
        return {"seen": f"tried again: {state['feedback'][0]}"} if state.get("feedback") else {}

    job = job_of(step, items=1, decide=doubtful)
    await Runner(database).run(job)
    database.reviews.answer(database.reviews.select()[0].id, "responded", None, "Shorter, please.")
    report = await Runner(database).run(job)
    assert database.items.decisions(report.run)[0].proposal == {"text": "tried again: Shorter, please."}
    assert len(database.reviews.select()) == 1, "the new proposal is a new doubt"


async def test_an_unusable_item_is_skipped_with_its_finding_and_the_others_continue(database, job_of):
    async def step(state):
        if state["number"] == 2:
            raise BadInput("two.pdf is encrypted.")
        return {}

    report = await Runner(database).run(job_of(step))
    refused = [(d.item, d.findings[0].code) for d in report.plan.decisions if d.action is Action.SKIP]
    assert (report.settled, refused) == (5, [("item-2", "item.unusable")])


async def test_a_wrong_setting_ends_the_run(database, job_of):
    async def step(_state):
        raise BadSettings("`prompts` names no folder.")

    with pytest.raises(BadSettings):
        await Runner(database).run(job_of(step))
