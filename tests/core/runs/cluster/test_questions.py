"""`studium questions corpus --on`: the questions that the workers of a cluster make are those made at home."""

import json
import shutil
from pathlib import Path

import pytest
import yaml
from tests.core.runs.cluster import cluster
from tests.run_cli import studium

import studium as package
from studium.testing import WireServer

pytestmark = [pytest.mark.part("postgres"), pytest.mark.xdist_group("cluster")]
SAMPLES = Path(package.__file__).parent / "questions" / "sample_files" / "questions"


def corpus(config: Path, documents: Path, out: Path, *more: object) -> list[dict]:
    arguments = ("questions", "corpus", documents, "--scenario", "study", "--per-document", 3, "--out", out, *more)
    ended = studium("--config", config, *arguments)
    assert ended.code == 0, ended.out + ended.err
    return json.loads(out.read_text())["questions"]


def test_a_corpus_gives_the_same_questions_on_a_cluster(standing, databases, tmp_path):
    documents, config = tmp_path / "documents", tmp_path / "studium.yaml"
    documents.mkdir()
    for sample in (SAMPLES / "corpus.yaml", *sorted(SAMPLES.glob("*.md"))[:2]):
        shutil.copy(sample, documents)
    config.write_text(yaml.safe_dump({"home": str(tmp_path / "here")}))
    here = corpus(config, documents, tmp_path / "here.json")
    config.write_text(yaml.safe_dump({"home": str(tmp_path / "there"), "database": databases()}))
    there = corpus(config, documents, tmp_path / "there.json", "--on", standing)
    assert len(here) > 5
    assert there == here


@pytest.mark.endurance
def test_a_killed_worker_loses_and_duplicates_no_question(databases, tmp_path):
    documents = tmp_path / "lamps"
    documents.mkdir()
    for number in range(6):
        lines = (f"Lamp {number}x{lamp} burns for {100 * number + lamp + 13} hours.\n" for lamp in range(4))
        (documents / f"lamps{number}.txt").write_text("\n".join(lines))
    pids: list[Path] = []
    shot: list[int] = []

    def model(request):
        from tests.questions.test_kill import answer

        shot.append(1)
        if len(shot) == 12:
            cluster.kill(pids[0])
        return answer(request)

    with (
        WireServer(model) as server,
        cluster.scheduler(tmp_path) as scheduler,
        cluster.workers(scheduler, tmp_path) as running,
    ):
        pids += running
        roles = {"generator": "openai:asker", "validator": "openai:checker", "deduplicator": "openai:comparer"}
        models = {name: {"base_url": f"{server.address}/v1"} for name in roles.values()}
        config = tmp_path / "studium.yaml"
        config.write_text(yaml.safe_dump({"roles": {"questions": roles}, "models": models, "database": databases()}))
        arguments = ("questions", "corpus", documents, "--per-document", 4, "--out", tmp_path / "set.json")
        ended = studium("--config", config, *arguments, "--on", scheduler)
    assert ended.code == 0, ended.out + ended.err
    questions = json.loads((tmp_path / "set.json").read_text())["questions"]
    assert len(questions) == len({pair["question"] for pair in questions}) == 24
