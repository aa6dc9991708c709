"""A vault and Anki kept in step: what a person does on either side, and what becomes of it."""

import json
import shutil

import pytest
from tests.run_cli import studium

OSPF = """\
Q: What does an OSPF router flood?
A: Link-state advertisements. They describe its links.
"""
RIP = """\
Q: What does RIP count?
A: Hops, at most fifteen of them.
"""


def reviewed(desk, query="deck:*"):
    """Study the card, so that it has a history to lose."""
    card = desk.note(query).cards()[0]
    desk.collection.decks.select(card.did)
    queued = desk.collection.sched.getCard()
    desk.collection.sched.answerCard(queued, 3)
    return history(desk)


def history(desk):
    return desk.collection.db.all("select cid, ease, ivl from revlog order by id")


def test_new_notes_become_cards_and_a_second_sync_has_nothing_to_do(desk):
    desk.write("net/ospf.md", OSPF)
    desk.write("net/rip.md", RIP)
    assert desk.sync()["counts"] == {"create": 2, "update": 0, "skip": 0, "manual_review": 0}
    assert {note["Front"] for note in desk.notes("deck:net")} == {
        "What does an OSPF router flood?",
        "What does RIP count?",
    }
    asked = len(desk.anki.requests)
    again = desk.sync()
    assert (again["counts"]["create"], again["unchanged_notes"]) == (0, 2)
    assert len(desk.anki.requests) - asked <= 10
    assert len(desk.notes()) == 2


def test_an_edit_in_the_note_updates_the_card_and_its_history_stays(desk):
    desk.write("ospf.md", OSPF)
    desk.sync()
    before = reviewed(desk)
    desk.write("ospf.md", OSPF.replace("its links", "its links and their costs"))
    assert desk.sync()["counts"]["update"] == 1
    assert "and their costs" in desk.note()["Back"]
    assert history(desk) == before != []


def test_an_edit_in_anki_is_kept(desk):
    desk.write("ospf.md", OSPF)
    desk.sync()
    desk.edit("deck:*", "Back", "My own words.")
    desk.write("ospf.md", OSPF + "\n")
    assert desk.sync()["counts"]["update"] == 0
    assert desk.note()["Back"] == "My own words."


def test_edits_on_both_sides_that_do_not_touch_are_merged(desk):
    desk.write("ospf.md", OSPF)
    desk.sync()
    desk.edit("deck:*", "Back", desk.note()["Back"].replace("Link-state", "<b>Link-state</b>"))
    desk.write("ospf.md", OSPF.replace("its links", "its links and their costs"))
    desk.sync()
    assert "<b>Link-state</b>" in desk.note()["Back"]
    assert "and their costs" in desk.note()["Back"]


@pytest.mark.parametrize(("answer", "back"), [("approve", "From the note"), ("reject", "From Anki")])
def test_edits_that_touch_wait_for_a_person_who_has_the_last_word(desk, answer, back):
    desk.write("ospf.md", OSPF)
    desk.sync()
    desk.edit("deck:*", "Back", "From Anki: something else entirely.")
    desk.write("ospf.md", "Q: What does an OSPF router flood?\nA: From the note: advertisements, link by link.\n")
    assert desk.sync()["counts"]["manual_review"] == 1
    assert desk.note()["Back"] == "From Anki: something else entirely.", "nothing is written while it waits"
    waiting = studium("review", "--json").json
    assert studium("review", answer, waiting[0]["id"]).code == 0
    desk.sync()
    assert desk.note()["Back"].startswith(back)
    assert desk.sync()["counts"]["manual_review"] == 0


def test_a_doubtful_new_card_is_made_once_it_is_approved(desk):
    desk.write("leaky.md", "Q: Is a tuple immutable, ordered and hashable?\nA: Immutable, ordered and hashable.\n")
    assert desk.sync()["counts"]["manual_review"] == 1
    waiting = studium("review", "--json").json
    assert studium("review", "approve", waiting[0]["id"]).code == 0
    desk.sync()
    assert desk.note()["Front"] == "Is a tuple immutable, ordered and hashable?"


def test_what_a_person_wrote_in_review_is_what_anki_gets_and_keeps(desk):
    desk.write("leaky.md", "Q: Is a tuple immutable, ordered and hashable?\nA: Immutable, ordered and hashable.\n")
    desk.sync()
    waiting = studium("review", "--json").json[0]
    card = waiting["decision"]["proposal"]
    card["fields"]["Front"] = "Which three things is a tuple?"
    assert studium("review", "edit", waiting["id"], "--text", json.dumps(card)).code == 0
    desk.sync()
    desk.sync()
    assert desk.note()["Front"] == "Which three things is a tuple?"


def test_tags_and_fields_that_are_not_ours_are_never_touched(desk):
    desk.write("ospf.md", "---\ntags: [routing]\n---\n" + OSPF)
    desk.sync()
    note = desk.note()
    note.tags = [*note.tags, "mine"]
    desk.collection.update_note(note)
    desk.write("ospf.md", "---\ntags: [protocols]\n---\n" + OSPF)
    desk.sync()
    assert set(desk.note().tags) == {"mine", "protocols"}


def test_a_note_that_is_moved_and_renamed_keeps_its_card_and_history(desk):
    path = desk.write("ospf.md", OSPF)
    desk.sync()
    before = reviewed(desk)
    (desk.vault / "routing").mkdir()
    path.rename(desk.vault / "routing" / "link state.md")
    desk.sync()
    assert len(desk.notes()) == 1
    assert history(desk) == before


def test_a_card_whose_source_is_gone_is_suspended_and_tagged_and_comes_back_with_it(desk):
    path = desk.write("ospf.md", OSPF)
    desk.sync()
    before = reviewed(desk)
    path.unlink()
    desk.sync()
    note = desk.note()
    assert note.tags == ["studium::source_gone"]
    assert note.cards()[0].queue == -1, "suspended"
    desk.write("back again.md", OSPF)
    desk.sync()
    note = desk.note()
    assert (note.tags, note.cards()[0].queue == -1) == ([], False)
    assert history(desk) == before


def test_more_deletions_than_allowed_stop_and_ask(desk):
    for number in range(25):
        desk.write(f"facts/{number}.md", f"Q: What is fact {number}?\nA: It is the value {number}00.\n")
    desk.sync()
    for path in (desk.vault / "facts").iterdir():
        path.unlink()
    refused = desk.cards("sync", desk.vault)
    assert refused.code == 2
    assert "25 cards would be suspended" in refused.err
    assert all(note.tags == [] for note in desk.notes())
    assert desk.cards("sync", desk.vault, "--allow-mass-change").code == 0
    assert all(note.tags == ["studium::source_gone"] for note in desk.notes())


def test_undo_puts_everything_back(desk):
    desk.write("ospf.md", "---\ntags: [old]\n---\n" + OSPF)
    first = desk.sync()["run"]
    before = (dict(desk.note().items()), desk.note().tags)
    desk.write("ospf.md", "---\ntags: [new]\n---\n" + OSPF.replace("its links", "everything"))
    desk.write("rip.md", RIP)
    second = desk.sync()["run"]
    assert "everything" in desk.note("Front:*OSPF*")["Back"]
    assert desk.cards("undo", second).code == 0
    assert (dict(desk.note().items()), desk.note().tags) == before, "the new card is gone, the old one as it was"
    assert desk.cards("undo", first).code == 0
    assert desk.notes() == []


def test_undo_leaves_alone_what_a_person_edited_since(desk):
    desk.write("ospf.md", OSPF)
    desk.sync()
    desk.write("ospf.md", OSPF.replace("its links", "everything"))
    run = desk.sync()["run"]
    desk.edit("deck:*", "Back", "Mine now.")
    ended = desk.cards("undo", run)
    assert "edited in Anki since" in ended.out
    assert desk.note()["Back"] == "Mine now."


def test_a_lost_database_makes_no_duplicate(desk, home):
    desk.write("ospf.md", OSPF)
    desk.sync()
    shutil.rmtree(home)
    counts = desk.sync()["counts"]
    assert (counts["create"], counts["manual_review"]) == (0, 0)
    assert len(desk.notes()) == 1


def test_a_note_deleted_in_anki_is_made_again(desk):
    desk.write("ospf.md", OSPF)
    desk.sync()
    desk.collection.remove_notes([desk.note().id])
    desk.sync()
    assert desk.note()["Front"] == "What does an OSPF router flood?"


def test_a_plan_is_applied_as_it_was_shown(desk, tmp_path):
    desk.write("ospf.md", OSPF)
    planned = desk.cards("plan", desk.vault, "--json")
    assert planned.json["counts"]["create"] == 1
    assert desk.notes() == []
    (tmp_path / "plan.json").write_text(planned.out)
    assert desk.cards("apply", tmp_path / "plan.json").code == 0
    assert desk.note()["Front"] == "What does an OSPF router flood?"


def test_a_plan_is_refused_when_a_note_changed_since(desk, tmp_path):
    desk.write("ospf.md", OSPF)
    (tmp_path / "plan.json").write_text(desk.cards("plan", desk.vault, "--json").out)
    desk.write("ospf.md", OSPF + "More.\n")
    refused = desk.cards("apply", tmp_path / "plan.json")
    assert refused.code == 2
    assert "ospf.md changed since the plan was made" in refused.err
    assert desk.notes() == []


def test_a_plan_does_not_overwrite_a_card_that_was_edited_since(desk, tmp_path):
    desk.write("ospf.md", OSPF)
    desk.sync()
    desk.write("ospf.md", OSPF.replace("its links", "everything"))
    (tmp_path / "plan.json").write_text(desk.cards("plan", desk.vault, "--json").out)
    desk.edit("deck:*", "Back", "Mine now.")
    assert "edited in Anki after this was decided" in desk.cards("apply", tmp_path / "plan.json").out
    assert desk.note()["Back"] == "Mine now."


def test_one_note_can_be_synced_alone(desk):
    ospf = desk.write("ospf.md", OSPF)
    desk.write("rip.md", RIP)
    assert desk.sync("--note", ospf)["counts"]["create"] == 1
    assert desk.note()["Front"] == "What does an OSPF router flood?"


def test_anki_that_is_closed_is_said_with_what_to_do(desk):
    desk.write("ospf.md", OSPF)
    desk.anki.stop()
    ended = desk.cards("sync", desk.vault)
    desk.anki.start()
    assert ended.code == 3
    assert "2055492159" in ended.err


def test_cards_of_another_tool_are_adopted_with_their_history(desk):
    basic = desk.collection.models.by_name("Basic")
    note = desk.collection.new_note(basic)
    note["Front"], note["Back"] = "What does RIP count?", "Hops, at most fifteen of them."
    desk.collection.add_note(note, desk.collection.decks.id("Old"))
    before = reviewed(desk)
    desk.write("rip.md", RIP + f"<!--ID: {note.id}-->\n")
    assert desk.sync()["counts"]["create"] == 0, "another tool's card is not made twice"
    assert desk.cards("adopt", desk.vault).code == 0
    assert desk.sync()["counts"]["create"] == 0
    desk.write("rip.md", RIP.replace("fifteen", "15") + f"<!--ID: {note.id}-->\n")
    assert desk.sync()["counts"]["update"] == 1
    assert "15" in desk.note()["Back"]
    assert history(desk) == before
    assert desk.note().cards()[0].did == desk.collection.decks.id("Old")


def test_plan_json_tells_everything_about_a_decision(desk):
    desk.write("net/ospf.md", "# Routing\n\n" + OSPF)
    decision = json.loads(desk.cards("plan", desk.vault, "--json").out)["decisions"][0]
    assert (decision["action"], decision["note"], decision["line"]) == ("create", "net/ospf.md", 3)
    assert decision["card"]["fields"]["Front"] == "What does an OSPF router flood?"
    assert decision["card"]["deck_name"] == "net"


@pytest.mark.parametrize("style", ["comment", "block_id"])
def test_our_id_can_be_written_into_the_note_and_survives_everything(desk, home, style):
    path = desk.write("ospf.md", OSPF)
    mark = ("--set", f"cards.markers={style}", "--set", f"cards.anki_address={desk.anki.address}")
    assert studium(*mark, "cards", "sync", desk.vault).code == 0
    marked = path.read_text()
    assert desk.note()["Studium"] in marked
    assert marked.replace("\n", "").startswith(OSPF.replace("\n", "")), "nothing else of the note changed"
    assert studium(*mark, "cards", "sync", desk.vault, "--json").json["unchanged_notes"] == 1
    for file in home.glob("database*"):
        file.unlink()
    path.rename(desk.vault / "elsewhere.md")
    (desk.vault / "elsewhere.md").write_text(marked.replace("an OSPF router", "every router of an OSPF area"))
    assert studium(*mark, "cards", "sync", desk.vault, "--json").json["counts"]["create"] == 0
    assert len(desk.notes()) == 1


def test_a_note_that_cannot_be_read_for_now_does_not_lose_its_cards(desk):
    path = desk.write("ospf.md", OSPF)
    desk.sync()
    path.write_bytes(b"\xff\xfe\x00 not text any more")
    desk.sync()
    assert desk.note().tags == []
    path.write_text(OSPF)
    desk.sync()
    assert len(desk.notes()) == 1


def test_a_remark_on_one_card_leaves_the_others_of_its_note_alone(desk):
    leaky = "Q: Is a tuple immutable, ordered and hashable?\nA: Immutable, ordered and hashable.\n\n"
    desk.write("two.md", leaky + OSPF)
    desk.sync()
    waiting = studium("review", "--json").json[0]
    assert studium("review", "respond", waiting["id"], "--text", "Ask for the three properties.").code == 0
    decisions = desk.sync()["decisions"]
    assert len({decision["item"] for decision in decisions}) == len(decisions) == 2


REWORDED = "Q: What is the way a router learns its route?\nA: From its neighbours, or by hand.\n"
ANOTHER = "Q: Which colour has a banana when it is ripe enough to eat?\nA: From its neighbours, or by hand.\n"


@pytest.mark.parametrize(
    ("text", "embedder", "counts"),
    [
        (REWORDED, "minilm", ("update", 1)),
        (REWORDED, "none", ("manual_review", 1)),
        (ANOTHER, "minilm", ("manual_review", 1)),
    ],
)
def test_a_question_in_other_words_is_updated_and_another_question_is_asked_about(desk, text, embedder, counts):
    desk.write("a.md", "Q: How do routers learn routes?\nA: From its neighbours, or by hand.\n")
    desk.sync()
    desk.write("a.md", text)
    setting = ("--set", f"embedder={embedder}", "--set", f"cards.anki_address={desk.anki.address}")
    result = studium(*setting, "cards", "sync", desk.vault, "--json").json
    assert result["counts"][counts[0]] == counts[1], result["counts"]


def test_an_id_that_was_pasted_twice_is_said(desk):
    desk.write("ospf.md", OSPF)
    desk.sync()
    marker = f"<!--studium:{desk.note()['Studium']}-->\n"
    desk.write("ospf.md", OSPF + marker)
    desk.write("copy.md", RIP + marker)
    said = {d["note"]: [f["code"] for f in d["findings"]] for d in desk.sync()["decisions"] if d["findings"]}
    assert said["copy.md"] == ["card.copied_marker"]
    assert len(desk.notes()) == 2
