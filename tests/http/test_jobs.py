"""Work in the background over HTTP: started, watched, cancelled, fetched; and sent twice without being done twice."""

import json
import socket
import time
import zipfile
from io import BytesIO
from uuid import uuid4

import httpx
import pytest
from tests.http.conftest import FEATURES


def finished(client, job):
    """The job, when it is over."""
    with client.stream("GET", f"/jobs/{job['id']}/events") as events:
        assert events.headers["content-type"].startswith("text/event-stream")
        for _ in events.iter_lines():
            pass
    return client.get(f"/jobs/{job['id']}").json()


def heard(client, job, **headers):
    """The events of a job as (number, kind, data)."""
    found, event = [], {}
    with client.stream("GET", f"/jobs/{job['id']}/events", headers=headers) as events:
        for line in events.iter_lines():
            if line.startswith(":"):
                continue
            if not line and event:
                found.append((int(event["id"]), event["event"], json.loads(event["data"])))
                event = {}
            elif line:
                name, _, value = line.partition(": ")
                event[name] = value
    return found


def test_cards_are_started_watched_and_fetched(client):
    reply = client.post("/cards/sync", json={"vault": "vault", "to": "package"})
    assert reply.status_code == 202
    job = reply.json()
    assert reply.headers["location"] == f"/api/v1/jobs/{job['id']}"
    events = heard(client, job)
    assert [number for number, _, _ in events] == list(range(1, len(events) + 1))
    last = events[-1]
    assert (last[1], last[2]["status"]) == ("status", "done")
    assert last[2]["result"]["counts"]["create"] > 0
    package = client.get(f"/jobs/{job['id']}/files/cards.apkg")
    assert "collection.anki2" in zipfile.ZipFile(BytesIO(package.content)).namelist()
    assert package.headers["content-disposition"].startswith("attachment")
    assert heard(client, job, **{"Last-Event-ID": str(last[0] - 1)}) == [last]


def test_questions_are_generated_from_an_upload(client):
    text = "# The lamp\n\nThe lamp of the harbour was lit in 1857 by Marta Lind. It burns nine litres of oil a night.\n"
    upload = client.post("/uploads", files={"file": ("lamp ✓.md", text.encode())})
    assert upload.status_code == 201
    assert upload.json()["name"] == "lamp ✓.md"
    job = client.post("/questions/generate", json={"document": f"upload:{upload.json()['id']}", "count": 1}).json()
    ended = finished(client, job)
    assert ended["status"] == "done", ended["problem"]
    assert client.get(f"/runs/{ended['run']}").json()["feature"] == "questions"
    assert client.delete(f"/uploads/{upload.json()['id']}").status_code == 204
    assert client.get(f"/uploads/{upload.json()['id']}").status_code == 404


def test_quotes_can_be_looked_at_before_they_are_kept(client):
    quotes = FEATURES / "concepts" / "sample_files" / "quotes"
    wanted = {"file": f"quotes/{min(quotes.glob('*.md')).name}", "dry_run": True}
    read = finished(client, client.post("/concepts/parse", json=wanted).json())
    assert read["status"] == "done", read["problem"]
    assert len(read["result"]["books"][0]["quotes"]) > 5
    assert client.get("/concepts/books").json() == []


def test_a_job_that_cannot_be_done_says_why(client):
    ended = finished(client, client.post("/cards/undo", json={"run": "nothing"}).json())
    assert ended["status"] == "failed"
    assert ended["problem"]["status"] == 404
    assert "There is no run 'nothing'" in ended["problem"]["detail"]
    assert ended["problem"]["remedy"]


def test_a_job_can_be_cancelled(client):
    job = client.post("/cards/watch", json={"vault": "vault", "to": "package"}).json()
    while client.get(f"/jobs/{job['id']}").json()["status"] == "waiting":
        time.sleep(0.05)
    assert client.post(f"/jobs/{job['id']}/cancel").status_code == 200
    assert finished(client, job)["status"] == "cancelled"
    again = client.post(f"/jobs/{job['id']}/cancel")
    assert again.status_code == 409
    assert "cancelled already" in again.json()["detail"]


def test_a_write_that_is_sent_twice_is_done_once(client):
    key = {"Idempotency-Key": str(uuid4())}
    body = {"vault": "vault", "to": "package"}
    first, second = (client.post("/cards/plan", json=body, headers=key) for _ in range(2))
    assert first.json()["id"] == second.json()["id"]
    assert second.headers["idempotent-replayed"] == "true"
    assert (second.status_code, second.headers["location"]) == (202, first.headers["location"])
    assert client.get("/jobs", params={"kind": "cards.plan"}).json()["total"] == 1
    other = client.post("/cards/plan", json=body | {"note": "x.md"}, headers=key)
    assert other.status_code == 422
    assert "another request" in other.json()["detail"]


def test_a_job_for_what_is_not_allowed_is_refused_at_once(client):
    reply = client.post("/cards/sync", json={"vault": "/etc"})
    assert reply.status_code == 422
    assert reply.headers["content-type"] == "application/problem+json"
    assert "serve.roots" in reply.json()["remedy"]


def test_only_files_that_a_job_made_can_be_fetched(client):
    job = client.post("/cards/plan", json={"vault": "vault"}).json()
    finished(client, job)
    assert client.get(f"/jobs/{job['id']}/files/plan.json").status_code == 200
    for name in (
        "../../database.sqlite",
        "%2e%2e%2fledger.sqlite",
        "..%2f..%2fledger.sqlite",
        "cards.apkg%00",
        "/etc/passwd",
    ):
        reply = client.get(f"/jobs/{job['id']}/files/{name}")
        assert reply.status_code in (404, 405, 422), name
        assert b"SQLite" not in reply.content, name


TRAVERSAL = (
    "../../../etc",
    "/etc/passwd",
    "..\\..\\etc",
    "~root",
    "file:///etc/passwd",
    "upload:../../x",
    "vault/../..",
)
NAMES_A_FILE = (
    ("/cards/plan", "vault"),
    ("/cards/sync", "to"),
    ("/cards/recheck", "vault"),
    ("/questions/generate", "document"),
    ("/questions/generate", "corpus"),
    ("/vocabulary/song", "file"),
    ("/vocabulary/song", "known"),
    ("/concepts/parse", "file"),
    ("/concepts/publish", "folder"),
    ("/concepts/import", "file"),
    ("/tutor/check", "replay"),
    ("/tutor/documents", "folder"),
    ("/tutor/patterns", "transcript"),
    ("/tutor/ask", "history"),
)
OTHERWISE_FINE = {
    "/cards/plan": {"vault": "vault"},
    "/cards/sync": {"vault": "vault"},
    "/cards/recheck": {"vault": "vault"},
    "/questions/generate": {"document": "questions"},
    "/vocabulary/song": {"song": "x", "lyrics": "夜"},
    "/tutor/check": {"lab": "02-static-routing"},
    "/tutor/ask": {"lab": "02-static-routing", "question": "Why?"},
}


@pytest.mark.parametrize("given", TRAVERSAL)
def test_no_parameter_that_names_a_file_leads_outside(idle, given):
    for path, field in NAMES_A_FILE:
        reply = httpx.post(f"{idle}/api/v1{path}", json=OTHERWISE_FINE.get(path, {}) | {field: given})
        assert reply.status_code in (404, 422), (path, field, reply.text)
        assert "passwd" not in reply.json()["remedy"]
    for path in ("/cards/status", "/cards/curriculum"):
        assert httpx.get(f"{idle}/api/v1{path}", params={"vault": given}).status_code in (404, 422)


def test_a_write_whose_connection_broke_can_be_sent_again_with_its_key(client, address):
    key, body = str(uuid4()), json.dumps({"vault": "vault", "to": "package"}).encode()
    host, port = address.removeprefix("http://").split(":")
    head = (
        f"POST /api/v1/cards/plan HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\n"
        f"Idempotency-Key: {key}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection((host, int(port))) as raw:
        raw.sendall(head.encode() + body[:10])
    for _ in range(50):
        kind = {"Content-Type": "application/json"}
        reply = client.post("/cards/plan", content=body, headers={"Idempotency-Key": key} | kind)
        if reply.status_code != 409:
            break
        time.sleep(0.05)
    assert reply.status_code == 202
    assert client.get("/jobs", params={"kind": "cards.plan"}).json()["total"] == 1
