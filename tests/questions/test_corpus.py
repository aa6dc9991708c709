"""`studium questions corpus` as a user runs it: a folder of documents to one file of questions."""

import json
from pathlib import Path

import pytest
import yaml
from tests.run_cli import studium

from studium.testing import Fault, Reply, WireServer

CORPUS = {
    "name": "Lamp handbooks",
    "corpus_context": "Handbooks of oil lamps.",
    "scenarios": {
        "rag_eval": {"name": "RAG evaluation", "description": "Exact facts."},
        "exam": {"name": "Exam", "description": "Understanding."},
    },
}
OSPF = "OSPF is a link-state routing protocol that computes shortest paths.\n"
RIP = "RIP is a distance-vector protocol that counts hops.\n"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "ospf.md").write_text(OSPF)
    (folder / "rip.txt").write_text(RIP)
    (folder / "corpus.yaml").write_text(yaml.safe_dump(CORPUS))
    return folder


def test_the_file_holds_what_an_evaluation_needs_and_no_more(corpus, tmp_path):
    out = tmp_path / "set.json"
    ended = studium("questions", "corpus", corpus, "--scenario", "rag_eval", "--out", out, "--per-document", 1)
    assert ended.code == 0, ended.err
    written = json.loads(out.read_text())
    assert set(written) == {"corpus_name", "corpus_path", "scenario", "mode", "questions", "timestamp"}
    assert (written["corpus_name"], written["scenario"], written["mode"]) == ("Lamp handbooks", "rag_eval", "textual")
    assert [(pair["question"], Path(pair["source_document"]).name) for pair in written["questions"]] == [
        ("What is OSPF?", "ospf.md"),
        ("What is RIP?", "rip.txt"),
    ]
    assert written["questions"][0]["evidence"][0]["where"]["line"] == 1
    assert "2 questions about 2 documents" in ended.out


def test_statistics_are_in_the_database(corpus, tmp_path):
    arguments = ("questions", "corpus", corpus, "--scenario", "exam", "--out", tmp_path / "set.json", "--json")
    ended = studium(*arguments, "--per-document", 1)
    shown = studium("questions", "show", ended.json["run"], "--json").json
    stats = shown["documents"][0]["stats"]
    assert (stats["accepted_count"], stats["target_count"], stats["exhausted"]) == (1, 1, False)
    assert shown["documents"][0]["accepted"][0]["question"] == "What is OSPF?"
    assert "What is RIP?" in studium("questions", "show", ended.json["run"]).out


def test_a_document_that_cannot_be_read_is_a_row_and_not_the_end(corpus, tmp_path):
    (corpus / "broken.txt").write_bytes(b"\x00\x01\x02")
    out = tmp_path / "set.json"
    ended = studium("questions", "corpus", corpus, "--scenario", "exam", "--out", out, "--per-document", 1)
    assert ended.code == 0, ended.err
    assert "1 documents failed" in ended.out
    assert "binary" in ended.out
    assert len(json.loads(out.read_text())["questions"]) == 2


def test_an_unknown_scenario_lists_the_valid_ones(corpus, tmp_path):
    ended = studium("questions", "corpus", corpus, "--scenario", "quiz", "--out", tmp_path / "set.json")
    assert ended.code == 2
    assert "exam, rag_eval" in ended.err


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"corpus_context": None}, "corpus_context"),
        ({"colour": "blue"}, "`colour`: unknown field"),
        ({"scenarios": {}}, "`scenarios`: empty"),
        ({"scenarios": {"exam": {"name": "Exam"}}}, "`scenarios.exam.description`: missing"),
    ],
)
def test_a_corpus_configuration_with_a_wrong_field_says_which(corpus, tmp_path, change, said):
    (corpus / "corpus.yaml").write_text(yaml.safe_dump(CORPUS | change))
    ended = studium("questions", "corpus", corpus, "--scenario", "exam", "--out", tmp_path / "set.json")
    assert ended.code == 2
    assert said in ended.err
    assert "corpus.yaml" in ended.err


def test_a_corpus_configuration_with_invalid_yaml_is_reported_with_its_line(corpus, tmp_path):
    (corpus / "corpus.yaml").write_text("name: [a\nb: }\n")
    ended = studium("questions", "corpus", corpus, "--scenario", "exam", "--out", tmp_path / "set.json")
    assert ended.code == 2
    assert "corpus.yaml:2" in ended.err


def configured(folder: Path, address: str) -> Path:
    roles = {"generator": "openai:asker", "validator": "openai:checker"}
    price = {"input": 1.0, "output": 2.0}
    models = {name: {"base_url": f"{address}/v1", "price": price, "retries": 0} for name in roles.values()}
    path = folder / "studium.yaml"
    path.write_text(yaml.safe_dump({"roles": {"questions": roles}, "models": models}))
    return path


def test_an_estimate_makes_no_model_call(corpus, tmp_path):
    with WireServer([]) as server:
        config = configured(tmp_path, server.address)
        arguments = ("questions", "corpus", corpus, "--scenario", "exam", "--out", tmp_path / "set.json", "--dry-run")
        ended = studium("--config", config, *arguments, "--per-document", 10, "--json")
        assert ended.code == 0, ended.err
        assert server.requests == []
    assert (ended.json["documents"], ended.json["questions"]) == (2, 20)
    assert ended.json["calls"] > 20
    assert ended.json["cost"] > 0
    assert not (tmp_path / "set.json").exists()


def test_the_rules_cost_nothing(corpus, tmp_path):
    ended = studium("questions", "corpus", corpus, "--scenario", "exam", "--out", tmp_path / "set.json", "--dry-run")
    assert "No model is called" in ended.out


def test_a_run_stops_before_it_spends_more_than_allowed(corpus, tmp_path):
    """Each call reads 10,000 tokens, which cost a cent: of two cents, two calls can be made."""
    searches = Reply(tool_calls=(("read_lines", {"start_line": 1}),), input_tokens=10_000, output_tokens=0)
    with WireServer(lambda _request: searches) as server:
        config = configured(tmp_path, server.address)
        arguments = ("questions", "corpus", corpus, "--scenario", "exam", "--out", tmp_path / "set.json")
        ended = studium("--config", config, *arguments, "--max-cost", "0.025", "--concurrency", 1)
        assert len(server.requests) <= 3
    assert "in money" in ended.out + ended.err


FAULTS = (
    Fault.too_many(),
    Fault.server_error(),
    Fault.missing_model(),
    Fault.unauthorized(),
    Fault.drop(),
    Fault.cut_body(),
    Fault.truncated(),
    Fault.wrong_schema(),
    Fault.empty(),
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.kind)
def test_a_failing_provider_is_reported_by_name(corpus, tmp_path, fault):
    with WireServer(lambda _request: fault) as server:
        config = configured(tmp_path, server.address)
        arguments = ("questions", "corpus", corpus, "--scenario", "exam", "--out", tmp_path / "set.json")
        ended = studium("--config", config, *arguments, "--per-document", 1)
    assert ended.code in (0, 3), ended.err
    assert "asker" in ended.out + ended.err


def test_a_broken_link_is_a_row_too(corpus, tmp_path):
    (corpus / "loop.md").symlink_to(corpus / "loop.md")
    ended = studium("questions", "corpus", corpus, "--scenario", "exam", "--out", tmp_path / "set.json")
    assert ended.code == 0, ended.err
    assert "loop.md: The link leads back to itself." in ended.out


def test_files_without_a_reader_are_named_with_the_reason(corpus, tmp_path):
    (corpus / "slides.odp").write_bytes(b"PK")
    (corpus / "deeper").mkdir()
    (corpus / "deeper" / "table.xlsx").write_bytes(b"PK")
    arguments = ("questions", "corpus", corpus, "--scenario", "exam", "--out", tmp_path / "set.json")
    ended = studium(*arguments, "--per-document", 1)
    assert ended.code == 0, ended.err
    assert "2 questions about 2 documents" in ended.out
    assert "failed" not in ended.out
    said = " ".join(ended.out.split())
    assert "Not read: slides.odp. There is no reader for `.odp` files." in said
    assert "Not read: table.xlsx. There is no reader for `.xlsx` files." in said
    told = studium(*arguments, "--per-document", 2, "--json").json
    assert (told["failed"], len(told["documents"])) == (0, 2)
    assert [Path(file["path"]).name for file in told["unsupported"]] == ["table.xlsx", "slides.odp"]
    assert all("Convert it" in file["reason"] for file in told["unsupported"])
    assert len(studium("questions", "show", told["run"], "--json").json["unsupported"]) == 2
