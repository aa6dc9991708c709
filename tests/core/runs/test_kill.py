"""`kill -9` at random points of a run: after resuming, every item has one decision and nothing was paid for twice."""

import json
import random
import re
import signal
import sqlite3
from pathlib import Path

import pytest
from tests.process_killer import Killer
from tests.real.studium_server import fork_server

from studium.testing import Reply, WireRequest, WireServer

CONCURRENCY = 8
CONFIG = """\
roles:
  cards: {{mapper: "openai:writer", qa: "openai:judge"}}
models:
  "openai:writer": {{base_url: "{address}/v1"}}
  "openai:judge": {{base_url: "{address}/v1"}}
running: {{concurrency: {concurrency}}}
"""


def answer(request: WireRequest) -> Reply:
    text = request.messages[-1].text
    card_id = re.search(r'"card_id":"(\w+)"', text)
    number = re.search(r"What is fact number (\d+)\?", text)
    assert card_id
    assert number
    if request.model == "judge":
        reply = {"cards": [{"card_id": card_id[1], "report": {"qa_score": 0.95}}]}
    else:
        fields = {"Front": f"What is fact number {number[1]}?", "Back": f"It is the value {number[1]}00."}
        reply = {"cards": [{"card_id": card_id[1], "fields": fields, "quotes": [fields["Back"]]}]}
    return Reply(json.dumps(reply), delay=random.uniform(0, 0.02))


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("items", "kills"), [(16, 2), pytest.param(200, 20, marks=pytest.mark.endurance)])
def test_a_run_killed_many_times_ends_like_an_uninterrupted_one(tmp_path: Path, items: int, kills: int):
    notes, home, target = tmp_path / "notes", tmp_path / "home", tmp_path / "facts.apkg"
    notes.mkdir()
    for number in range(items):
        text = f"Q: What is fact number {number}?\nA: It is the value {number}00.\n"
        (notes / f"note-{number:03}.md").write_text(text)
    config = tmp_path / "studium.yaml"
    seed = random.randrange(2**32)
    print(f"The kill points have the seed {seed}.")  # noqa: T201 - shown when the test fails
    model, kill_points = Killer(answer), random.Random(seed)
    arguments = ["--config", str(config), "--home", str(home), "cards", "sync", str(notes), "--to", str(target)]
    with WireServer(model) as server:
        config.write_text(CONFIG.format(address=server.address, concurrency=CONCURRENCY))
        for _ in range(kills):
            requests = kill_points.randint(1, 2 * items // kills)
            code = fork_server().run([*arguments, "--resume"], lambda pid, after=requests: model.kill(pid, after))
            assert code == -signal.SIGKILL
        assert fork_server().run([*arguments, "--resume"], lambda _pid: model.spare()) == 0
    database = sqlite3.connect(home / "database.sqlite")
    one_run = database.execute("select count(*) from runs").fetchone()
    decided = database.execute("select item, count(*) from decisions group by item").fetchall()
    paid = database.execute(
        "select item, skill, count(*) from calls where cached = 0 and outcome = 'answered' group by item, skill"
    ).fetchall()
    database.close()
    assert one_run == (1,)
    assert len(decided) == items
    assert {count for _, count in decided} == {1}
    assert len(paid) == 2 * items
    assert {count for *_, count in paid} == {1}, "a reply that was written down is never paid for again"
    assert model.requests <= 2 * items + kills * CONCURRENCY, "only what was in flight at a kill is asked again"
    assert target.stat().st_size > 0
