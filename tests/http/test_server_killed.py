"""A server is killed during a job: the next one resumes the job, and nothing is done twice."""

import json

import httpx
from tests.real.studium_server import serving

DOCUMENTS = 50


def test_a_job_survives_a_server_that_is_killed(tmp_path):
    home, corpus = tmp_path / "killed", tmp_path / "corpus"
    corpus.mkdir()
    for number in range(DOCUMENTS):
        facts = "".join(f"Lamp {n} of tower {number} burns for {n + 2} hours.\n\n" for n in range(8))
        (corpus / f"tower-{number:03}.md").write_text(f"# Tower {number}\n\n{facts}")
    options, settings = ("--root", str(corpus)), {"STUDIUM_EMBEDDER": "none"}
    with (
        serving(home, *options, **settings) as server,
        httpx.Client(base_url=f"{server.url}/api/v1", timeout=120) as client,
    ):
        job = client.post("/questions/generate", json={"document": str(corpus), "count": 1}).json()["id"]
        next(each for each in data_of_events(client, job) if each.get("done", 0) >= 3)
    with (
        serving(home, *options, **settings) as server,
        httpx.Client(base_url=f"{server.url}/api/v1", timeout=120) as client,
    ):
        assert client.get(f"/jobs/{job}").json()["status"] in ("waiting", "running")
        for _ in data_of_events(client, job):
            pass
        ended, runs = client.get(f"/jobs/{job}").json(), client.get("/runs").json()
    assert (ended["status"], runs["total"]) == ("done", 1)
    assert len(ended["result"]["documents"]) == DOCUMENTS


def data_of_events(client, job):
    with client.stream("GET", f"/jobs/{job}/events") as events:
        for line in events.iter_lines():
            if line.startswith("data: "):
                yield json.loads(line.removeprefix("data: "))
