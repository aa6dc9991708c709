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


def reviewed(workspace, query="deck:*"):
    """Study the card, so that it has a history to lose."""
    card = workspace.note(query).cards()[0]
    workspace.collection.decks.select(card.did)
    queued = workspace.collection.sched.getCard()
    workspace.collection.sched.answerCard(queued, 3)
    return history(workspace)


def history(workspace):
    return workspace.collection.db.all("select cid, ease, ivl from revlog order by id")


def test_new_notes_become_cards_and_a_second_sync_has_nothing_to_do(workspace):
    workspace.write("net/ospf.md", OSPF)
    workspace.write("net/rip.md", RIP)
    assert workspace.sync()["counts"] == {"create": 2, "update": 0, "skip": 0, "manual_review": 0}
    assert {note["Front"] for note in workspace.notes("deck:net")} == {
        "What does an OSPF router flood?",
        "What does RIP count?",
    }
    asked = len(workspace.anki.requests)
    again = workspace.sync()
    assert (again["counts"]["create"], again["unchanged_notes"]) == (0, 2)
    assert len(workspace.anki.requests) - asked <= 10
    assert len(workspace.notes()) == 2


def test_an_edit_in_the_note_updates_the_card_and_its_history_stays(workspace):
    workspace.write("ospf.md", OSPF)
    workspace.sync()
    before = reviewed(workspace)
    workspace.write("ospf.md", OSPF.replace("its links", "its links and their costs"))
    assert workspace.sync()["counts"]["update"] == 1
    assert "and their costs" in workspace.note()["Back"]
    assert history(workspace) == before != []


def test_an_edit_in_anki_is_kept(workspace):
    workspace.write("ospf.md", OSPF)
    workspace.sync()
    workspace.edit("deck:*", "Back", "My own words.")
    workspace.write("ospf.md", OSPF + "\n")
    assert workspace.sync()["counts"]["update"] == 0
    assert workspace.note()["Back"] == "My own words."


def test_edits_on_both_sides_that_do_not_touch_are_merged(workspace):
    workspace.write("ospf.md", OSPF)
    workspace.sync()
    workspace.edit("deck:*", "Back", workspace.note()["Back"].replace("Link-state", "<b>Link-state</b>"))
    workspace.write("ospf.md", OSPF.replace("its links", "its links and their costs"))
    workspace.sync()
    assert "<b>Link-state</b>" in workspace.note()["Back"]
    assert "and their costs" in workspace.note()["Back"]


@pytest.mark.parametrize(("answer", "back"), [("approve", "From the note"), ("reject", "From Anki")])
def test_edits_that_touch_wait_for_a_person_who_has_the_last_word(workspace, answer, back):
    workspace.write("ospf.md", OSPF)
    workspace.sync()
    workspace.edit("deck:*", "Back", "From Anki: something else entirely.")
    workspace.write("ospf.md", "Q: What does an OSPF router flood?\nA: From the note: advertisements, link by link.\n")
    assert workspace.sync()["counts"]["manual_review"] == 1
    assert workspace.note()["Back"] == "From Anki: something else entirely.", "nothing is written while it waits"
    waiting = studium("review", "--json").json
    assert studium("review", answer, waiting[0]["id"]).code == 0
    workspace.sync()
    assert workspace.note()["Back"].startswith(back)
    assert workspace.sync()["counts"]["manual_review"] == 0


def test_a_doubtful_new_card_is_made_once_it_is_approved(workspace):
    workspace.write("leaky.md", "Q: Is a tuple immutable, ordered and hashable?\nA: Immutable, ordered and hashable.\n")
    assert workspace.sync()["counts"]["manual_review"] == 1
    waiting = studium("review", "--json").json
    assert studium("review", "approve", waiting[0]["id"]).code == 0
    workspace.sync()
    assert workspace.note()["Front"] == "Is a tuple immutable, ordered and hashable?"


def test_what_a_person_wrote_in_review_is_what_anki_gets_and_keeps(workspace):
    workspace.write("leaky.md", "Q: Is a tuple immutable, ordered and hashable?\nA: Immutable, ordered and hashable.\n")
    workspace.sync()
    waiting = studium("review", "--json").json[0]
    card = waiting["decision"]["proposal"]
    card["fields"]["Front"] = "Which three things is a tuple?"
    assert studium("review", "edit", waiting["id"], "--text", json.dumps(card)).code == 0
    workspace.sync()
    workspace.sync()
    assert workspace.note()["Front"] == "Which three things is a tuple?"


def test_tags_and_fields_that_are_not_ours_are_never_touched(workspace):
    workspace.write("ospf.md", "---\ntags: [routing]\n---\n" + OSPF)
    workspace.sync()
    note = workspace.note()
    note.tags = [*note.tags, "mine"]
    workspace.collection.update_note(note)
    workspace.write("ospf.md", "---\ntags: [protocols]\n---\n" + OSPF)
    workspace.sync()
    assert set(workspace.note().tags) == {"mine", "protocols"}


def test_a_note_that_is_moved_and_renamed_keeps_its_card_and_history(workspace):
    path = workspace.write("ospf.md", OSPF)
    workspace.sync()
    before = reviewed(workspace)
    (workspace.vault / "routing").mkdir()
    path.rename(workspace.vault / "routing" / "link state.md")
    workspace.sync()
    assert len(workspace.notes()) == 1
    assert history(workspace) == before


def test_a_card_whose_source_is_gone_is_suspended_and_tagged_and_comes_back_with_it(workspace):
    path = workspace.write("ospf.md", OSPF)
    workspace.sync()
    before = reviewed(workspace)
    path.unlink()
    workspace.sync()
    note = workspace.note()
    assert note.tags == ["studium::source_gone"]
    assert note.cards()[0].queue == -1, "suspended"
    workspace.write("back again.md", OSPF)
    workspace.sync()
    note = workspace.note()
    assert (note.tags, note.cards()[0].queue == -1) == ([], False)
    assert history(workspace) == before


def test_more_deletions_than_allowed_stop_and_ask(workspace):
    for number in range(25):
        workspace.write(f"facts/{number}.md", f"Q: What is fact {number}?\nA: It is the value {number}00.\n")
    workspace.sync()
    for path in (workspace.vault / "facts").iterdir():
        path.unlink()
    refused = workspace.cards("sync", workspace.vault)
    assert refused.code == 2
    assert "25 cards would be suspended" in refused.err
    assert all(note.tags == [] for note in workspace.notes())
    assert workspace.cards("sync", workspace.vault, "--allow-mass-change").code == 0
    assert all(note.tags == ["studium::source_gone"] for note in workspace.notes())


def test_undo_puts_everything_back(workspace):
    workspace.write("ospf.md", "---\ntags: [old]\n---\n" + OSPF)
    first = workspace.sync()["run"]
    before = (dict(workspace.note().items()), workspace.note().tags)
    workspace.write("ospf.md", "---\ntags: [new]\n---\n" + OSPF.replace("its links", "everything"))
    workspace.write("rip.md", RIP)
    second = workspace.sync()["run"]
    assert "everything" in workspace.note("Front:*OSPF*")["Back"]
    assert workspace.cards("undo", second).code == 0
    assert (dict(workspace.note().items()), workspace.note().tags) == before, (
        "the new card is gone, the old one as it was"
    )
    assert workspace.cards("undo", first).code == 0
    assert workspace.notes() == []


def test_undo_leaves_alone_what_a_person_edited_since(workspace):
    workspace.write("ospf.md", OSPF)
    workspace.sync()
    workspace.write("ospf.md", OSPF.replace("its links", "everything"))
    run = workspace.sync()["run"]
    workspace.edit("deck:*", "Back", "Mine now.")
    ended = workspace.cards("undo", run)
    assert "edited in Anki since" in ended.out
    assert workspace.note()["Back"] == "Mine now."


def test_a_lost_database_makes_no_duplicate(workspace, home):
    workspace.write("ospf.md", OSPF)
    workspace.sync()
    shutil.rmtree(home)
    counts = workspace.sync()["counts"]
    assert (counts["create"], counts["manual_review"]) == (0, 0)
    assert len(workspace.notes()) == 1


def test_a_note_deleted_in_anki_is_made_again(workspace):
    workspace.write("ospf.md", OSPF)
    workspace.sync()
    workspace.collection.remove_notes([workspace.note().id])
    workspace.sync()
    assert workspace.note()["Front"] == "What does an OSPF router flood?"


def test_a_plan_is_applied_as_it_was_shown(workspace, tmp_path):
    workspace.write("ospf.md", OSPF)
    planned = workspace.cards("plan", workspace.vault, "--json")
    assert planned.json["counts"]["create"] == 1
    assert workspace.notes() == []
    (tmp_path / "plan.json").write_text(planned.out)
    assert workspace.cards("apply", tmp_path / "plan.json").code == 0
    assert workspace.note()["Front"] == "What does an OSPF router flood?"


def test_a_plan_is_refused_when_a_note_changed_since(workspace, tmp_path):
    workspace.write("ospf.md", OSPF)
    (tmp_path / "plan.json").write_text(workspace.cards("plan", workspace.vault, "--json").out)
    workspace.write("ospf.md", OSPF + "More.\n")
    refused = workspace.cards("apply", tmp_path / "plan.json")
    assert refused.code == 2
    assert "ospf.md changed since the plan was made" in refused.err
    assert workspace.notes() == []


def test_a_plan_does_not_overwrite_a_card_that_was_edited_since(workspace, tmp_path):
    workspace.write("ospf.md", OSPF)
    workspace.sync()
    workspace.write("ospf.md", OSPF.replace("its links", "everything"))
    (tmp_path / "plan.json").write_text(workspace.cards("plan", workspace.vault, "--json").out)
    workspace.edit("deck:*", "Back", "Mine now.")
    assert "edited in Anki after this was decided" in workspace.cards("apply", tmp_path / "plan.json").out
    assert workspace.note()["Back"] == "Mine now."


def test_one_note_can_be_synced_alone(workspace):
    ospf = workspace.write("ospf.md", OSPF)
    workspace.write("rip.md", RIP)
    assert workspace.sync("--note", ospf)["counts"]["create"] == 1
    assert workspace.note()["Front"] == "What does an OSPF router flood?"


def test_anki_that_is_closed_is_reported_with_what_to_do(workspace):
    workspace.write("ospf.md", OSPF)
    workspace.anki.stop()
    ended = workspace.cards("sync", workspace.vault)
    workspace.anki.start()
    assert ended.code == 3
    assert "2055492159" in ended.err


def test_cards_of_another_tool_are_adopted_with_their_history(workspace):
    basic = workspace.collection.models.by_name("Basic")
    note = workspace.collection.new_note(basic)
    note["Front"], note["Back"] = "What does RIP count?", "Hops, at most fifteen of them."
    workspace.collection.add_note(note, workspace.collection.decks.id("Old"))
    before = reviewed(workspace)
    workspace.write("rip.md", RIP + f"<!--ID: {note.id}-->\n")
    assert workspace.sync()["counts"]["create"] == 0, "another tool's card is not made twice"
    assert workspace.cards("adopt", workspace.vault).code == 0
    assert workspace.sync()["counts"]["create"] == 0
    workspace.write("rip.md", RIP.replace("fifteen", "15") + f"<!--ID: {note.id}-->\n")
    assert workspace.sync()["counts"]["update"] == 1
    assert "15" in workspace.note()["Back"]
    assert history(workspace) == before
    assert workspace.note().cards()[0].did == workspace.collection.decks.id("Old")


def test_plan_json_tells_everything_about_a_decision(workspace):
    workspace.write("net/ospf.md", "# Routing\n\n" + OSPF)
    decision = json.loads(workspace.cards("plan", workspace.vault, "--json").out)["decisions"][0]
    assert (decision["action"], decision["note"], decision["line"]) == ("create", "net/ospf.md", 3)
    assert decision["card"]["fields"]["Front"] == "What does an OSPF router flood?"
    assert decision["card"]["deck_name"] == "net"


@pytest.mark.parametrize("style", ["comment", "block_id"])
def test_our_id_can_be_written_into_the_note_and_survives_everything(workspace, home, style):
    path = workspace.write("ospf.md", OSPF)
    mark = ("--set", f"cards.markers={style}", "--set", f"cards.anki_address={workspace.anki.address}")
    assert studium(*mark, "cards", "sync", workspace.vault).code == 0
    marked = path.read_text()
    assert workspace.note()["Studium"] in marked
    assert marked.replace("\n", "").startswith(OSPF.replace("\n", "")), "nothing else of the note changed"
    assert studium(*mark, "cards", "sync", workspace.vault, "--json").json["unchanged_notes"] == 1
    for file in home.glob("database*"):
        file.unlink()
    path.rename(workspace.vault / "elsewhere.md")
    (workspace.vault / "elsewhere.md").write_text(marked.replace("an OSPF router", "every router of an OSPF area"))
    assert studium(*mark, "cards", "sync", workspace.vault, "--json").json["counts"]["create"] == 0
    assert len(workspace.notes()) == 1


def test_a_note_that_cannot_be_read_for_now_does_not_lose_its_cards(workspace):
    path = workspace.write("ospf.md", OSPF)
    workspace.sync()
    path.write_bytes(b"\xff\xfe\x00 not text any more")
    workspace.sync()
    assert workspace.note().tags == []
    path.write_text(OSPF)
    workspace.sync()
    assert len(workspace.notes()) == 1


def test_a_remark_on_one_card_leaves_the_others_of_its_note_alone(workspace):
    leaky = "Q: Is a tuple immutable, ordered and hashable?\nA: Immutable, ordered and hashable.\n\n"
    workspace.write("two.md", leaky + OSPF)
    workspace.sync()
    waiting = studium("review", "--json").json[0]
    assert studium("review", "respond", waiting["id"], "--text", "Ask for the three properties.").code == 0
    decisions = workspace.sync()["decisions"]
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
def test_a_question_in_other_words_is_updated_and_another_question_is_asked_about(workspace, text, embedder, counts):
    workspace.write("a.md", "Q: How do routers learn routes?\nA: From its neighbours, or by hand.\n")
    workspace.sync()
    workspace.write("a.md", text)
    setting = ("--set", f"embedder={embedder}", "--set", f"cards.anki_address={workspace.anki.address}")
    result = studium(*setting, "cards", "sync", workspace.vault, "--json").json
    assert result["counts"][counts[0]] == counts[1], result["counts"]


def test_an_id_that_was_pasted_twice_is_reported(workspace):
    workspace.write("ospf.md", OSPF)
    workspace.sync()
    marker = f"<!--studium:{workspace.note()['Studium']}-->\n"
    workspace.write("ospf.md", OSPF + marker)
    workspace.write("copy.md", RIP + marker)
    said = {d["note"]: [f["code"] for f in d["findings"]] for d in workspace.sync()["decisions"] if d["findings"]}
    assert said["copy.md"] == ["card.copied_marker"]
    assert len(workspace.notes()) == 2
