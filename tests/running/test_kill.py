"""`kill -9` at random points of a run: after resuming, every item has one decision and nothing was paid for twice."""

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from subprocess import PIPE
from typing import Self

import pytest

from studium.testing import Reply, WireRequest, WireServer

ITEMS, KILLS, CONCURRENCY = 200, 20, 8
CONFIG = """\
roles:
  cards: {{mapper: "openai:writer", qa: "openai:judge"}}
models:
  "openai:writer": {{base_url: "{address}/v1"}}
  "openai:judge": {{base_url: "{address}/v1"}}
running: {{concurrency: {concurrency}}}
"""


class Killer:
    """Answers as a model would, and kills the client after so many requests."""

    def __init__(self) -> None:
        self.requests = 0
        self._victim, self._deadline = 0, 0
        self._lock = threading.Lock()

    def kill(self, pid: int, after: int) -> None:
        with self._lock:
            self._victim, self._deadline = pid, self.requests + after

    def spare(self) -> None:
        self._victim = 0

    def __call__(self, request: WireRequest) -> Reply:
        with self._lock:
            self.requests += 1
            if self._victim and self.requests >= self._deadline:
                os.kill(self._victim, signal.SIGKILL)
                self._victim = 0
        return Reply(self._answer(request), delay=random.uniform(0, 0.02))

    def _answer(self, request: WireRequest) -> str:
        text = request.messages[-1].text
        card_id = re.search(r'"card_id":"(\w+)"', text)
        number = re.search(r"What is fact number (\d+)\?", text)
        assert card_id
        assert number
        if request.model == "judge":
            return json.dumps({"cards": [{"card_id": card_id[1], "report": {"qa_score": 0.95}}]})
        fields = {"Front": f"What is fact number {number[1]}?", "Back": f"It is the value {number[1]}00."}
        return json.dumps({"cards": [{"card_id": card_id[1], "fields": fields, "quotes": [fields["Back"]]}]})


class Zygote:
    """Starts `studium` processes that have everything imported already."""

    def __init__(self) -> None:
        command = [sys.executable, str(Path(__file__).with_name("zygote.py"))]
        self._process = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True)

    def run(self, arguments: list[str], started: Callable[[int], None]) -> int:
        self._say(json.dumps(arguments))
        started(int(self._hear()))
        return int(self._hear())

    def _say(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _hear(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()


@pytest.mark.timeout(600)
def test_a_run_killed_twenty_times_ends_as_if_it_had_never_been(tmp_path: Path):
    notes, home, target = tmp_path / "notes", tmp_path / "home", tmp_path / "facts.apkg"
    notes.mkdir()
    for number in range(ITEMS):
        text = f"Q: What is fact number {number}?\nA: It is the value {number}00.\n"
        (notes / f"note-{number:03}.md").write_text(text)
    config = tmp_path / "studium.yaml"
    model, chance = Killer(), random.Random()
    arguments = ["--config", str(config), "--home", str(home), "cards", "sync", str(notes), "--to", str(target)]
    with WireServer(model) as server, Zygote() as zygote:
        config.write_text(CONFIG.format(address=server.address, concurrency=CONCURRENCY))
        for _ in range(KILLS):
            requests = chance.randint(1, 2 * ITEMS // KILLS)
            code = zygote.run([*arguments, "--resume"], lambda pid, after=requests: model.kill(pid, after))
            assert code == -signal.SIGKILL
        assert zygote.run([*arguments, "--resume"], lambda _pid: model.spare()) == 0
    ledger = sqlite3.connect(home / "ledger.sqlite")
    one_run = ledger.execute("select count(*) from runs").fetchone()
    decided = ledger.execute("select item, count(*) from decisions group by item").fetchall()
    paid = ledger.execute(
        "select item, skill, count(*) from calls where cached = 0 and outcome = 'answered' group by item, skill"
    ).fetchall()
    ledger.close()
    assert one_run == (1,)
    assert len(decided) == ITEMS
    assert {count for _, count in decided} == {1}
    assert len(paid) == 2 * ITEMS
    assert {count for *_, count in paid} == {1}, "a reply that was written down is never paid for again"
    assert model.requests <= 2 * ITEMS + KILLS * CONCURRENCY, "only what was in flight at a kill is asked again"
    assert target.stat().st_size > 0
