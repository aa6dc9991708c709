"""`studium concepts extract` and `review`: a proposal, what a reader makes of it, and what is kept."""

import json
import re
import stat
import sys
from pathlib import Path
from typing import get_args

import pytest
import yaml
from pydantic import TypeAdapter
from tests.concepts.cli.conftest import done
from tests.run_cli import studium

from studium.concepts.proposal import ChangeAction, ProposalChange


def review(*arguments):
    return done(studium("concepts", "review", "letters", *arguments, "--json")).json


def living(outcome):
    proposal = outcome["waiting"]["proposal"]
    return {each["key"]: each for each in proposal["concepts"] if each["standing"] != "rejected"}


def kept_titles():
    return {node["title"] for node in done(studium("concepts", "graph", "map")).json["nodes"]}


@pytest.fixture
def keys(waiting):
    """The keys of the first four concepts, which are drawn from the first four quotes."""
    assert len(waiting) == 5
    return list(waiting.values())


def test_every_quote_carries_a_concept_and_nothing_is_kept_yet(letters):
    done(studium("concepts", "parse", letters))
    told = done(studium("concepts", "extract", "letters")).out
    assert "“Letters on Time”, round 1: 5 concepts are waiting for you." in told
    assert "Patience is when we go on hoping without a date." in told
    assert "Quotes without a concept" not in told
    assert done(studium("concepts", "stats", "--json")).json["counts"]["Concept"] == 0


def test_extract_can_fail_where_nobody_is_there_to_review(letters):
    done(studium("concepts", "parse", letters))
    assert studium("concepts", "extract", "letters", "--fail-on-review").code == 1


def test_a_missing_book_is_reported_with_those_that_are_near(letters):
    done(studium("concepts", "parse", letters))
    refused = studium("concepts", "extract", "leters on time")
    assert refused.code == 2
    assert "“Letters on Time”" in refused.err


@pytest.mark.usefixtures("waiting")
def test_without_a_book_what_waits_is_listed():
    told = done(studium("concepts", "review")).out
    assert "Letters on Time" in told
    (inbox,) = done(studium("review", "--json")).json
    assert (inbox["feature"], inbox["decision"]["item"]) == ("concepts", "Letters on Time")


def test_looking_answers_nothing(keys):
    assert review()["waiting"]["round"] == 1
    assert review()["waiting"]["round"] == 1
    assert list(living(review())) == keys


def test_approval_keeps_what_was_proposed(waiting):
    told = done(studium("concepts", "review", "letters", "--approve")).out
    assert "5 new concepts saved" in told
    assert "studium concepts undo" in told
    assert kept_titles() == set(waiting)
    assert done(studium("concepts", "review")).out.strip() == "No proposal is waiting for you."


def test_a_rejected_concept_can_come_back(keys):
    second = review("--reject", keys[0], "--reject", keys[1])
    assert second["waiting"]["round"] == 2
    assert list(living(second)) == keys[2:]
    assert second["waiting"]["proposal"]["unattributed"] == ["q1", "q2"]
    third = review("--restore", keys[0])
    assert set(living(third)) == {keys[0], *keys[2:]}
    assert third["waiting"]["proposal"]["unattributed"] == ["q2"]


def test_a_merge_carries_both_quotes_and_can_be_taken_apart(keys):
    merged = living(review("--merge", f"{keys[0]},{keys[1]}"))
    assert list(merged) == [keys[0], *keys[2:]]
    assert {each["quote"] for each in merged[keys[0]]["quotes"]} == {"q1", "q2"}
    apart = living(review("--unmerge", keys[0]))
    assert {each["quote"] for each in apart[keys[0]]["quotes"]} == {"q1"}
    assert {each["quote"] for each in apart[keys[1]]["quotes"]} == {"q2"}


def test_flags_and_approval_go_together(waiting, keys):
    outcome = review("--reject", keys[3], "--approve")
    assert outcome["waiting"] is None
    assert kept_titles() == set(waiting) - {list(waiting)[3]}


def test_words_are_put_into_practice(keys):
    after = review("--feedback", f"Merge {keys[0]} and {keys[1]}. Drop {keys[2]}.")
    assert list(living(after)) == [keys[0], *keys[3:]]


def test_words_that_nobody_understands_change_nothing_and_say_so(keys):
    after = review("--feedback", "Make it sparkle.")
    assert list(living(after)) == keys
    assert "Make it sparkle." in " ".join(after["waiting"]["warnings"])


def test_approval_with_words_waits_until_they_were_heeded(keys):
    after = review("--approve", "--feedback", f"Drop {keys[2]}.")
    assert after["waiting"]["round"] == 2
    assert keys[2] not in living(after)


@pytest.mark.parametrize("write", [yaml.safe_dump, json.dumps])
def test_a_file_of_changes_is_done_item_by_item(keys, tmp_path, write):
    one, two, three, four, five = keys
    changes = [
        {"action": "edit", "concept": one, "title": "Time is money", "text": "Time is spent like a coin."},
        {
            "action": "split",
            "concept": three,
            "parts": [
                {"title": "Habits are paths", "concept": "A habit is a path.", "quotes": ["q3"]},
                {"title": "Habits are forgotten choices", "concept": "A habit was chosen once.", "quotes": ["q3"]},
            ],
        },
        {"action": "add", "title": "Waiting", "text": "Waiting is a skill.", "quotes": ["q2", "q4"]},
        {"action": "relate", "concept": one, "target": two, "type": "SUPPORTS", "reasoning": "Both are about time."},
        {"action": "reject", "concept": four},
        {"action": "approve", "concept": five},
    ]
    file = tmp_path / "changes.yaml"
    file.write_text(write({"changes": changes}), "utf-8")
    waiting = review("--changes", file)["waiting"]
    titles = {each["title"] for each in living({"waiting": waiting}).values()}
    assert {"Time is money", "Habits are paths", "Habits are forgotten choices", "Waiting"} < titles
    (link,) = [each for each in waiting["proposal"]["relations"] if each["source"] == one]
    assert (link["target"], link["type"], link["reasoning"]) == (two, "SUPPORTS", "Both are about time.")
    told = done(studium("concepts", "review", "letters")).out
    assert "SUPPORTS Patience" in told
    review("--approve")
    shown = done(studium("concepts", "show", "Time is money", "--json")).json
    assert [(each["type"], each["title"]) for each in shown["relations"]] == [("SUPPORTS", "Patience")]


@pytest.mark.parametrize("text", ["changes: 3", "changes: [{action: dance}]", "- c1", "other: []", "{"])
@pytest.mark.usefixtures("waiting")
def test_a_file_that_holds_no_changes_is_refused_and_the_round_waits_on(tmp_path, text):
    file = tmp_path / "changes.yaml"
    file.write_text(text, "utf-8")
    assert studium("concepts", "review", "letters", "--changes", file).code == 2
    assert studium("concepts", "review", "letters", "--changes", tmp_path / "none.yaml").code == 2
    assert review()["waiting"]["round"] == 1


def test_a_change_that_cannot_be_made_keeps_the_approval_back(keys):
    after = review("--reject", "c99", "--approve")
    assert list(living(after)) == keys
    assert "c99" in " ".join(after["waiting"]["warnings"])
    assert done(studium("concepts", "stats", "--json")).json["counts"]["Concept"] == 0


def editor(tmp_path, monkeypatch, program):
    """An editor that does this to the document `d`."""
    path = tmp_path / "editor.py"
    lines = [f"#!{sys.executable}", "import sys, pathlib, yaml", "p = pathlib.Path(sys.argv[1])"]
    lines += ["d = yaml.safe_load(p.read_text('utf-8'))", program, "p.write_text(yaml.safe_dump(d), 'utf-8')"]
    path.write_text("\n".join(lines), "utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("VISUAL", str(path))


def test_the_proposal_is_edited_in_the_readers_own_editor(keys, tmp_path, monkeypatch):
    editor(tmp_path, monkeypatch, "d['concepts'][0]['title'] = 'Time is a coin'; del d['concepts'][1]")
    after = living(review("--edit"))
    assert after[keys[0]]["title"] == "Time is a coin"
    assert list(after) == [keys[0], *keys[2:]]


@pytest.mark.usefixtures("waiting")
def test_an_edit_that_cannot_be_read_is_refused_and_the_round_waits_on(tmp_path, monkeypatch):
    editor(tmp_path, monkeypatch, "d['concepts'] = 'all of them'")
    assert studium("concepts", "review", "letters", "--edit").code == 2
    assert review()["waiting"]["round"] == 1


@pytest.mark.usefixtures("waiting")
def test_an_editor_that_changes_nothing_answers_nothing(monkeypatch):
    monkeypatch.setenv("VISUAL", "true")
    assert review("--edit")["waiting"]["round"] == 1


def test_the_inbox_answers_as_well(keys):
    (inbox,) = done(studium("review", "--json")).json
    done(studium("review", "approve", inbox["id"]))
    outcome = done(studium("concepts", "extract", "letters", "--json")).json
    assert outcome["waiting"] is None
    assert len(kept_titles()) == len(keys)


def test_what_is_edited_in_the_inbox_is_kept_so(waiting):
    (inbox,) = done(studium("review", "--json")).json
    document = inbox["decision"]["proposal"]
    dropped = document["concepts"].pop(0)
    document["concepts"][0]["title"] = "Hoping"
    done(studium("review", "edit", inbox["id"], "--text", json.dumps(document)))
    done(studium("concepts", "extract", "letters"))
    assert kept_titles() == set(waiting) - {dropped["title"], "Patience"} | {"Hoping"}


@pytest.mark.usefixtures("kept")
def test_a_book_that_was_worked_on_is_taken_up_again_only_when_asked():
    told = done(studium("concepts", "extract", "letters"))
    assert "waiting for you" not in told.out
    assert "--again" in told.out
    again = done(studium("concepts", "extract", "letters", "--again", "--json")).json
    assert all(each["same_as"] for each in living(again).values())


def test_the_docs_show_every_action_as_it_is_written():
    page = Path(__file__).parents[3] / "docs" / "concepts.md"
    [shown] = re.findall(r"```yaml\n(changes:.*?)```", page.read_text("utf-8"), re.DOTALL)
    changes = TypeAdapter(list[ProposalChange]).validate_python(yaml.safe_load(shown)["changes"])
    assert {change.action for change in changes} == set(get_args(ChangeAction))
