"""What can go wrong on either side of a sync, and what is left afterwards."""

import fcntl
import os
from pathlib import Path

import pytest

NOTE = "Q: What is fact {0}?\nA: It is the value {0}00.\n"


MORE_THAN_ONE_BATCH = 110


def fill(workspace, count=MORE_THAN_ONE_BATCH):
    for number in range(count):
        workspace.write(f"{number:03}.md", NOTE.format(number))


@pytest.mark.parametrize("how", ["reset_before", "reset_after", "status_500", "garbage"])
def test_a_broken_reply_never_makes_a_card_twice(workspace, how):
    fill(workspace)
    workspace.anki.break_on("addNotes", how)
    workspace.cards("sync", workspace.vault)
    workspace.sync()
    fronts = [note["Front"] for note in workspace.notes()]
    assert len(fronts) == len(set(fronts)) == MORE_THAN_ONE_BATCH


def test_anki_that_closes_in_the_middle_loses_nothing(workspace):
    fill(workspace)
    workspace.anki.break_on("addNotes", "close_after")
    ended = workspace.cards("sync", workspace.vault)
    assert ended.code == 3, ended.out + ended.err
    workspace.anki.stop()
    workspace.anki.start()
    workspace.sync()
    fronts = [note["Front"] for note in workspace.notes()]
    assert len(fronts) == len(set(fronts)) == MORE_THAN_ONE_BATCH


def test_a_note_open_in_the_browser_is_reported_and_tried_again(workspace):
    workspace.write("a.md", NOTE.format(1))
    workspace.sync()
    workspace.anki.traps.open_in_browser = {workspace.note().id}
    workspace.write("a.md", NOTE.format(1).replace("100", "111"))
    ended = workspace.cards("sync", workspace.vault)
    assert ended.code == 1
    assert "not done" in ended.out
    workspace.anki.traps.open_in_browser = set()
    workspace.sync()
    assert "111" in workspace.note()["Back"]


def test_new_cards_in_the_wrong_deck_are_moved(workspace):
    workspace.anki.traps.wrong_deck = True
    workspace.write("net/a.md", NOTE.format(1))
    workspace.sync()
    assert workspace.note("deck:net")


def test_hostile_and_broken_notes_are_named_and_the_others_continue(workspace):
    workspace.write("good.md", NOTE.format(1))
    workspace.write(
        "script.md", "Q: What is <script>alert(1)</script> this?\nA: An <img src=x onerror=alert(1)> attack.\n"
    )
    workspace.write("passwd.md", "Q: What is in the picture?\nA: A secret. ![](../../../../etc/passwd)\n")
    workspace.write("missing.md", "Q: What forwards packets between networks?\nA: A router. ![[router.png]]\n")
    workspace.write("yaml.md", "---\ntags: [a\n---\n" + NOTE.format(2))
    workspace.write("cloze.md", "START\nCloze\nA {{c1::router forwards packets\nEND\n")
    workspace.write("half.md", "# Question\nWhat is missing here?\n")
    result = workspace.sync()
    said = {d["note"]: [f["code"] for f in d["findings"]] for d in result["decisions"] if d["findings"]}
    assert "media.outside" in said["passwd.md"]
    assert "media.missing" in said["missing.md"]
    assert said["yaml.md"] == ["frontmatter.broken"]
    assert any("loze" in reason for d in result["decisions"] if d["note"] == "cloze.md" for reason in d["reasons"])
    assert said["half.md"]
    everything = " ".join(" ".join(note.fields) for note in workspace.notes())
    assert "<script" not in everything
    assert "onerror" not in everything
    assert "root:" not in everything
    assert any("fact 1" in note["Front"] for note in workspace.notes())


def test_a_profile_without_our_note_types_gets_them(workspace):
    workspace.write("a.md", NOTE.format(1))
    workspace.sync()
    assert {"Studium Basic", "Studium Cloze"} <= {model["name"] for model in workspace.collection.models.all()}


def test_two_syncs_at_once_do_not_work_on_each_other(workspace, home):
    workspace.write("a.md", NOTE.format(1))
    assert workspace.sync()["counts"]["create"] == 1
    locks = list((home / "locks").iterdir())
    assert len(locks) == 1
    with locks[0].open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        ended = workspace.cards("sync", workspace.vault)
    assert ended.code == 2
    assert "Another process works on" in ended.err


def test_requests_stay_few_for_many_cards(workspace):
    fill(workspace, 100)
    workspace.sync()
    assert len(workspace.anki.requests) <= 10 + 100 / 50
    before = len(workspace.anki.requests)
    for number in range(100):
        workspace.write(f"{number:03}.md", NOTE.format(number).replace("00.", "77."))
    workspace.sync("--allow-mass-change")
    assert len(workspace.anki.requests) - before <= 10 + 100 / 50


def test_a_note_whose_name_is_not_text_is_refused_alone(workspace, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")  # the table does not break the name, however long the folder's is
    workspace.write("good.md", NOTE.format(1) + "\n![[picture.png]]\n")
    workspace.write("gone.md", NOTE.format(2))
    for name in (b"caf\xe9.md", b"d\xff/inside.md", b"d\xff/picture.png"):
        path = Path(os.fsdecode(os.fsencode(workspace.vault) + b"/" + name))
        path.parent.mkdir(exist_ok=True)
        path.write_text(NOTE.format(3))
    ended = workspace.cards("sync", workspace.vault)
    assert ended.code == 0, ended.out + ended.err
    assert "caf\\xe9.md" in ended.out
    assert len(workspace.notes()) == 2
    (workspace.vault / "gone.md").unlink()
    again = workspace.cards("sync", workspace.vault, "--json")
    assert again.code == 0, again.out + again.err
    assert "file.name" in again.out
    assert sorted(note.tags for note in workspace.notes()) == [[], ["studium::source_gone"]]
