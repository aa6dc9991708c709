"""A server that is killed while it works: the next one goes on with the job, and nothing is done twice."""

import os
import signal
import subprocess
import sys

import httpx
from tests.real.process import free_port

DOCUMENTS = 15


def test_a_job_survives_a_server_that_is_killed(tmp_path):
    home, port = tmp_path / "killed", free_port()
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for number in range(DOCUMENTS):
        facts = "".join(f"Lamp {n} of tower {number} burns for {n + 2} hours.\n\n" for n in range(8))
        (corpus / f"tower-{number:03}.md").write_text(f"# Tower {number}\n\n{facts}")
    command = [sys.executable, "-m", "studium", "serve", "--port", str(port), "--root", str(corpus)]
    environment = {**os.environ, "STUDIUM_HOME": str(home), "STUDIUM_EMBEDDER": "none"}
    url = f"http://127.0.0.1:{port}/api/v1"
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        server.stdout.readline()
        job = httpx.post(f"{url}/questions/generate", json={"document": str(corpus), "count": 1}).json()["id"]
        while httpx.get(f"{url}/jobs/{job}").json()["done"] < 3:
            assert server.poll() is None
        server.send_signal(signal.SIGKILL)
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        server.stdout.readline()
        with httpx.stream("GET", f"{url}/jobs/{job}/events", timeout=120) as events:
            for _ in events.iter_lines():
                pass
        ended = httpx.get(f"{url}/jobs/{job}").json()
        runs = httpx.get(f"{url}/runs").json()
        server.terminate()
    assert (ended["status"], runs["total"]) == ("done", 1)
    assert len(ended["result"]["documents"]) == DOCUMENTS
