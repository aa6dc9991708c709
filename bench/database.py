"""The database: decisions written, replies recalled."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from studium.core.database import Database, ItemResult
from studium.core.domain.decision import Action, Decision
from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.domain.usage import Call, CallOutcome, Turn

DECISIONS, BATCH, SINGLES, REPLIES = 10_000, 500, 1_000, 1_000
CALL = Call(skill="cards.map", role="cards.mapper", model="rules", outcome=CallOutcome.ANSWERED, seconds=0.01, cost=0.0)


def measure() -> list[tuple[str, float, str, str]]:
    """The figures: name, value, unit and target."""
    with tempfile.TemporaryDirectory() as folder:
        address = f"sqlite:///{Path(folder) / 'database.db'}"
        Database.open(address).close()
        opened = _elapsed(time.perf_counter, lambda: Database.open(address).close())
        with Database.open(address) as database:
            return [("opening a database that is up to date", opened * 1000, "ms", ""), *_figures(database)]


def _figures(database: Database) -> list[tuple[str, float, str, str]]:
    work = [ItemResult(f"note {n}.md", [_decision(n)], [CALL]) for n in range(DECISIONS)]
    turns = [Turn(key=str(n), skill="cards.map", model="m", reply={"content": "x" * 1000}) for n in range(REPLIES)]
    batched, alone = (database.runs.start("cards", {}).id for _ in range(2))

    def settle_batches() -> None:
        for start in range(0, DECISIONS, BATCH):
            database.items.save_many(batched, work[start : start + BATCH])

    def settle_singly() -> None:
        for each in work[:SINGLES]:
            database.items.save(alone, each.item, each.decisions, each.calls)

    def remember() -> None:
        for turn in turns:
            database.turns.remember(turn, CALL, run=alone, item="note")

    def recall() -> None:
        for turn in turns:
            assert database.turns.recall(turn.key) == turn

    wall, cpu = time.perf_counter, time.process_time
    return [
        ("10,000 decisions into the database, 500 at a time", _elapsed(wall, settle_batches), "s", "<= 3"),
        ("one item settled", _elapsed(cpu, settle_singly) / SINGLES * 1000, "CPU ms", "<= 1"),
        ("one reply remembered", _elapsed(cpu, remember) / REPLIES * 1000, "CPU ms", ""),
        ("one reply recalled", _elapsed(cpu, recall) / REPLIES * 1000, "CPU ms", "<= 0.3"),
        (
            "10,000 decisions out of the database",
            _elapsed(wall, lambda: database.items.decisions(batched)),
            "s",
            "",
        ),
        ("metrics of a run of 10,000 items", _elapsed(wall, lambda: database.metrics.measure(batched)), "s", ""),
    ]


def _decision(number: int) -> Decision:
    """One item in ten waits for review; each has a finding and a longer proposal."""
    where = Locator(path=f"note {number}.md", line=3)
    return Decision(
        item=f"note {number}.md",
        action=Action.CREATE if number % 10 else Action.MANUAL_REVIEW,
        reasons=("It asks one thing.",),
        findings=(Finding(code="cloze.leak", severity=Severity.WARNING, message="It tells the answer.", where=where),),
        proposal={"front": "Q" * 80, "back": "A" * 300},
        proposal_schema={"type": "object", "properties": {"front": {"type": "string"}}, "required": ["front"]},
        score=number % 100 / 100,
    )


def _elapsed(clock: Callable[[], float], work: Callable[[], object]) -> float:
    started = clock()
    work()
    return clock() - started
