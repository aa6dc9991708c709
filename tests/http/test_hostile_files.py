"""Files that would stop a server: the request is refused with the limit, and the server answers others meanwhile."""

import threading
import time

import httpx
import pytest
from tests.core.documents.test_limits import pdf_with
from tests.http.conftest import served

from studium.core.config import load_settings
from studium.core.database import Database
from studium.http.app import create_app


@pytest.fixture
def settings(tmp_path):
    wanted = (f"home={tmp_path / 'home'}", f"serve.roots=[{tmp_path}]", "embedder=none", "limits.cpu_seconds=1")
    return load_settings(overrides=wanted)


def test_a_page_that_takes_for_ever_is_refused_while_the_server_answers(settings, tmp_path):
    bomb = pdf_with(b"0 0 m " + b"1 1 l 2 9 l " * 3_000_000 + b"S", tmp_path / "bomb.pdf")
    with Database.open(settings.database_url) as database:
        run = database.runs.start("questions", {"root": str(bomb)}, "bomb.pdf")
    with served(create_app(settings)) as address, httpx.Client(base_url=f"{address}/api/v1", timeout=60) as client:
        answers = []
        asking = threading.Thread(target=lambda: answers.append(client.get(f"/questions/runs/{run.id}/pages/1")))
        asking.start()
        waits = []
        while asking.is_alive():
            asked = time.monotonic()
            assert httpx.get(f"{address}/api/v1/health", timeout=30).status_code == 200
            waits.append(time.monotonic() - asked)
            time.sleep(0.05)
        asking.join()
        assert answers[0].status_code == 422
        assert "Page 1 of bomb.pdf" in answers[0].json()["detail"]
        assert "limits." in answers[0].json()["remedy"]
        assert sorted(waits)[len(waits) // 2] < 1
