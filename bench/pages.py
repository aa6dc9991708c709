"""How long a page takes to open in Chromium with 5,000 reviews, decisions or concepts on it, and to reach its end."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING

from tests.real.chromium import driven

from bench.concepts import approved
from studium.concepts.domain import Concept, GraphCommit, Relation, RelationType
from studium.concepts.graph_store.sqlite import SqliteConceptGraph
from studium.core.database import Database
from studium.core.domain.decision import Action, Decision

if TYPE_CHECKING:
    from playwright.async_api import Browser

MANY = 5_000
ROUNDS = 3
Row = tuple[str, float, str, str]


def measure() -> Iterator[Row]:
    with TemporaryDirectory() as folder:
        run = _fill(Path(folder))
        port = 8798
        environment = {**os.environ, "STUDIUM_HOME": folder}
        command = [sys.executable, "-m", "studium", "serve", "--port", str(port)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
            assert server.stdout
            server.stdout.readline()
            try:
                yield from asyncio.run(_open_all(f"http://127.0.0.1:{port}", run, Path(folder)))
            finally:
                server.terminate()


async def _open_all(address: str, run: str, home: Path) -> list[Row]:
    shown = {
        "reviews in the inbox": ("/inbox", "note-0000"),
        "decisions in a plan": (f"/cards?run={run}", "note-0000"),
        "concepts in the graph": ("/concepts", "concept-1000"),
    }
    rows: list[Row] = []
    async with driven() as browser:
        await _opened(browser, f"{address}/", "Welcome")
        for what, (path, text) in shown.items():
            first = await _opened(browser, address + path, text)
            again = min([await _opened(browser, address + path, text) for _ in range(ROUNDS)])
            rows.append((f"{MANY} {what}, opened", again, "s", "<= 2"))
            rows.append((f"{MANY} {what}, opened for the first time since the server started", first, "s", ""))
        changed = [await _opened_after_a_change(browser, f"{address}/concepts", home, turn) for turn in range(ROUNDS)]
        rows.append((f"{MANY} concepts in the graph, opened after it changed", min(changed), "s", "<= 2"))
    return rows


async def _opened_after_a_change(browser: "Browser", url: str, home: Path, turn: int) -> float:
    """Open the page after another program added a concept with a relation, so that the map is drawn again."""
    new = Concept(uuid=f"new-{turn}", name="new", title=f"A new concept {turn}")
    link = Relation(source=new.uuid, target="concept-1000", type=RelationType.SUPPORTS)
    with closing(SqliteConceptGraph(home / "concepts.sqlite")) as graph:
        graph.commit(GraphCommit(concepts=(new,), relations=(link,)))
    return await _opened(browser, url, new.title)


async def _opened(browser: "Browser", url: str, text: str) -> float:
    """Seconds until the text, and the map if there is one, is visible in a browser with an empty cache."""
    page = await browser.new_page(viewport={"width": 1280, "height": 900})
    start = perf_counter()
    await page.goto(url, wait_until="commit")
    await page.get_by_text(text).first.wait_for(state="visible", timeout=60_000)
    await page.get_by_text("Drawing the map…").wait_for(state="hidden", timeout=60_000)
    took = perf_counter() - start
    await page.close()
    return took


def _fill(home: Path) -> str:
    """Fill a home with reviews, decisions and concepts; returns the run with the decisions."""
    with closing(SqliteConceptGraph(home / "concepts.sqlite")) as graph:
        graph.commit(approved(MANY, 3 * MANY))
    with Database.open(f"sqlite:///{home / 'database.sqlite'}") as database:
        run = database.runs.start("cards", {"vault": str(home), "to": "package"})
        for number in range(MANY):
            note = f"note-{number:04}"
            card = {
                "deck_name": "Notes",
                "fields": {"Front": f"What is {note}?", "Back": "A note."},
            }
            made = Decision(item=f"{note}.md#1", action=Action.CREATE, proposal=card, score=0.9)
            doubt = made.model_copy(update={"item": f"{note}.md#2", "action": Action.MANUAL_REVIEW})
            database.items.save(run.id, f"{note}.md", [made, doubt])
        database.runs.finish(run.id, "done")
    return run.id
