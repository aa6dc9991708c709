"""Labs and the tutor over HTTP."""

import json

import pytest
from fastapi.testclient import TestClient

from studium.core.config import load_settings
from studium.http.app import create_app

LAB = "02-static-routing"


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """The interface over a new home, where things are looked up by words."""
    settings = load_settings(overrides=(f"home={tmp_path_factory.mktemp('home')}", "embedder=none"))
    with TestClient(create_app(settings), base_url="http://127.0.0.1") as client:
        yield client


def events(response):
    """What was sent as server-sent events: (event, data)."""
    told = [dict(line.split(": ", 1) for line in block.splitlines()) for block in response.text.strip().split("\n\n")]
    return [(each["event"], json.loads(each["data"])) for each in told]


def test_every_lab_is_listed_with_its_goal_and_whether_it_is_up(client):
    labs = client.get("/api/v1/labs").json()
    assert LAB in [lab["id"] for lab in labs]
    assert all(lab["goal"] and lab["topics"] and lab["is_up"] is False for lab in labs)


def test_a_lab_is_shown_with_its_network_but_not_its_solution(client):
    lab = client.get("/api/v1/labs/02").json()
    assert [device["name"] for device in lab["devices"]] == ["r1", "r2", "pc1", "pc2"]
    assert len(lab["cables"]) == 3
    assert "192.168.2.0 255.255.255.0 10.0.12.2" not in json.dumps(lab)


@pytest.mark.parametrize("path", ["/api/v1/labs/nope", "/api/v1/labs/..%2f..%2fetc", "/api/v1/labs/nope/quiz"])
def test_a_missing_lab_is_a_problem(client, path):
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


def test_nothing_is_typed_in_a_lab_that_is_down(client):
    answer = client.post(f"/api/v1/labs/{LAB}/devices/r1/commands", json={"command": "show ip route"})
    assert answer.status_code == 409
    assert "not running" in answer.json()["detail"]


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"commands": []},
        {"command": "enable", "commands": ["enable"]},
        {"commands": [""]},
        {"commands": ["enable"] * 101},
        {"commands": ["x" * 1001]},
        {"commands": "enable"},
    ],
)
def test_what_is_no_command_is_refused_before_a_device_is_looked_for(client, given):
    answer = client.post(f"/api/v1/labs/{LAB}/devices/r1/commands", json=given)
    assert answer.status_code == 422
    assert answer.json()["remedy"]


def test_a_stopped_lab_has_no_state(client):
    state = client.get(f"/api/v1/labs/{LAB}/state").json()
    assert state == {"id": LAB, "is_up": False, "answers": {}, "ports": {}, "adjacencies": []}
    assert client.get("/api/v1/labs/nope/state").status_code == 404


def test_the_quiz_asks_without_telling_and_grades(client):
    questions = client.get(f"/api/v1/labs/{LAB}/quiz").json()
    distance = next(each["question"] for each in questions if "administrative distance" in each["question"])
    assert all("answers" not in each for each in questions)
    right = client.post(f"/api/v1/labs/{LAB}/quiz", json={"question": distance, "answer": "1"})
    assert right.json()["told"].startswith("Right.")
    wrong = client.post(f"/api/v1/labs/{LAB}/quiz", json={"question": distance, "answer": "110"})
    assert wrong.json()["told"].startswith("Wrong.")
    assert client.post(f"/api/v1/labs/{LAB}/quiz", json={"question": "?", "answer": "1"}).status_code == 404


def test_a_command_is_diagnosed(client):
    given = {"command": "shwo ip route", "output": "% Invalid input detected at '^' marker.", "prompt": "R1#"}
    found = client.post("/api/v1/tutor/diagnose", json=given).json()
    assert found["diagnosis"]["metadata"]["commands"] == ["show ip route"]
    fine = client.post("/api/v1/tutor/diagnose", json={"command": "show ip route", "prompt": "R1#"}).json()
    assert fine == {"diagnosis": None, "complaint": None}


def test_an_answer_is_streamed_and_ends_with_what_it_rests_on(client):
    told = events(client.post("/api/v1/tutor/chat", json={"lab": LAB, "question": "What is a static route?"}))
    kinds = [kind for kind, _ in told]
    assert kinds[0] == "piece"
    assert kinds[-1] == "answer"
    assert "".join(data["text"] for kind, data in told if kind == "piece") == told[-1][1]["response"]
    assert told[-1][1]["citations"]


def test_what_was_typed_elsewhere_goes_with_the_question(client):
    typed = [
        {"command": "ip rout 10.0.0.0 255.0.0.0 10.0.12.2", "output": "% Ambiguous command", "prompt": "R1(config)#"}
    ]
    asked = {"lab": LAB, "question": "Why does this not work?", "history": typed}
    answer = events(client.post("/api/v1/tutor/chat", json=asked))[-1][1]
    assert answer["intent"] == "troubleshooting"
    assert "rout" in answer["response"]


@pytest.mark.parametrize(("lab", "question", "status"), [("nope", "Why?", 404), (LAB, "   ", 422), (LAB, "", 422)])
def test_a_question_that_cannot_be_asked_is_refused_before_the_answer_starts(client, lab, question, status):
    answer = client.post("/api/v1/tutor/chat", json={"lab": lab, "question": question})
    assert answer.status_code == status
    assert answer.json()["remedy"]
