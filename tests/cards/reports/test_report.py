"""`studium cards report`: what the cards reached, against what they must reach."""

import json

import pytest
from tests.cards.reports.collection import note_saying
from tests.run_cli import studium

from studium.anki.store import AnkiNote
from studium.cards.report import loses_edit
from studium.cards.sync.changes import AnkiChange, PublishedCard, snapshot_note
from studium.core.domain.decision import Action, Change, ChangeStatus, Decision
from studium.core.domain.finding import Finding, Severity
from studium.core.domain.usage import Call, CallOutcome

CARD = {"deck_name": "Net", "fields": {"Front": "Which port does BGP use?", "Back": "TCP port 179."}}


def criteria(*arguments) -> dict[str, dict]:
    ended = studium("cards", "report", "--json", *arguments)
    assert ended.code == 0, ended.err
    return {each["name"]: each for each in ended.json["criteria"]}


def made(item: str, proposal: dict | None = CARD, score: float | None = 0.9, **more) -> Decision:
    return Decision(item=item, action=Action.CREATE, proposal=proposal, score=score, **more)


@pytest.fixture
def settle(database):
    """Settles a run of cards: one note a decision."""

    def settle(*decisions: Decision, calls=(), arguments=None):
        run = database.runs.start("cards", arguments or {"vault": "v"})
        for place, decision in enumerate(decisions):
            database.items.save(run.id, f"{decision.item}@{place}", [decision], calls)
        return database.runs.finish(run.id, "done")

    return settle


def test_a_real_sync_is_compared_with_its_targets(write, sync):
    write("ospf.md", "Q: What does an OSPF router flood?\nA: Link-state advertisements.\n")
    write("bgp.md", "Q: Which port does BGP use?\nA: TCP port 179.\n")
    run = sync().json["run"]
    ended = studium("cards", "report")
    assert ended.code == 0, ended.err
    for row in ("schema valid 100.0% ≥ 95 % yes 2 cards", "unintended overwrites 0 0 yes 2 changes", f"Run {run}."):
        assert row in " ".join(ended.out.split())
    found = criteria()
    assert (found["qa_score"]["value"], found["exceptions"]["value"]) == (1.0, 0.0)
    assert 0 < found["seconds_per_card"]["value"] < 10
    assert all(each["met"] for each in found.values())


def test_cards_that_do_not_fit_their_note_type_and_poor_scores_miss_the_targets(settle):
    too_long = CARD | {"fields": {"Front": "Why?", "Back": "word " * 400}}
    broken = CARD | {"card_type": "Cloze", "model_name": "Studium Cloze", "fields": {"Text": "{{c1::never closed"}}
    foreign = CARD | {"model_name": "My own type", "fields": {"Question": "Why?", "Answer": "Because."}}
    run = settle(made("a#1", too_long), made("b#2", broken, 0.4), made("c#3", foreign), made("d#4", score=0.3))
    found = criteria(run.id)
    assert (found["schema_valid"]["value"], found["schema_valid"]["met"]) == (0.5, False)
    assert found["qa_score"]["value"] == pytest.approx((0.9 + 0.4 + 0.9 + 0.3) / 4)
    assert (found["qa_score"]["met"], found["qa_score"]["counted"]) == (False, "4 judged cards")


def test_exceptions_are_counted_by_note(settle):
    failed = Finding(code="item.failed", severity=Severity.ERROR, message="KeyError: 'x'")
    card = failed.model_copy(update={"code": "card.failed"})
    fine = [made(f"n{number}#{number}") for number in range(98)]
    settle(*fine, made("bad", None, None, findings=(failed,)), made("worse#1", None, None, findings=(card, card)))
    found = criteria()["exceptions"]
    assert (found["value"], found["met"], found["counted"]) == (0.02, False, "100 notes")


def test_seconds_per_card_are_those_that_models_took(settle):
    call = Call(skill="cards.map", role="cards.mapper", model="m", outcome=CallOutcome.ANSWERED, seconds=9.0)
    cached = call.model_copy(update={"cached": True, "seconds": 100.0})
    judged = call.model_copy(update={"skill": "cards.qa", "seconds": 3.0})
    settle(made("a#1"), made("b#2"), calls=(call, cached, judged))
    found = criteria()["seconds_per_card"]
    assert (found["value"], found["met"]) == (pytest.approx(12.0), False)


def test_a_run_without_cards_claims_nothing(settle):
    run = settle(made("a", None, None))
    assert {name: each["met"] for name, each in criteria(run.id).items()} == {
        "schema_valid": None,
        "qa_score": None,
        "unintended_overwrites": True,
        "exceptions": True,
        "seconds_per_card": None,
    }


def test_the_last_run_a_given_run_or_all_of_them(settle):
    first = settle(made("a#1", score=1.0))
    settle(made("a#1", score=0.5))
    settle(made("a#1", score=0.0), arguments={"recheck": True})
    assert criteria()["qa_score"]["value"] == 0.5
    assert criteria(first.id)["qa_score"]["value"] == 1.0
    assert criteria("--all")["qa_score"]["value"] == 0.75


def test_what_made_no_cards_has_no_report(database, settle):
    nothing = studium("cards", "report")
    assert (nothing.code, "No cards were made yet." in nothing.err) == (2, True)
    other = database.runs.start("questions", {})
    recheck = settle(arguments={"recheck": True})
    for run in (other, recheck):
        ended = studium("cards", "report", run.id)
        assert (ended.code, "made no cards" in ended.err) == (2, True)


@pytest.mark.parametrize(
    ("base", "person", "written", "lost"),
    [
        ("Floods LSAs", "Floods LSAs", "Floods updates", False),  # nobody edited it
        ("Floods LSAs", "<div>Floods&nbsp;LSAs</div>", "Floods updates", False),  # Anki's editor did
        ("Floods LSAs", "Floods LSAs reliably", "Floods updates", True),
        ("Floods LSAs", "Floods LSAs reliably", "It floods LSAs reliably", False),  # merged
        ("Floods LSAs", "Floods <b>LSAs</b>", "Floods LSAs now", True),  # marked, and the mark is gone
        ("Floods LSAs, always", "Floods LSAs", "Floods LSAs, always, all", True),  # cut, and it is back
        ("Floods LSAs, always", "Floods LSAs", "It floods LSAs", False),
        ("", "Typed by a person", "From the note", True),  # nobody knows what we wrote
        ("", "", "From the note", False),
    ],
)
def test_an_edit_is_lost_if_what_was_typed_is_missing_or_what_was_cut_is_back(base, person, written, lost):
    assert loses_edit(base, person, written) is lost


CHANGE = AnkiChange(card_id="c1", kind="update", note="bgp.md", line=3, fields={"Back": "From the note"})


def journal(database, status=ChangeStatus.APPLIED, action=Action.UPDATE):
    """A run that overwrote a person's text."""
    run = database.runs.start("cards", {"vault": "v"})
    decision = made("bgp.md#c1", change=CHANGE.model_dump(mode="json")).model_copy(update={"action": action})
    database.items.save(run.id, "bgp.md", [decision])
    note = AnkiNote(id=7, note_type="Studium Basic", fields={"Front": "Which?", "Back": "Typed by a person"})
    before = snapshot_note(note, PublishedCard(fields={"Back": "As we wrote it"}))
    [change] = database.changes.plan(
        run.id, "s", [Change(key="c1", kind="update", before=before, after=CHANGE.model_dump(mode="json"))]
    )
    database.changes.finish(run.id, "s", {change.position: status})
    return database.runs.finish(run.id, "done")


def test_an_overwritten_edit_is_counted_and_named(database):
    run = journal(database)
    found = criteria(run.id)["unintended_overwrites"]
    assert (found["value"], found["met"], found["counted"]) == (1.0, False, "1 changes")
    assert "bgp.md:3: `Back` of card c1 was edited in Anki" in studium("cards", "report").out


@pytest.mark.parametrize("status", [ChangeStatus.UNDONE, ChangeStatus.REFUSED])
def test_a_change_that_was_not_made_or_was_undone_overwrites_nothing(database, status):
    assert criteria(journal(database, status).id)["unintended_overwrites"]["met"]


@pytest.mark.parametrize(("answer", "met"), [("approved", True), ("rejected", False)])
def test_what_a_person_approved_is_no_unintended_overwrite(database, answer, met):
    asked = journal(database, ChangeStatus.REFUSED, action=Action.MANUAL_REVIEW)
    [review] = database.reviews.select()
    database.reviews.answer(review.id, answer)
    assert criteria(journal(database).id)["unintended_overwrites"]["met"] is met
    assert criteria(asked.id)["unintended_overwrites"]["met"]


def test_edits_on_both_sides_are_merged_or_asked_and_never_overwritten(write, sync, edit, anki):
    question = "Q: What does an OSPF router flood?\nA: "
    answer = "Link-state advertisements. They describe its links. They carry a cost."
    write("ospf.md", question + answer)
    write("bgp.md", "Q: Which port does BGP use?\nA: TCP port 179.\n")
    sync()
    edit("OSPF router", Back=answer.replace("its links", "<b>all</b> its links"))
    edit("BGP", Back="TCP port 179, since 1989.")
    write("ospf.md", question + answer.replace("a cost", "a cost each"))
    write("bgp.md", "Q: Which port does BGP use?\nA: Port 179 of TCP, and no other one.\n")
    second = sync().json
    assert (second["counts"]["update"], second["counts"]["manual_review"]) == (1, 1)
    assert criteria()["unintended_overwrites"]["counted"] == "1 changes"
    assert criteria()["unintended_overwrites"]["met"]
    [review] = studium("review", "--json").json
    assert studium("review", "approve", review["id"]).code == 0
    sync()
    with anki() as opened:
        assert note_saying(opened, "BGP")["Back"] == "Port 179 of TCP, and no other one."
    assert criteria("--all")["unintended_overwrites"]["met"], "a person asked for it"


def test_json_has_the_runs_and_the_overwrites(database):
    run = journal(database)
    told = json.loads(studium("cards", "report", "--all", "--json").out)
    assert told["runs"] == [run.id]
    assert [overwrite["code"] for overwrite in told["overwrites"]] == ["card.overwritten"]
