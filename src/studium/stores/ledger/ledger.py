"""The ledger itself: what the upper floors ask of it, each in one transaction.

    with Ledger.open("sqlite:///ledger.db") as ledger:
        run = ledger.start_run("cards", {"vault": "notes"})
        ledger.settle(run.id, "ospf.md", decisions)
        ledger.finish_run(run.id, "done")

Every method may be called from any thread, and from several processes on the same ledger.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from threading import Lock
from typing import Any, Self

from sqlalchemy import Connection, Engine

from studium.domain.budget import Limits
from studium.domain.decision import Decision, Plan, Review, ReviewLine
from studium.domain.publication import Base, Change, ChangeStatus, Seen
from studium.domain.run import Run, RunStatus
from studium.domain.usage import Call, Turn
from studium.domain.word import KeptSong
from studium.stores.ledger import (
    bases,
    changes,
    embeddings,
    items,
    metrics,
    opening,
    reviews,
    runs,
    sharing,
    songs,
    turns,
)
from studium.stores.ledger.faults import told_plainly
from studium.stores.ledger.forgetting import Forgetting
from studium.stores.ledger.items import Settlement
from studium.stores.ledger.metrics import Metrics
from studium.stores.ledger.orders import Orders
from studium.stores.ledger.replies import Replies


def utc_now() -> datetime:
    """The time."""
    return datetime.now(UTC)


class Ledger:
    """Remembers runs, decisions, reviews, usage, replies, vectors and what was last published."""

    def __init__(self, engine: Engine, place: str, clock: Callable[[], datetime]) -> None:
        self.place = place
        self._engine = engine
        self._clock = clock
        # SQLite has one writer: threads that queue here need not poll its lock.
        on_sqlite = engine.dialect.name == "sqlite"
        self._turn_to_write: AbstractContextManager[Any] = Lock() if on_sqlite else nullcontext()
        self._begin = "BEGIN IMMEDIATE" if on_sqlite else None
        self.orders = Orders(self._reading, self._writing, clock)
        self.replies = Replies(self._reading, self._writing, clock)
        self.forgetting = Forgetting(self._writing)

    @property
    def is_on_server(self) -> bool:
        """Whether other machines can use it too: a PostgreSQL server, not a file."""
        return self._begin is None

    @classmethod
    def open(cls, url: str, *, clock: Callable[[], datetime] = utc_now, patience: float = 10.0) -> Self:
        """Open the ledger at this address, made or migrated if need be; `patience` is how long to wait for locks."""
        address = opening.read_address(url)
        place = opening.place_of(address)
        with told_plainly(place):
            return cls(opening.open_engine(address, patience), place, clock)

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Runs

    def start_run(self, faculty: str, arguments: dict[str, Any], note: str | None = None) -> Run:
        """Begin a run; the note says in a few words what it is about."""
        with self._writing() as connection:
            return runs.start(connection, faculty, arguments, note, self._clock())

    def unfinished_run(self, faculty: str, arguments: dict[str, Any]) -> Run | None:
        """The newest run with these very arguments that did not get to its end."""
        with self._reading() as connection:
            return runs.unfinished(connection, faculty, arguments)

    def run(self, given: str) -> Run:
        """The run of this id, or of the only id that begins so."""
        with self._reading() as connection:
            return runs.find(connection, given)

    def runs(self, limit: int = 20, offset: int = 0, *, faculty: str | None = None) -> list[Run]:
        """The last runs, newest first."""
        with self._reading() as connection:
            return runs.newest(connection, limit, offset, faculty)

    def count_runs(self, faculty: str | None = None) -> int:
        """How many runs there are."""
        with self._reading() as connection:
            return runs.count(connection, faculty)

    def finish_run(self, run: str, status: RunStatus, note: str | None = None) -> Run:
        """Write down how a run ended; without a note, it keeps the one it has."""
        with self._writing() as connection:
            return runs.finish(connection, runs.find(connection, run), status, note, self._clock())

    # Items

    def settle(self, run: str, item: str, decisions: Sequence[Decision], calls: Sequence[Call] = ()) -> bool:
        """Write down all that was decided about an item; `False`, and nothing is changed, if it was settled before."""
        return self.settle_many(run, [Settlement(item, decisions, calls)]) == 1

    def settle_many(self, run: str, settlements: Iterable[Settlement]) -> int:
        """Settle many items, all or none; says how many were not settled before."""
        with self._writing() as connection:
            return items.settle(connection, run, settlements, self._clock())

    def settled_items(self, run: str) -> set[str]:
        """The items of the run that need no more work."""
        with self._reading() as connection:
            return items.settled(connection, run)

    def is_settled(self, run: str, item: str) -> bool:
        """Whether this item of the run needs no more work."""
        with self._reading() as connection:
            return items.is_settled(connection, run, item)

    def decisions(self, run: str) -> list[Decision]:
        """All that was decided in the run, in the order in which it was."""
        with self._reading() as connection:
            return items.decisions(connection, run)

    def some_decisions(
        self, run: str, action: str | None = None, *, limit: int = 100, offset: int = 0
    ) -> tuple[list[Decision], int]:
        """A part of what was decided in the run, and how much there is in all."""
        with self._reading() as connection:
            found = runs.find(connection, run).id
            return items.some(connection, found, action, limit=limit, offset=offset)

    def plan(self, run: str) -> Plan:
        """The run's decisions as a plan."""
        with self._reading() as connection:
            found = runs.find(connection, run)
            return Plan(run=found.id, faculty=found.faculty, decisions=tuple(items.decisions(connection, found.id)))

    # Reviews

    def reviews(
        self, status: str | None = "open", faculty: str | None = None, *, limit: int = 100, offset: int = 0
    ) -> list[Review]:
        """The reviews of this status (`None`: any) and faculty, those that wait longest first."""
        with self._reading() as connection:
            return reviews.select_reviews(connection, status, faculty, limit=limit, offset=offset)

    def count_reviews(self, status: str | None = "open") -> dict[str, int]:
        """How many reviews of this status (`None`: any) each faculty has."""
        with self._reading() as connection:
            return reviews.count(connection, status)

    def review_lines(self) -> list[ReviewLine]:
        """Every review in a line, those that wait longest first."""
        with self._reading() as connection:
            return reviews.lines(connection)

    def reviews_stamp(self) -> tuple[Any, ...]:
        """Something that is another whenever a review was opened, answered or reopened."""
        with self._reading() as connection:
            return reviews.stamp(connection)

    def asked_before(self, review: Review) -> Review | None:
        """The last review of the same item that was opened before this one."""
        with self._reading() as connection:
            return reviews.asked_before(connection, review)

    def review(self, given: str) -> Review:
        """The review of this id, or of the only id that begins so."""
        with self._reading() as connection:
            return reviews.find(connection, given)

    def answer_review(
        self, given: str, status: str, answer: dict[str, Any] | None = None, comment: str | None = None
    ) -> Review:
        """Take a person's answer; an edit must fit the proposal's schema, and the first answer wins."""
        with self._writing() as connection:
            answered = {"status": reviews.read_status(status), "answer": answer, "comment": comment}
            asked = reviews.find(connection, given)
            return reviews.answer(connection, asked.model_copy(update=answered), self._clock())

    def reopen_review(self, given: str, seen: datetime | None = None) -> Review:
        """Take an answer back: any, or the one that was given at this moment and no later one."""
        with self._writing() as connection:
            return reviews.reopen(connection, given, seen)

    def answered(self, faculty: str, decision: Decision) -> Review | None:
        """What a person answered to this very doubt, if anyone did."""
        with self._reading() as connection:
            return reviews.answered(connection, faculty, decision)

    # Turns and calls

    def recall(self, key: str) -> Turn | None:
        """The reply to this very question, if it was ever paid for."""
        with self._reading() as connection:
            return turns.recall(connection, key)

    def remember(self, turn: Turn | None, call: Call, *, run: str, item: str) -> None:
        """Keep a reply (if it is worth keeping) and what it took, in one transaction."""
        now = self._clock()
        with self._writing() as connection:
            if turn:
                turns.keep(connection, turn, now)
            turns.count(connection, [(call, run, item)], now)

    def forget(self, keys: Sequence[str]) -> None:
        """Drop replies that led nowhere, so that the next run asks anew."""
        with self._writing() as connection:
            turns.forget(connection, keys)

    def metrics(self, run: str | None = None) -> Metrics:
        """What a run, or every run together, took and brought."""
        with self._reading() as connection:
            return metrics.measure(connection, run and runs.find(connection, run).id)

    # Limits that hold over all workers

    def count_spending(self, run: str) -> None:
        """Begin to count what all workers on a run spend, from what it has spent so far."""
        with self._writing() as connection:
            sharing.begin_count(connection, run, metrics.measure(connection, run).spent)

    def reserve_call(self, run: str, limits: Limits, *, tokens: int, cost: float) -> str | None:
        """Set one call of the run aside; or say which limit it would pass, and set nothing aside."""
        with self._writing() as connection:
            return sharing.reserve(connection, run, limits, tokens, cost)

    def settle_call(self, run: str, *, tokens: int, cost: float) -> None:
        """Add what a call took beyond what was set aside for it; mostly it is less, and these are negative."""
        with self._writing() as connection:
            sharing.add(connection, run, 0, tokens, cost)

    def take_slot(self, model: str, spacing: float) -> float:
        """How many seconds a call of this model must wait, if all calls of it start so many seconds apart."""
        with self._writing() as connection:
            return sharing.take_slot(connection, model, spacing)

    # Vectors

    def recall_vectors(self, embedder: str, keys: Sequence[str]) -> dict[str, bytes]:
        """The little-endian float32 vectors that are known."""
        with self._reading() as connection:
            return embeddings.recall(connection, embedder, keys)

    def remember_vectors(self, embedder: str, vectors: dict[str, bytes]) -> None:
        """Keep vectors."""
        with self._writing() as connection:
            embeddings.remember(connection, embedder, vectors)

    # Songs

    def keep_song(self, key: str, kept: KeptSong) -> None:
        """Keep a song's words in place of those kept before."""
        with self._writing() as connection:
            songs.keep(connection, key, kept, self._clock())

    def kept_song(self, key: str) -> KeptSong | None:
        """The words of a song, if they were made before."""
        with self._reading() as connection:
            return songs.recall(connection, key)

    def kept_songs(self) -> list[KeptSong]:
        """Every song that is kept, by title."""
        with self._reading() as connection:
            return songs.every(connection)

    def forget_songs(self) -> int:
        """Forget every song; says how many there were."""
        with self._writing() as connection:
            return songs.forget_all(connection)

    # Publications

    def bases(self, sink: str) -> dict[str, Base]:
        """Everything that we last published in this sink."""
        with self._reading() as connection:
            return bases.select_all(connection, sink)

    def known(self, sink: str) -> dict[str, dict[str, Any]]:
        """What everything in this sink is known by; far quicker than the bases themselves."""
        with self._reading() as connection:
            return bases.known(connection, sink)

    def sinks(self, beginning: str) -> list[str]:
        """The sinks in which something was published and whose names begin like this."""
        with self._reading() as connection:
            return bases.sinks(connection, beginning)

    def remember_bases(self, sink: str, published: Mapping[str, Base]) -> None:
        """Keep what was published now in place of what was published before."""
        with self._writing() as connection:
            bases.remember(connection, sink, published, self._clock())

    def forget_bases(self, sink: str, keys: Sequence[str]) -> None:
        """Drop the bases of what is no longer published."""
        with self._writing() as connection:
            bases.forget(connection, sink, keys)

    def seen(self, sink: str) -> dict[str, Seen]:
        """The files as they were when all that they ask for was settled in this sink."""
        with self._reading() as connection:
            return bases.seen(connection, sink)

    def remember_seen(self, sink: str, files: Mapping[str, Seen | None]) -> None:
        """Keep how files were seen; `None` forgets one."""
        with self._writing() as connection:
            bases.remember_seen(connection, sink, files)

    def plan_changes(self, run: str, sink: str, planned: Sequence[Change]) -> list[Change]:
        """Write down what is about to be changed in a sink, with what is there now."""
        with self._writing() as connection:
            return changes.plan(connection, run, sink, planned)

    def settle_changes(
        self, run: str, sink: str, outcomes: Mapping[int, ChangeStatus], published: Mapping[str, Base] | None = None
    ) -> None:
        """Write down how changes ended, and the bases of what was published by them, in one transaction."""
        with self._writing() as connection:
            changes.settle(connection, run, outcomes)
            bases.remember(connection, sink, published or {}, self._clock())

    def changes(self, run: str) -> list[tuple[str, Change]]:
        """The changes that a run made, in order, each with its sink."""
        with self._reading() as connection:
            return changes.of_run(connection, runs.find(connection, run).id)

    def unfinished_changes(self, sink: str) -> list[tuple[str, Change]]:
        """The changes to a sink of which nobody knows whether they were made, each with its run."""
        with self._reading() as connection:
            return changes.unfinished(connection, sink)

    def standing_change(self, sink: str, key: str) -> tuple[str, Change] | None:
        """The change to this key of a sink that was planned or made, and not undone, with its run."""
        with self._reading() as connection:
            return changes.standing(connection, sink, key)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with told_plainly(self.place), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """One transaction that has the write lock from its beginning, so that it can never fail half-way for it."""
        with told_plainly(self.place), self._turn_to_write, self._engine.connect() as connection:
            if self._begin:
                connection.exec_driver_sql(self._begin)
            yield connection
            connection.commit()
