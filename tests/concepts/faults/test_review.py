"""A review across processes, rounds, restarts and the inbox: each round is answered once, and nothing is lost."""

import re
from shutil import copytree

import pytest
from tests.concepts.faults.workspace import Workspace
from tests.run_cli import studium

from studium.core.files import file_lock

KEPT = "“Walden”: {} new concepts saved"


@pytest.fixture(scope="module")
def home_of_a_proposal(tmp_path_factory):
    """A home in which the first round of review waits."""
    workspace = Workspace.in_folder(tmp_path_factory.mktemp("proposal"))
    assert workspace.concepts("parse", workspace.file).code == 0
    assert workspace.concepts("extract", "Walden").code == 0
    return workspace.home


@pytest.fixture
def waiting(workspace, home_of_a_proposal):
    """A workspace in which the first round of review waits."""
    copytree(home_of_a_proposal, workspace.home)
    return workspace


def together(workspace, *words):
    """The same command in two processes at once: (exit code, what was said) of each, the one that went well first."""
    processes = [workspace.start(*words) for _ in range(2)]
    ended = [(*process.communicate(timeout=120), process.returncode) for process in processes]
    return sorted((code, out, err) for out, err, code in ended)


def open_reviews(workspace):
    return workspace.run("review", "list", "--json").json


def only_review(workspace):
    [review] = open_reviews(workspace)
    return review["id"]


def test_two_processes_answer_one_round_and_one_is_taken(waiting):
    (code, out, _), (told, _, why) = together(waiting, "concepts", "review", "Walden", "--approve")
    assert (code, told) == (0, 2)
    assert KEPT.format(5) in out
    assert re.search("Another process works on|waiting for review|was already|has changed since", why)
    standing = waiting.snapshot()
    assert len(standing["commits"]) == 1
    assert [status for status, _ in standing["reviews"]] == ["responded"]


def test_two_processes_draw_from_one_book_and_it_is_drawn_once(workspace):
    workspace.concepts("parse", workspace.file)
    ended = together(workspace, "concepts", "extract", "Walden")
    for code, out, err in ended:
        assert "round 1: 5 concepts are waiting for you" in out if code == 0 else "Another process works on" in err
    assert {code for code, *_ in ended} in ({0}, {0, 2})
    assert len(open_reviews(workspace)) == 1


def test_whoever_works_on_a_book_keeps_others_out(waiting):
    with file_lock(waiting.home / "locks", "the concepts of “Walden”"):
        for words in (("extract", "Walden"), ("review", "Walden", "--approve")):
            refused = waiting.concepts(*words)
            assert refused.code == 2
            assert "Another process works on the concepts of “Walden” right now." in refused.err
    assert waiting.concepts("review", "Walden", "--approve").code == 0


def test_nothing_is_approved_before_it_was_shown(workspace):
    workspace.concepts("parse", workspace.file)
    refused = workspace.concepts("review", "Walden", "--approve")
    assert refused.code == 2
    assert "“Walden” has nothing waiting for review." in refused.err
    assert workspace.snapshot()["concepts"] == []


def test_a_change_that_cannot_be_made_holds_the_approval_back_and_the_next_round_can_be_answered(waiting):
    held_back = waiting.concepts("review", "Walden", "--reject", "c99", "--approve")
    assert "round 2: 5 concepts are waiting for you" in held_back.out
    assert "there is no concept c99" in held_back.out
    assert KEPT.format(5) in waiting.concepts("review", "Walden", "--approve").out


@pytest.mark.part("postgres")
def test_a_review_survives_a_restart_of_everything_with_its_database_in_postgresql(workspace, new_postgres_database):
    workspace.configure(database=new_postgres_database())
    for words, said in (
        (("parse", workspace.file), "Henry David Thoreau"),
        (("extract", "Walden"), "round 1: 5 concepts are waiting for you"),
        (("review", "Walden", "--feedback", "Drop c2."), "round 2: 4 concepts are waiting for you"),
        (("review", "Walden"), "round 2: 4 concepts are waiting for you"),
    ):
        assert said in workspace.concepts(*words).out
    process = workspace.start("concepts", "review", "Walden", "--approve")
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert KEPT.format(4) in out
    assert len(workspace.notes()) == 4


@pytest.mark.endurance
def test_after_twenty_rounds_the_work_is_kept_and_the_next_command_continues_it(waiting):
    waiting.concepts("review", "Walden", "--reject", "c2")
    for _ in range(18):
        assert waiting.concepts("review", "Walden", "--feedback", "Hm.").code == 0
    last = waiting.concepts("review", "Walden", "--feedback", "Hm.")
    assert "After 20 rounds the review stops. The work is saved" in last.out
    again = waiting.concepts("extract", "Walden")
    assert "round 1: 4 concepts are waiting for you" in again.out, "c2 stays rejected"
    assert len(open_reviews(waiting)) == 1
    assert "round 1: 4 concepts are waiting for you" in waiting.concepts("review", "Walden").out
    assert KEPT.format(4) in waiting.concepts("review", "Walden", "--approve").out
    assert open_reviews(waiting) == []


def test_an_approval_in_the_inbox_is_heeded_by_the_next_command(waiting):
    listed = waiting.run("review", "list").out
    assert "5 concepts of “Walden” wait for you" in " ".join(listed.split())
    assert waiting.run("review", "approve", only_review(waiting)).code == 0
    assert waiting.snapshot()["concepts"] == []
    assert KEPT.format(5) in waiting.concepts("extract", "Walden").out


def test_a_remark_in_the_inbox_is_put_into_practice_and_what_came_of_it_is_shown_first(waiting):
    assert waiting.run("review", "respond", only_review(waiting), "--text", "Drop c2.").code == 0
    unseen = waiting.concepts("review", "Walden", "--approve")
    assert unseen.code == 2
    assert "has changed since you saw it" in unseen.err
    assert "round 2: 4 concepts are waiting for you" in waiting.concepts("review", "Walden").out
    assert KEPT.format(4) in waiting.concepts("review", "Walden", "--approve").out


def test_a_rejection_in_the_inbox_keeps_nothing(waiting):
    assert waiting.run("review", "reject", only_review(waiting)).code == 0
    assert waiting.concepts("review", "Walden").code == 0
    standing = waiting.snapshot()
    assert standing["concepts"] == []
    assert standing["notes"] == {}
    assert [status for status, _ in standing["reviews"]] == ["rejected"]


def test_an_edit_in_the_inbox_is_kept_as_edited(waiting, tmp_path, monkeypatch):
    editor = tmp_path / "editor.sh"
    editor.write_text("#!/bin/sh\nsed -i 's/title: Debt/title: What a debt costs/' \"$1\"\n")
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    assert waiting.run("review", "edit", only_review(waiting)).code == 0
    assert KEPT.format(5) in waiting.concepts("review", "Walden").out
    assert "What a debt costs.md" in waiting.notes()


def test_what_was_kept_is_undone_once_and_edited_notes_stay(waiting):
    before = waiting.snapshot()
    run = waiting.concepts("review", "Walden", "--approve", "--json").json["run"]
    edited = waiting.vault / "Simplicity.md"
    edited.write_text(edited.read_text() + "\nMy own thought.\n")
    undone = waiting.concepts("undo", run)
    assert undone.code == 0
    assert "You edited this note, so it stays; it is yours now." in undone.out
    after = waiting.snapshot()
    assert list(after["notes"]) == ["Simplicity.md"]
    for kept in ("books", "quotes", "concepts", "relations", "supports", "counts"):
        assert after[kept] == before[kept]
    twice = waiting.concepts("undo", run)
    assert twice.code == 2
    assert "was already undone" in twice.err


def test_what_was_undone_is_reviewed_again(waiting):
    run = waiting.concepts("review", "Walden", "--approve", "--json").json["run"]
    waiting.concepts("undo", run)
    assert "round 1: 5 concepts are waiting for you" in waiting.concepts("extract", "Walden").out
    assert len(open_reviews(waiting)) == 1
    assert "round 1: 5 concepts are waiting for you" in waiting.concepts("review", "Walden").out, "not approved unasked"
    anew = waiting.concepts("review", "Walden", "--approve", "--json").json["run"]
    assert anew != run
    assert len(waiting.notes()) == 5
    assert waiting.concepts("undo", anew).code == 0
    assert waiting.notes() == {}


def test_what_no_run_kept_is_not_undone(waiting):
    refused = waiting.concepts("undo", "260101-000000-aaaaa")
    assert refused.code == 2
    run = studium("--home", waiting.home, "runs", "list", "--json").json[0]["id"]
    assert "saved nothing in the concept graph" in waiting.concepts("undo", run).err
