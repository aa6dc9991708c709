"""Questions are kept, edited, dropped, regenerated and approved: as commands, over HTTP, and by two at once."""

import json
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from tests.http.conftest import served
from tests.questions.test_generate import configured
from tests.run_cli import studium

from studium.core.config import load_settings
from studium.core.database import Database
from studium.core.domain.errors import Conflict
from studium.http.app import create_app
from studium.questions import review
from studium.questions.edit_check import is_in_quotes
from studium.questions.question_set import load_question_set
from studium.testing import Reply, WireServer

BOATS = """\
# Boats

A barge is a flat boat that carries coal across the harbour.

A skiff is a small boat that carries pilots to their ships.

A tender is a boat that carries stores to anchored ships.

A lighter is a boat that unloads ships in shallow water.

A ferry is a boat that carries passengers between two piers.

A dredger is a ship that removes mud from the fairway.
"""


@pytest.fixture(scope="module")
def asked(tmp_path_factory) -> tuple[Path, str]:
    """A document and its home side by side, and a run there with three questions about the document."""
    folder = tmp_path_factory.mktemp("asked")
    (folder / "boats.md").write_text(BOATS)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("STUDIUM_HOME", str(folder / "home"))
        ended = studium("questions", "generate", folder / "boats.md", "--count", 3, "--json")
    assert ended.code == 0, ended.err
    return folder, ended.json["run"]


@pytest.fixture
def boats(asked) -> Path:
    path = asked[0] / "boats.md"
    path.write_text(BOATS)  # a test may have changed it
    return path


@pytest.fixture
def run(asked, boats, home) -> str:  # noqa: ARG001 - the document is as it was
    """The run, in a copy of its home."""
    shutil.copytree(asked[0] / "home", home)
    return asked[1]


def reviewed(run: str, *arguments: object) -> dict:
    ended = studium("questions", "review", run, *arguments, "--json")
    assert ended.code == 0, ended.err
    return ended.json


def questions_of(told: dict) -> list[str]:
    return [each["pair"]["question"] for each in told["questions"]]


def statuses(told: dict) -> list[str]:
    return [each["status"] for each in told["questions"]]


def exported(run: str, folder: Path) -> list[tuple[str, str]]:
    ended = studium("questions", "export", run, "--format", "jsonl", "--out", folder / "set.jsonl")
    assert ended.code == 0, ended.err
    rows = [json.loads(line) for line in (folder / "set.jsonl").read_text().splitlines()]
    return [(row["question"], row["answer"]) for row in rows]


def test_a_set_is_listed_with_its_numbers_and_progress(run):
    ended = studium("questions", "review", run)
    assert ended.code == 0, ended.err
    assert "pending" in ended.out
    assert "0 of 3 reviewed." in ended.out
    assert "1 of 3 reviewed." in studium("questions", "review", run, "--keep", 2).out


def test_decisions_survive_and_exports_follow_them(run, tmp_path):
    before = exported(run, tmp_path)
    told = reviewed(run, "--keep", 1, "--drop", 2)
    assert (statuses(told), told["reviewed"], told["dropped"]) == (["kept", "dropped", "pending"], 2, 1)
    edited = studium(
        *("questions", "review", run, "--edit", 3),
        *("--question", f"In one phrase, {before[2][0].lower()}", "--answer", before[2][1]),
    )
    assert edited.code == 0, edited.err
    assert "3 of 3 reviewed." in edited.out
    after = exported(run, tmp_path)
    assert after == [before[0], (f"In one phrase, {before[2][0].lower()}", before[2][1])]
    studium("questions", "export", run, "--format", "json", "--out", tmp_path / "set.json")
    written = json.loads((tmp_path / "set.json").read_text())
    assert [(pair["question"], pair["answer"]) for pair in written["questions"]] == after
    shown = studium("questions", "show", run, "--json").json
    assert [pair["question"] for pair in shown["documents"][0]["accepted"]] == [question for question, _ in after]


def test_a_process_of_its_own_finds_what_was_decided(run):
    command = [sys.executable, "-m", "studium", "questions", "review", run]
    subprocess.run([*command, "--drop", "1", "--keep", "2"], check=True, capture_output=True)
    told = subprocess.run([*command, "--json"], check=True, capture_output=True, text=True).stdout
    assert statuses(json.loads(told)) == ["dropped", "kept", "pending"]


def test_the_same_decision_twice_is_one(run):
    once = reviewed(run, "--keep", 1, "--drop", 2)
    assert reviewed(run, "--keep", 1, "--drop", 2) == once


def test_every_decision_can_be_undone(run):
    before = reviewed(run)
    reviewed(run, "--keep", 1)
    reviewed(run, "--drop", 1)
    assert statuses(reviewed(run, "--undo", 1))[0] == "kept"
    told = reviewed(run, "--undo", 1)
    assert (statuses(told), questions_of(told)) == (statuses(before), questions_of(before))
    ended = studium("questions", "review", run, "--undo", 1)
    assert (ended.code, "nothing to undo" in ended.err) == (2, True)


def test_approving_keeps_what_is_not_decided_about(run):
    reviewed(run, "--drop", 2)
    assert statuses(reviewed(run, "--approve")) == ["kept", "dropped", "kept"]
    assert "3 of 3 reviewed." in studium("questions", "review", run, "--approve").out


def test_an_edit_that_the_document_does_not_support_is_refused_with_the_reason(run):
    question = questions_of(reviewed(run))[0]
    for change, why in (
        (("--answer", "a submarine that carries 40 torpedoes"), "The quotes do not say"),
        (("--question", "Short?"), "The question is too short"),
        (("--answer", " "), "The answer is too short"),
        (("--question", questions_of(reviewed(run))[1]), "Question 2 asks the same"),
    ):
        ended = studium("questions", "review", run, "--edit", 1, *change)
        assert ended.code == 2, ended.out
        assert why in ended.err
    assert questions_of(reviewed(run))[0] == question
    assert studium("questions", "review", run, "--answer", "a boat").code == 2
    assert studium("questions", "review", run, "--edit", 1).code == 2


def test_an_edit_needs_the_quote_in_the_document_as_it_is_now(run, boats):
    told = reviewed(run)["questions"][0]["pair"]
    boats.write_text(BOATS.replace(told["evidence"][0]["quote"], "It was rewritten."))
    ended = studium("questions", "review", run, "--edit", 1, "--answer", told["answer"])
    assert "no longer in the document" in ended.err
    boats.unlink()
    assert "no longer exists" in studium("questions", "review", run, "--edit", 1, "--answer", "a boat").err


def test_a_shorter_answer_of_the_quote_is_accepted(run):
    told = reviewed(run)["questions"][0]["pair"]
    shorter = " ".join(told["answer"].split()[:3])
    edited = reviewed(run, "--edit", 1, "--answer", shorter)["questions"][0]
    assert (edited["status"], edited["pair"]["answer"], edited["generated"]["answer"]) == (
        "edited",
        shorter,
        told["answer"],
    )
    assert edited["pair"]["evidence"] == told["evidence"]


@pytest.mark.parametrize(
    ("answer", "quote", "supported"),
    [
        ("7 hours", "The lamp burns for 7 hours.", True),
        ("burning for seven hours", "The lamp burns for 7 hours.", False),
        ("The keeper never lights it on Sundays", "The keeper lights it on Sundays.", False),
        ("The keeper lights it on all Sundays", "The keeper does not light it on all Sundays.", False),
        ("the keepers", "The keeper lights it.", True),
        ("", "The keeper lights it.", False),
    ],
)
def test_what_a_quote_supports(answer, quote, supported):
    assert is_in_quotes(answer, [quote], "en") is supported


def test_another_question_takes_the_place_and_no_former_one_comes_back(run, tmp_path):
    first = questions_of(reviewed(run))
    reviewed(run, "--drop", 3)
    seen, ended = list(first), studium("questions", "review", run, "--regenerate", 1, "--json")
    while ended.code == 0:
        new = ended.json["questions"][0]
        assert new["status"] == "pending"
        assert new["pair"]["question"] not in seen
        seen.append(new["pair"]["question"])
        ended = studium("questions", "review", run, "--regenerate", 1, "--anywhere", "--json")
    assert len(seen) > len(first)
    assert "There is no other question" in ended.err
    assert questions_of(reviewed(run)) == [seen[-1], *first[1:]]
    assert exported(run, tmp_path)[0][0] == seen[-1]
    undone = [part for _ in seen[len(first) :] for part in ("--undo", 1)]
    assert questions_of(reviewed(run, *undone)) == first


def test_a_model_is_asked_once_more_and_told_what_was_asked(boats, tmp_path):
    quotes = {"What is a barge?": "a flat boat", "What is a skiff?": "a small boat", "What is a ferry?": "a boat"}
    lines = {question: next(line for line in BOATS.splitlines() if question[10:-1] in line) for question in quotes}

    def model(request):
        asked = request.messages[1].text
        if request.model == "checker":
            question = next(each for each in quotes if each in asked)
            verdict = {"answerable": True, "answer": quotes[question], "quotes": [lines[question]]}
            return Reply(tool_calls=(("final_answer", verdict),))
        question = next((each for each in quotes if each not in asked), None)
        if question is None:
            return Reply(tool_calls=(("report_exhausted", {"reason": "That was all."}),))
        made = {"question": question, "answer": quotes[question], "quotes": [lines[question]]}
        return Reply(tool_calls=(("submit_qa", made),))

    with WireServer(model) as server:
        config = ("--config", configured(tmp_path, server.address))
        run = studium(*config, "questions", "generate", boats, "--count", 2, "--json").json["run"]
        told = studium(*config, "questions", "review", run, "--regenerate", 1, "--json")
        assert told.code == 0, told.err
        assert questions_of(told.json) == ["What is a ferry?", "What is a skiff?"]
        (again,) = [each for each in server.requests[-2:] if each.model == "asker"]
        assert "lines 3 to 3" in again.messages[0].text, "it is asked about the same place"
        edited = studium(*config, "questions", "review", run, "--edit", 2, "--answer", "a small boat", "--json")
        assert edited.code == 0, edited.err


def test_an_unknown_number_names_the_known_ones(run):
    ended = studium("questions", "review", run, "--keep", 9)
    assert ended.code == 2
    assert "has questions 1 to 3" in ended.err


@pytest.fixture
def database(run, home) -> Database:  # noqa: ARG001 - which is there before anybody opens it
    with Database.open(load_settings(overrides=(f"home={home}",)).database_url) as opened:
        yield opened


def test_of_two_who_saw_the_same_only_the_first_decides(run, database):
    review.keep_question(database, run, 1, seen=0)
    with pytest.raises(Conflict, match="changed elsewhere in the meantime: it is kept now"):
        review.drop_question(database, run, 1, seen=0)
    assert review.keep_question(database, run, 1, seen=0).status == "kept", "the same again is no conflict"
    with pytest.raises(Conflict):
        review.undo_decision(database, run, 1, seen=0)
    undone = review.undo_decision(database, run, 1, seen=1)
    assert (undone.status, undone.decision.revision) == ("pending", 2)
    with pytest.raises(Conflict):
        review.drop_question(database, run, 1, seen=0)


def test_of_many_decisions_at_once_one_is_taken(run, database):
    def decide(number: int) -> bool:
        with Database.open(load_settings().database_url) as own:
            decision = review.keep_question if number % 2 else review.drop_question
            try:
                return decision(own, run, 2, seen=0).decision.revision == 1
            except Conflict:
                return False

    with ThreadPoolExecutor(6) as people:
        taken = list(people.map(decide, range(6)))
    assert any(taken)
    assert load_question_set(database, run).find(2).decision.revision == 1


def test_decisions_are_deleted_with_their_run(run, database):
    review.keep_question(database, run, 1)
    database.runs.delete([run])
    assert database.runs.newest(feature="questions") == []


@pytest.fixture
def client(boats, run, home):  # noqa: ARG001 - likewise
    settings = load_settings(overrides=(f"home={home}", f"serve.roots=[{boats.parent}]", "embedder=none"))
    with served(create_app(settings)) as address, httpx.Client(base_url=f"{address}/api/v1", timeout=30) as client:
        yield client


def finished(client: httpx.Client, started: httpx.Response) -> dict:
    assert started.status_code == 202, started.text
    for _ in range(300):
        job = client.get(f"/jobs/{started.json()['id']}").json()
        if job["status"] in ("done", "failed"):
            return job
        time.sleep(0.1)
    raise AssertionError(job)


def test_a_set_is_reviewed_over_http(client, run):
    path = f"/questions/runs/{run}/review"
    told = client.get(path).json()
    assert (told["total"], told["reviewed"], [each["number"] for each in told["questions"]]) == (3, 0, [1, 2, 3])
    kept = client.post(f"{path}/1", json={"decision": "keep", "revision": 0}).json()
    assert (kept["status"], kept["revision"]) == ("kept", 1)
    late = client.post(f"{path}/1", json={"decision": "drop", "revision": 0})
    assert (late.status_code, late.json()["title"]) == (409, "Already decided or changed")
    assert client.post(f"{path}/1", json={"decision": "undo", "revision": 1}).json()["status"] == "pending"
    assert client.post(f"{path}/2", json={"decision": "drop"}).json()["status"] == "dropped"
    assert client.post(f"{path}/9", json={"decision": "keep"}).status_code == 404
    assert client.post(f"{path}/0", json={"decision": "keep"}).status_code == 422
    assert client.post(f"{path}/1", json={"decision": "burn"}).status_code == 422
    approved = client.post(f"{path}/approve").json()
    assert [each["status"] for each in approved["questions"]] == ["kept", "dropped", "kept"]
    whole = client.get(f"/questions/runs/{run}").json()
    assert whole["accepted"] == 2


def test_edits_and_new_questions_are_jobs(client, run):
    before = client.get(f"/questions/runs/{run}/review").json()["questions"]
    answer = before[0]["pair"]["answer"]
    asked = {"run": run, "number": 1, "answer": " ".join(answer.split()[:3]), "revision": 0}
    done = finished(client, client.post("/questions/edit", json=asked))
    assert (done["status"], done["result"]["status"]) == ("done", "edited")
    wrong = {"run": run, "number": 1, "answer": "a submarine"}
    refused = finished(client, client.post("/questions/edit", json=wrong))
    assert refused["status"] == "failed"
    assert "The quotes do not say “a submarine”" in refused["problem"]["detail"]
    made = finished(client, client.post("/questions/regenerate", json={"run": run, "number": 2}))
    assert made["result"]["pair"]["question"] not in [each["pair"]["question"] for each in before]
    written = finished(client, client.post("/questions/export", json={"run": run, "format": "ragas"}))
    assert sorted(written["files"]) == ["questions.chunks.jsonl", "questions.jsonl"]
    late = finished(client, client.post("/questions/regenerate", json={"run": run, "number": 2, "revision": 0}))
    assert "changed elsewhere" in late["problem"]["detail"]
