"""After every feature has worked in a home, nothing in it can be read by others."""

import time
from pathlib import Path

import httpx
from tests.real.studium_server import serving

NOTE = "# Harbour\n\n" + "".join(
    f"The crane number {n} lifts {n * 7} tonnes of grain each day. Its driver starts at {n} in the morning.\n\n"
    for n in range(3, 12)
)


def open_to_others(home: Path) -> list[str]:
    found = (home, *home.rglob("*"))
    return [
        f"{each} {each.lstat().st_mode:o}" for each in found if not each.is_symlink() and each.stat().st_mode & 0o077
    ]


def test_what_the_samples_of_every_feature_made_is_private(filled_home):
    home = filled_home.copy  # the original is outside the home of the servers that other tests start
    made = [path.name for path in home.iterdir()]
    assert {"database.sqlite", "concepts.sqlite", "demo", "locks"} <= set(made)
    marker = str(home / "whole")  # made by the fixture itself
    assert [each for each in open_to_others(home) if not each.startswith(marker)] == []


def test_what_a_server_its_uploads_and_its_jobs_make_is_private(home):
    home.mkdir()
    (home / "studium.yaml").write_text("embedder: none\n")
    with serving(home) as server, httpx.Client(base_url=f"{server.url}/api/v1", timeout=60) as client:
        sent = client.post("/uploads", files={"file": ("harbour.md", NOTE.encode())}).json()
        asked = {"document": f"upload:{sent['id']}", "count": 2}
        job = client.post("/questions/generate", json=asked).json()
        until = time.monotonic() + 120
        while (now := client.get(f"/jobs/{job['id']}").json())["status"] not in ("done", "failed"):
            assert time.monotonic() < until, now
            time.sleep(0.2)
        assert (now["status"], bool(now["files"])) == ("done", True), now
        assert open_to_others(home) == []
    assert open_to_others(home) == []
    assert (home / "studium.yaml").stat().st_mode & 0o777 == 0o600
