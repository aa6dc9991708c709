"""Reading over HTTP: lists in pages, tags for what has not changed, reviews and the answers to them."""

import httpx
import pytest


def test_lists_come_in_pages_that_lead_to_each_other(client):
    first = client.get("/runs", params={"limit": 1})
    assert (first.json()["total"], len(first.json()["items"])) == (2, 1)
    assert first.headers["link"] == '</api/v1/runs?limit=1&offset=1>; rel="next"'
    second = client.get("/runs?limit=1&offset=1")
    assert second.headers["link"] == '</api/v1/runs?limit=1&offset=0>; rel="prev"'
    assert {run["feature"] for page in (first, second) for run in page.json()["items"]} == {"cards", "questions"}
    assert client.get("/runs", params={"feature": "cards"}).json()["total"] == 1


@pytest.mark.parametrize("path", ["/runs", "/reviews", "/jobs", "/metrics", "/kinds", "/cache"])
def test_what_has_not_changed_is_not_sent_again(client, path):
    first = client.get(path)
    again = client.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_a_changed_list_has_another_tag(client):
    before = client.get("/reviews?status=open").headers["etag"]
    review = client.get("/reviews?status=open").json()["items"][0]
    client.post(f"/reviews/{review['id']}/answer", json={"status": "approved"})
    assert client.get("/reviews?status=open", headers={"If-None-Match": before}).status_code == 200


def test_what_a_run_decided_can_be_read_in_parts(client):
    run = client.get("/runs", params={"feature": "cards"}).json()["items"][0]["id"]
    everything = client.get(f"/runs/{run}/decisions", params={"limit": 500}).json()
    created = client.get(f"/runs/{run}/decisions", params={"action": "create", "limit": 2}).json()
    assert created["total"] == sum(each["action"] == "create" for each in everything["items"])
    assert [each["action"] for each in created["items"]] == ["create", "create"]
    metrics = client.get(f"/runs/{run}/metrics").json()
    assert metrics["actions"]["create"] == created["total"]


def test_the_first_answer_wins_and_the_second_is_refused(client):
    review = client.get("/reviews?status=open").json()["items"][0]
    taken = client.post(f"/reviews/{review['id']}/answer", json={"status": "rejected", "comment": "Too vague."})
    assert taken.json()["status"] == "rejected"
    second = client.post(f"/reviews/{review['id']}/answer", json={"status": "approved"})
    assert second.status_code == 409
    assert "already rejected" in second.json()["detail"]
    assert "Too vague." in second.json()["detail"]
    assert client.post(f"/reviews/{review['id']}/reopen").json()["status"] == "open"
    assert client.post(f"/reviews/{review['id']}/answer", json={"status": "approved"}).status_code == 200


def test_many_reviews_are_answered_at_once_and_those_that_cannot_be_are_named(client):
    review = client.get("/reviews?status=open").json()["items"][0]
    reply = client.post("/reviews/answers", json={"ids": [review["id"], "nobody"], "status": "approved"}).json()
    assert reply["answered"] == [review["id"]]
    assert [(each["id"], "There is no review" in each["detail"]) for each in reply["refused"]] == [("nobody", True)]


def test_an_edit_must_fit_its_schema(client):
    review = client.get("/reviews?status=open").json()["items"][0]
    reply = client.post(f"/reviews/{review['id']}/answer", json={"status": "edited", "answer": {"fields": 5}})
    assert reply.status_code == 422
    assert "does not match the proposal's schema" in reply.json()["detail"]
    assert client.get(f"/reviews/{review['id']}").json()["status"] == "open"


def test_problems_say_what_happened_and_what_to_do(client):
    reply = client.get("/runs/nothing")
    assert reply.status_code == 404
    assert reply.headers["content-type"] == "application/problem+json"
    assert set(reply.json()) == {"type", "title", "status", "detail", "remedy", "error"}
    unknown = client.get("/nowhere")
    assert (unknown.status_code, unknown.json()["title"]) == (404, "Not Found")
    wrong = client.delete("/runs")
    assert (wrong.status_code, wrong.headers["allow"]) == (405, "GET")


def test_the_description_has_examples_and_nothing_comes_from_elsewhere(address):
    description = httpx.get(f"{address}/openapi.json").json()
    sync = description["components"]["schemas"]["SyncRequest"]
    assert sync["examples"] == [{"vault": "samples/vault", "to": "package"}]
    for path in ("/docs", "/redoc"):
        page = httpx.get(f"{address}{path}").text
        assert "cdn" not in page
        assert "https://" not in page.replace("https://fastapi.tiangolo.com/img/favicon.png", "")
