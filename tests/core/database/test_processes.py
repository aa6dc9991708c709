"""Several processes on one database, and processes that are killed."""

import random
import time
from concurrent.futures import ThreadPoolExecutor

from tests.core.database.samples import call, card, doubt
from tests.core.database.workers import processes, settle_batches_for_ever, settle_one_by_one, start_a_run

from studium.core.database import Database


def test_processes_that_start_at_once_create_one_database(fresh_address: str):
    together = processes.Barrier(4)
    starting = [processes.Process(target=start_a_run, args=(fresh_address, together)) for _ in range(4)]
    for process in starting:
        process.start()
    for process in starting:
        process.join()
    assert [process.exitcode for process in starting] == [0] * 4
    with Database.open(fresh_address) as database:
        assert len(database.runs.newest()) == 4


def test_two_processes_lose_no_write_and_save_no_item_twice(address: str):
    shared = [f"shared {number}" for number in range(30)]
    with Database.open(address) as database:
        run = database.runs.start("cards", {}).id
        here, there = processes.Pipe()
        for name in ("left", "right"):
            items = [*(f"{name} {number}" for number in range(120)), *shared]
            random.shuffle(items)
            processes.Process(target=settle_one_by_one, args=(address, run, items, there)).start()
        assert here.recv() + here.recv() == 270

        settled = database.items.finished(run)
        assert len(settled) == 270
        decided = [decision.item for decision in database.items.decisions(run)]
        assert decided[::2] == decided[1::2]
        assert set(decided) == settled
        assert len(database.reviews.select(limit=1000)) == database.metrics.measure(run).spent.calls == 270


def test_a_killed_process_leaves_whole_batches_only(address: str):
    seed = random.randrange(2**32)
    print(f"The kill points have the seed {seed}.")  # noqa: T201 - shown when the test fails
    kill_points = random.Random(seed)
    with Database.open(address) as database:
        run = database.runs.start("cards", {}).id
        for name in ("first", "second", "third", "fourth"):
            ready = processes.Event()
            writer = processes.Process(target=settle_batches_for_ever, args=(address, run, name, ready))
            writer.start()
            assert ready.wait(60)
            before = len(database.items.finished(run))
            while len(database.items.finished(run)) == before:
                time.sleep(0.01)
            time.sleep(kill_points.uniform(0, 0.2))
            writer.kill()
            writer.join()
        # A server finishes what it had received of a killed client before it lets the run go.
        assert database.items.save(run, "the end", [card("the end"), doubt("the end")], [call()])
        settled = database.items.finished(run)
        assert len(settled) > 1
        assert len(settled) % 100 == 1
        assert len(database.items.decisions(run)) == 2 * len(settled)
        assert len(database.reviews.select(limit=100_000)) == database.metrics.measure(run).spent.calls == len(settled)


def test_many_threads_share_one_database(database: Database):
    run = database.runs.start("cards", {}).id

    def work(number: int) -> bool:
        item = str(number % 150)
        return database.turns.recall(item) is None and database.items.save(run, item, [card(item)], [call()])

    with ThreadPoolExecutor(16) as threads:
        assert sum(threads.map(work, range(300))) == 150
    assert len(database.items.decisions(run)) == 150
