"""`studium cards sync` as a user runs it: notes on disk, a package at the end."""

import json
import re
import sqlite3
import zipfile
from pathlib import Path

import pytest
import yaml
from tests.run_cli import studium

from studium.testing import Fault, Reply, WireRequest, WireServer

NOTES = {
    "ospf.md": "# Question\n> What does OSPF flood?\n\n## Answer\nLink-state *advertisements*.\n",
    "python/yield.md": "Q: What does `yield` make of a function?\nA: A generator.\n",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    for name, text in NOTES.items():
        path = tmp_path / "vault" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "vault"


def cards_in(package: Path, folder: Path) -> dict[str, str]:
    """Front and back of every note in an Anki package."""
    with zipfile.ZipFile(package) as archive:
        archive.extract("collection.anki2", folder)
    with sqlite3.connect(folder / "collection.anki2") as collection:
        rows = collection.execute("select flds from notes").fetchall()
    collection.close()
    return {fields.split("\x1f")[0]: fields.split("\x1f")[1] for (fields,) in rows}


def test_notes_become_cards_in_a_package(vault, tmp_path):
    ended = studium("cards", "sync", vault, "--to", tmp_path / "cards.apkg")
    assert ended.code == 0, ended.err
    assert "2 new cards" in ended.out
    assert cards_in(tmp_path / "cards.apkg", tmp_path) == {
        "What does OSPF flood?": "Link-state <em>advertisements</em>.",
        "What does <code>yield</code> make of a function?": "A generator.",
    }


def test_a_dry_run_decides_and_writes_nothing(vault, tmp_path):
    ended = studium("cards", "sync", vault, "--to", tmp_path / "cards.apkg", "--dry-run", "--json")
    assert ended.json["counts"] == {"create": 2, "update": 0, "skip": 0, "manual_review": 0}
    assert not (tmp_path / "cards.apkg").exists()


def test_every_file_that_cannot_be_used_is_named_with_the_reason(vault, tmp_path):
    (vault / "empty.md").write_text("")
    (vault / "photo.md").write_bytes(b"\x00\x01\x02")
    (vault / "latin.md").write_bytes("Q: Café?\nA: Oui".encode("latin-1"))
    (vault / "broken.md").write_text("---\ntags: [a\n---\nQ: Which?\nA: This.\n")
    (vault / "loop.md").symlink_to(vault / "loop.md")
    ended = studium("cards", "sync", vault, "--to", tmp_path / "cards.apkg", "--json")
    assert ended.code == 0, ended.err
    refused = {Path(d["item"]).name: d["findings"][0] for d in ended.json["decisions"] if d["action"] == "skip"}
    assert {name: finding["code"] for name, finding in refused.items()} == {
        "empty.md": "file.empty",
        "photo.md": "file.binary",
        "latin.md": "file.encoding",
        "broken.md": "frontmatter.broken",
        "loop.md": "file.link_loop",
    }
    assert refused["broken.md"]["where"]["line"] == 3
    assert ended.json["counts"]["create"] == 2


def test_a_doubtful_card_waits_and_is_written_once_it_is_approved(vault, tmp_path):
    (vault / "leaky.md").write_text("Q: Is a tuple immutable and ordered?\nA: Immutable, ordered.\n")
    sync = ("cards", "sync", vault, "--to", tmp_path / "cards.apkg")
    first = studium(*sync)
    assert (first.code, "1 cards need your decision" in first.out) == (0, True)
    assert studium(*sync, "--fail-on-review").code == 1
    assert len(cards_in(tmp_path / "cards.apkg", tmp_path)) == 2
    waiting = studium("review", "--json").json
    assert [review["decision"]["item"].partition("#")[0] for review in waiting] == ["leaky.md"]
    edited = waiting[0]["decision"]["proposal"]
    edited["fields"]["Front"] = "Which three things is a tuple?"
    assert studium("review", "edit", waiting[0]["id"], "--text", json.dumps(edited)).code == 0
    assert studium(*sync).code == 0
    assert cards_in(tmp_path / "cards.apkg", tmp_path)["Which three things is a tuple?"]
    assert studium("review", "--json").json == []


def test_a_missing_path_is_bad_input(tmp_path):
    ended = studium("cards", "sync", tmp_path / "nowhere", "--to", tmp_path / "cards.apkg")
    assert ended.code == 2
    assert "nowhere is not a folder" in ended.err


def test_a_target_that_cannot_be_written_is_reported_and_nothing_is_left(vault, tmp_path):
    (tmp_path / "file").write_text("not a folder")
    ended = studium("cards", "sync", vault, "--to", tmp_path / "file" / "cards.apkg")
    assert ended.code == 1
    assert "cards.apkg cannot be written" in ended.err


def shown(request: WireRequest, name: str) -> list[dict]:
    """What a prompt shows under a name, fenced as data."""
    return json.loads(re.search(rf"<{name} \w+>\n(.*?)\n</{name} ", request.messages[-1].text, re.DOTALL)[1])


def mapper(request: WireRequest) -> Reply:
    """A model that copies the questions and the answers it is shown, and likes every card."""
    if request.model == "judge":
        fine = {"qa_score": 0.9, "issues": [], "auto_fixed": []}
        ids = [made["spec"]["card_id"] for made in shown(request, "cards")]
        return Reply(json.dumps({"cards": [{"card_id": card_id, "report": fine} for card_id in ids]}))
    cards = [
        {
            "card_id": wanted["card_id"],
            "fields": {"Front": source["front"], "Back": source["back"]},
            "quotes": [source["back"]],
        }
        for wanted in shown(request, "specs")
        for source in wanted["sources"]
    ]
    return Reply(json.dumps({"cards": cards}), input_tokens=100, output_tokens=20)


def configured(folder: Path, address: str, **more: object) -> Path:
    models = {name: {"base_url": f"{address}/v1"} for name in ("openai:writer", "openai:judge")}
    models["openai:writer"]["price"] = {"input": 1.0, "output": 10.0}
    roles = {"cards": {"mapper": "openai:writer", "qa": "openai:judge"}}
    path = folder / "studium.yaml"
    path.write_text(yaml.safe_dump({"roles": roles, "models": models, **more}))
    return path


def test_a_chat_model_makes_the_cards_and_a_second_run_costs_nothing(vault, tmp_path):
    with WireServer(mapper) as server:
        sync = ("--config", configured(tmp_path, server.address), "cards", "sync", vault, "--to", tmp_path / "c.apkg")
        first = studium(*sync, "--json")
        assert first.code == 0, first.err
        assert first.json["counts"]["create"] == 2
        assert len(server.requests) == 4
        assert studium(*sync).code == 0
        assert len(server.requests) == 4, "every answer came from the cache"
    shown = studium("runs", "show", first.json["run"], "--json").json
    skills = {row["skill"]: row for row in shown["metrics"]["skills"]}
    spent = skills["cards.map"]["spent"]
    assert (spent["calls"], spent["input_tokens"]) == (2, 200)
    assert spent["cost"] == pytest.approx((2 * 100 * 1.0 + 2 * 20 * 10.0) / 1e6)


def test_a_model_that_invents_is_never_believed(vault, tmp_path):
    def liar(request: WireRequest) -> Reply:
        lie = {"Front": "What is it?", "Back": "A lie."}
        ids = [wanted["card_id"] for wanted in shown(request, "specs")]
        cards = [{"card_id": each, "fields": lie, "quotes": ["The note never said this."]} for each in ids]
        return Reply(json.dumps({"cards": cards}))

    with WireServer(liar) as server:
        config = configured(tmp_path, server.address)
        ended = studium("--config", config, "cards", "sync", vault, "--to", tmp_path / "c.apkg", "--json")
    assert ended.json["counts"] == {"create": 0, "update": 0, "skip": 0, "manual_review": 2}
    assert {f["code"] for d in ended.json["decisions"] for f in d["findings"]} == {"evidence.missing"}


@pytest.mark.parametrize("fault", [Fault.truncated(), Fault.wrong_schema(), Fault.empty()], ids=lambda f: f.kind)
def test_a_model_that_never_gives_a_valid_answer_ends_in_the_inbox(vault, tmp_path, fault):
    with WireServer(lambda _request: fault) as server:
        config = configured(tmp_path, server.address)
        ended = studium("--config", config, "cards", "sync", vault, "--to", tmp_path / "c.apkg", "--json")
    assert ended.code == 0, ended.err
    assert ended.json["counts"]["manual_review"] == 2
    assert {d["findings"][0]["code"] for d in ended.json["decisions"]} == {"mind.invalid_output"}


def test_a_server_that_is_not_there_ends_the_run_with_code_3(vault, tmp_path):
    config = configured(tmp_path, "http://127.0.0.1:9")
    ended = studium(
        "--config", config, "--set", "models.openai:writer.retries=0", "cards", "sync", vault, "--to", "x.apkg"
    )
    assert ended.code == 3
    assert "127.0.0.1:9" in ended.err
