"""What other processes do to a database in the tests."""

from collections.abc import Iterator
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier, Event

from tests.core.database.samples import call, card, doubt

from studium.core.database import Database, ItemResult
from studium.core.domain.usage import Limits

# A server that has everything imported forks a new process in no time.
processes = get_context("forkserver")
processes.set_forkserver_preload(["pytest", "alembic.command", "psycopg", __name__])


def start_a_run(address: str, together: Barrier) -> None:
    """Open the database at the same moment as the others."""
    together.wait()
    with Database.open(address) as database:
        database.runs.start("cards", {})


def settle_one_by_one(address: str, run: str, items: list[str], told: Connection) -> None:
    """Settle each item alone, and tell how many were new."""
    with Database.open(address) as database:
        told.send(sum(database.items.save(run, item, [card(item), doubt(item)], [call()]) for item in items))


def settle_batches_for_ever(address: str, run: str, name: str, ready: Event) -> None:
    """Settle a hundred items at a time until killed."""
    with Database.open(address) as database:
        ready.set()
        for number in count():
            database.items.save_many(run, _batch(f"{name} {number}"))


def reserve_calls(address: str, run: str, limits: Limits, tries: int, told: Connection) -> None:
    """Ask for so many calls, and tell how many were granted."""
    with Database.open(address) as database:
        told.send(sum(database.limits.reserve(run, limits, tokens=10, cost=0.1) is None for _ in range(tries)))


def _batch(name: str) -> Iterator[ItemResult]:
    for number in range(100):
        item = f"{name}-{number}"
        yield ItemResult(item, [card(item), doubt(item)], [call()])
