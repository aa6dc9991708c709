"""`studium questions export`: a run's questions as datasets."""

import json

import pytest
from tests.run_cli import studium


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
