"""`studium questions export`: a run's questions as datasets."""

import json

import pytest
from tests.run_cli import studium

from studium.core.app import open_database
from studium.core.config import load_settings
from studium.core.domain.decision import Action, Decision


@pytest.fixture
def run(tmp_path):
    (tmp_path / "ospf.txt").write_text("OSPF is a link-state routing protocol that computes shortest paths.\n")
    return studium("questions", "generate", tmp_path / "ospf.txt", "--json").json["run"]


def test_a_run_is_exported_for_ragas(run, tmp_path):
    ended = studium("questions", "export", run, "--format", "ragas", "--out", tmp_path / "set.jsonl")
    assert ended.code == 0, ended.err
    row = json.loads((tmp_path / "set.jsonl").read_text())
    assert row["user_input"] == "What is OSPF?"
    assert row["reference_contexts"] == ["OSPF is a link-state routing protocol that computes shortest paths."]
    chunk = json.loads((tmp_path / "set.chunks.jsonl").read_text())
    assert (chunk["id"], chunk["start"], chunk["end"]) == (row["reference_context_ids"][0], 0, 67)


def test_an_export_without_its_document_has_the_quotes_and_says_so(run, tmp_path):
    (tmp_path / "ospf.txt").unlink()
    ended = studium("questions", "export", run, "--format", "ragas", "--out", tmp_path / "set.jsonl")
    assert ended.code == 0, ended.err
    assert "their contexts are the quotes alone" in ended.out
    assert json.loads((tmp_path / "set.jsonl").read_text())["reference_contexts"][0].startswith("OSPF is")


def test_a_run_of_the_first_version_is_exported_and_reviewed(pairs, home, tmp_path):
    """Version 0.1 stored the evidence of a pair as its `content_refs`, and no words or generator in its statistics."""
    first = pairs[0].model_dump(mode="json")
    first["content_refs"] = first.pop("evidence")
    arguments = {"root": "docs", "count": 1, "mode": "textual", "corpus": None, "scenario": None}
    with open_database(load_settings(overrides=(f"home={home}",))) as database:
        run = database.runs.start("questions", arguments).id
        stored = Decision(item="docs/lamps.md#1", action=Action.CREATE, proposal=first)
        database.items.save(run, "docs/lamps.md@0", [stored])
        database.runs.finish(run, "done")
    assert studium("questions", "export", run, "--format", "jsonl", "--out", tmp_path / "set.jsonl").code == 0
    row = json.loads((tmp_path / "set.jsonl").read_text())
    assert row["content_refs"] == ["docs/lamps.md:7", "docs/lamps.md:8"]
    assert row["evidence"][0]["quote"] == "The lamp burns for 7 hours."
    assert studium("questions", "review", run, "--keep", 1, "--json").json["reviewed"] == 1


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet", "anki", "json"])
def test_a_run_is_exported_in_every_format(run, tmp_path, form):
    ended = studium("questions", "export", run, "--format", form, "--out", tmp_path / "set")
    assert ended.code == 0, ended.err
    assert (tmp_path / "set").stat().st_size > 0
    assert "1 questions written" in ended.out


def test_a_run_of_another_feature_has_no_questions(tmp_path):
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "note.md").write_text("Q: What is a router?\nA: A device that forwards packets.\n")
    studium("cards", "plan", tmp_path / "vault", "--to", tmp_path / "cards.apkg")
    run = studium("runs", "list", "--json").json[0]["id"]
    ended = studium("questions", "show", run)
    assert ended.code == 2
    assert "is a run of cards, not of questions" in ended.err
