"""The tutor: detection, routing, retrieval, whole answers, and labs on real routers."""

import asyncio
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

from tests.real.frr import available
from tests.tutor.error_detection import test_refused_lines as refused
from tests.tutor.error_detection import test_situations as labelled
from tests.tutor.knowledge import test_questions as asked
from tests.tutor.rules import test_intent as intent

from studium.core.database import Database
from studium.core.llm.embeddings import CachedEmbedder, MiniLM
from studium.tutor import NetworkingLabTutor, get_default_detector
from studium.tutor.domain import TypedCommand
from studium.tutor.knowledge import Knowledge, shipped_passages
from studium.tutor.labs.live_labs import LocalLab
from studium.tutor.pattern_learning import healthy_outputs
from studium.tutor.rules.intent import classify_intent
from studium.tutor.tutor import default_dependencies, shipped_lab

Row = tuple[str, float, str, str]
Given = dict[str, Any]
REFUSED = TypedCommand(command="ip adress 10.0.0.1 255.255.255.0", output="% Invalid input detected at '^' marker.")
LOOKED_AT = ("show ip interface brief", "show ip route", "show ip ospf neighbor", "show running-config")
ROUNDS = 50


def measure() -> Iterator[Row]:
    yield from _detection()
    yield from _intent()
    with tempfile.TemporaryDirectory() as folder:
        yield from _knowledge(Path(folder))
        yield from [] if available() else _lab(Path(folder) / "lab")


def _detection() -> Iterator[Row]:
    detector = get_default_detector()
    healthy = [each.model_dump() for each in healthy_outputs()]
    situations = {name: labelled.situations(name) for name in ("ccna", "dev", "held_out")}

    def detect(row: Given) -> object:
        return detector.detect(row["command"], row["output"], row["prompt"])

    for name, rows in situations.items():
        met = _percent(labelled.met(detector, row) for row in rows)
        yield f"error type of {len(rows)} situations ({name})", met, "%", ">= 90"
    found = sum(detect(row) is not None for row in healthy)
    yield f"findings on {len(healthy)} healthy outputs", found, "", "0"
    every = [*healthy, *(row for rows in situations.values() for row in rows)]
    yield f"detection, p50 of {len(every)} outputs", _p50(detect, every), "ms", "<= 0.15"
    lines = list(_refused_lines())
    yield f"detection, p50 of {len(lines)} refused lines", _p50(detect, lines), "ms", ""


def _refused_lines() -> Iterator[Given]:
    """Only lines that the parser rejected; each is compared with the vocabulary of its mode."""
    for row in refused.rows("refused_lines.tsv"):
        column = len(row["prompt"]) + row["command"].rindex(row["stopped_at"])
        yield {**row, "output": f"{' ' * column}^\n{refused.INVALID}\n"}


def _intent() -> Iterator[Row]:
    def routed(row: Given) -> str:
        return classify_intent(row["question"], [REFUSED] if row["has_cli_error"] == "1" else [])

    for name in ("questions", "held_out"):
        rows = intent.labelled(f"{name}.tsv")
        right = _percent(routed(row) == row["label"] for row in rows)
        yield f"{len(rows)} questions routed as labelled ({name})", right, "%", ">= 95"
        yield f"routing, p50 ({name})", _p50(routed, rows), "ms", "<= 10"


def _knowledge(folder: Path) -> Iterator[Row]:
    passages = shipped_passages()
    by_words = Knowledge(passages)
    with closing(Database.open(f"sqlite:///{folder / 'database.db'}")) as database:
        started = time.perf_counter()
        by_meaning = Knowledge(passages, CachedEmbedder(MiniLM(), database.vectors))
        by_meaning.teaching("What is a router?")
        yield f"{len(passages)} passages embedded, once", time.perf_counter() - started, "s", ""
        yield from _retrieval(by_meaning, "MiniLM")
        yield "whole answer by rules, MiniLM, p50", _answers(by_meaning), "ms", "<= 50"
    yield from _retrieval(by_words, "words")
    yield "whole answer by rules, words, p50", _answers(by_words), "ms", "<= 50"


def _retrieval(knowledge: Knowledge, how: str) -> Iterator[Row]:
    def look_up(row: Given) -> object:
        return asked.found_for(knowledge, row)

    fresh = 1000 * median(_seconds(look_up, row) for row in asked.QUESTIONS)
    yield f"passages for a question, {how}, asked for the first time, p50", fresh, "ms", ""
    yield f"passages for a question, {how}, asked before, p50", _p50(look_up, asked.QUESTIONS), "ms", "<= 5"
    for part in asked.PARTS:
        right = 100 * (1 - len(asked.missed(knowledge, part)) / asked.count(part))
        yield f"right passage in the first three, {how}, {asked.count(part)} questions ({part})", right, "%", ">= 90"


def _answers(knowledge: Knowledge) -> float:
    """The whole graph, each question in a lab that has just started."""
    tutor = NetworkingLabTutor(replace(default_dependencies(), knowledge=lambda _lab: knowledge))

    def answer(row: Given) -> None:
        tutor.start_lab("04-ospf-single-area")
        if row["output"]:
            tutor.typed(row["command"], row["output"].replace("\\n", "\n"), prompt="R1(config)#", device="r1")
        loop.run(tutor.ask(row["question"]))

    with asyncio.Runner() as loop:
        return _p50(answer, asked.QUESTIONS)


def _lab(folder: Path) -> Iterator[Row]:
    live = LocalLab(shipped_lab("04-ospf-single-area"), folder)
    started = time.perf_counter()
    try:
        live.up()
        yield "three routers and a host up", time.perf_counter() - started, "s", ""
        for device, text in live.lab.solution.items():
            live.load_configuration(device, text)
        assert all(each.holds for each in live.check(patience=60))
        yield "… configured and converged, every goal reached", time.perf_counter() - started, "s", "<= 20"
        with closing(live.device("r1")) as router:
            router.run("enable")
            for command in LOOKED_AT:
                yield f"console, `{command}`, p50", _p50(router.run, [command] * ROUNDS), "ms", "<= 5"
            yield "console, all of them, p50", _p50(router.run, [*LOOKED_AT] * ROUNDS), "ms", "<= 5"
        with closing(live.testbed.device("r1")) as bare:
            yield "the same on the bare vtysh, p50", _p50(bare.run, [*LOOKED_AT] * ROUNDS), "ms", ""
    finally:
        live.down()


def _percent(right: Iterable[bool]) -> float:
    counted = list(right)
    return 100 * sum(counted) / len(counted)


def _p50(work: Callable[[Any], object], items: Iterable[Any]) -> float:
    """Milliseconds, once it has warmed up."""
    every = list(items)
    for item in every[:20]:
        work(item)
    return 1000 * median(_seconds(work, item) for item in every)


def _seconds(work: Callable[[Any], object], item: Any) -> float:
    started = time.perf_counter()
    work(item)
    return time.perf_counter() - started
