"""`kill -9` at random points of a corpus run loses no question and duplicates none."""

import json
import random
import re
import signal
from collections import Counter
from pathlib import Path

import pytest
import yaml
from tests.process_killer import Killer
from tests.real.studium_server import fork_server

from studium.testing import Reply, WireRequest, WireServer

EACH = 5


def answer(request: WireRequest) -> Reply:
    """As generator, ask about the first lamp without a question; as validator, read and answer."""
    delay = random.uniform(0, 0.02)
    seen = "\n".join(message.text for message in request.messages if message.role == "tool")
    if not seen and "read_lines" in request.tools:
        return Reply(tool_calls=(("read_lines", {"start_line": 1}),), delay=delay)
    lamps = dict(re.findall(r"Lamp (\w+) burns for (\d+) hours", seen))
    user = request.messages[1].text
    if request.model == "checker":
        wanted = re.search(r"How long does lamp (\w+) burn\?", user)
        assert wanted
        return Reply(tool_calls=(("final_answer", {"answerable": True, "answer": f"{lamps[wanted[1]]} hours"}),))
    if request.model == "comparer":
        return Reply(json.dumps({"duplicate_of": None}), delay=delay)
    asked = set(re.findall(r"How long does lamp (\w+) burn\?", user))
    lamp = next(name for name in lamps if name not in asked)
    pair = {
        "question": f"How long does lamp {lamp} burn?",
        "answer": f"{lamps[lamp]} hours",
        "quotes": [f"Lamp {lamp} burns for {lamps[lamp]} hours."],
    }
    return Reply(tool_calls=(("submit_qa", pair),), delay=delay)


def test_a_corpus_run_killed_twice_is_complete(tmp_path: Path):
    assert_complete_after_kills(tmp_path, kills=2, documents=2)


@pytest.mark.endurance
@pytest.mark.timeout(600)
def test_a_corpus_run_killed_twenty_times_is_complete(tmp_path: Path):
    assert_complete_after_kills(tmp_path, kills=20, documents=4)


def assert_complete_after_kills(tmp_path: Path, *, kills: int, documents: int):
    seed = random.randrange(2**32)
    print(f"seed of the kill points: {seed}")  # noqa: T201 - pytest shows it when the test fails
    corpus, out = tmp_path / "corpus", tmp_path / "out.json"
    corpus.mkdir()
    for number in range(documents):
        lines = (f"Lamp {number}x{lamp} burns for {100 * number + 10 * lamp + 13} hours.\n" for lamp in range(EACH))
        (corpus / f"lamps{number}.txt").write_text("\n".join(lines))
    model, chance = Killer(answer), random.Random(seed)
    with WireServer(model) as server:
        roles = {"generator": "openai:asker", "validator": "openai:checker", "deduplicator": "openai:comparer"}
        models = {name: {"base_url": f"{server.address}/v1"} for name in roles.values()}
        config = tmp_path / "studium.yaml"
        config.write_text(yaml.safe_dump({"roles": {"questions": roles}, "models": models}))
        arguments = ["--config", str(config), "--home", str(tmp_path / "home"), "questions", "corpus", str(corpus)]
        arguments += ["--out", str(out), "--per-document", str(EACH), "--resume"]
        for _ in range(kills):
            code = fork_server().run(arguments, lambda pid: model.kill(pid, chance.randint(1, 4)))
            assert code == -signal.SIGKILL
        assert fork_server().run(arguments, lambda _pid: model.spare()) == 0
    questions = json.loads(out.read_text())["questions"]
    assert Counter(pair["source_document"] for pair in questions) == {
        str(corpus / f"lamps{number}.txt"): EACH for number in range(documents)
    }
    assert len({pair["question"] for pair in questions}) == documents * EACH
