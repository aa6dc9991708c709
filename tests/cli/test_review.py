import json
import stat

import pytest

from studium.cli import console as editing
from studium.core.runs import review_text


@pytest.fixture
def editor(tmp_path, monkeypatch):
    """Makes `$EDITOR` a program that runs these sed commands on the file, one a call."""

    def install(*commands: str) -> None:
        script, calls = tmp_path / "editor", tmp_path / "calls"
        cases = "\n".join(f"  {number}) sed -i.old '{command}' \"$1\" ;;" for number, command in enumerate(commands, 1))
        script.write_text(f'#!/bin/sh\necho x >> {calls}\ncase $(wc -l < {calls} | tr -d " ") in\n{cases}\nesac\n')
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        monkeypatch.delenv("VISUAL", raising=False)
        monkeypatch.setenv("EDITOR", str(script))

    return install


@pytest.mark.usefixtures("database")
def test_an_empty_inbox(studium):
    assert studium("review").out == "No open reviews.\n"


def test_the_inbox_lists_what_waits(studium, review):
    line = studium("review").out.splitlines()[1]
    assert " ".join(line.split()) == f"{review.id} cards ospf.md open The back is not in the note."
    assert studium("review", "list").out == studium("review").out
    assert [each["id"] for each in json.loads(studium("review", "--json").out)] == [review.id]
    assert studium("review", "--feature", "questions").out == "No open reviews.\n"


def test_a_review_shows_proposal_evidence_and_findings(studium, review):
    assert (
        studium("review", "show", review.id[:6]).out
        == f"""\
cards: ospf.md
review {review.id}, open

Why
  The back is not in the note.
  error: “LSAs” is not in the note.

Proposal
  front: What does OSPF do?
  back: It floods LSAs.

Evidence
  ospf.md:3: “OSPF floods”
"""
    )
    assert json.loads(studium("review", "show", review.id, "--json").out)["decision"]["item"] == "ospf.md"


def test_a_review_shows_what_changed_since_the_item_was_last_proposed(studium, review, database, doubt):
    database.items.save(database.runs.start("cards", {}).id, "ospf.md", [doubt(back="It floods link states.")])
    [newer] = [each for each in database.reviews.select() if each.id != review.id]
    said = studium("review", "show", newer.id).out
    assert "Changes\n  @@ -1,2 +1,2 @@\n   front: What does OSPF do?\n  -back: It floods LSAs.\n" in said
    assert "  +back: It floods link states." in said


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("approve --comment fine", "approved"),
        ("reject --comment fine", "rejected"),
        ("respond --text fine", "responded"),
    ],
)
def test_an_answer_is_kept_and_can_be_undone(studium, review, database, answer, status):
    verb, *flags = answer.split()
    assert studium("review", verb, review.id, *flags).out == f"ospf.md: {status}.\n"
    answered = database.reviews.get(review.id)
    assert (answered.status.value, answered.comment) == (status, "fine")
    again = studium("review", verb, review.id, *flags)
    assert again.code == 2
    assert f"already {status}" in again.err
    assert studium("review").out == "No open reviews.\n"
    assert status in studium("review", "--all").out
    assert studium("review", "reopen", review.id).out == "ospf.md: open.\n"
    assert database.reviews.get(review.id).comment is None


def test_a_response_needs_a_text(studium, review):
    assert studium("review", "respond", review.id).code == 2


def test_the_editor_corrects_a_proposal(studium, review, database, editor):
    editor("s/floods LSAs/tells its neighbours/")
    assert studium("review", "edit", review.id, "--comment", "plainer").out == "ospf.md: edited.\n"
    answered = database.reviews.get(review.id)
    assert answered.answer == {"front": "What does OSPF do?", "back": "It tells its neighbours."}
    assert "+back: It tells its neighbours." in studium("review", "show", review.id).out


def test_a_mistake_in_the_editor_is_refused_and_nothing_is_taken(studium, review, database, editor):
    editor("s/^back:.*/sides: 2/")
    said = studium("review", "edit", review.id)
    assert said.code == 2
    assert "'back' is a required property" in said.err
    assert "'sides' was unexpected" in said.err
    assert database.reviews.get(review.id).status.value == "open"


def test_on_a_terminal_a_mistake_can_be_edited_again(review, database, editor, monkeypatch, capsys):
    editor("s/^back:.*/back: [/", "s/^back:.*/back: Better./")
    monkeypatch.setattr("typer.confirm", lambda *_, **__: True)
    taken = []
    assert editing.edit_yaml(review_text.to_yaml(review.decision.proposal), taken.append, may_ask=True)
    assert taken == [{"front": "What does OSPF do?", "back": "Better."}]
    assert "is not readable as YAML" in capsys.readouterr().out
    assert database.reviews.get(review.id).status.value == "open"


def test_leaving_the_editor_without_a_change_answers_nothing(studium, review, database, editor):
    editor("")
    assert "stays open" in studium("review", "edit", review.id).out
    assert database.reviews.get(review.id).status.value == "open"


def test_an_edit_without_an_editor(studium, review, database):
    said = studium("review", "edit", review.id, "--text", '{"front": "Q?", "back": "A."}')
    assert said.code == 0
    assert database.reviews.get(review.id).answer == {"front": "Q?", "back": "A."}


@pytest.mark.parametrize("command", ["no-such-editor", "false"])
def test_an_editor_that_fails_takes_nothing(studium, review, database, monkeypatch, command):
    monkeypatch.setenv("VISUAL", command)
    said = studium("review", "edit", review.id)
    assert said.code == (3 if command == "no-such-editor" else 2)
    assert command in said.err
    assert database.reviews.get(review.id).status.value == "open"


def test_a_review_that_is_not_there(studium, review):
    said = studium("review", "show", "nope")
    assert said.code == 2
    assert review.id not in said.out
