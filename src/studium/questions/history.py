"""What past runs of this home gave: questions per 1,000 words, and what each took in calls, money and time."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from studium.core.database import tables
from studium.questions.domain import GenerationStats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from studium.core.database import Database
    from studium.core.domain.run import Run

_RUNS_READ = 50
# The decision about a document as a whole has an item that ends with `#`; see `setup._summary`.
_SUMMARIES = select(tables.decisions.c.body).where(
    tables.decisions.c.action == "skip", tables.decisions.c.body["item"].as_string().endswith("#")
)
# Calls of the rules and cached replies take nothing.
_CALLS = tables.calls.c
_SPENT = select(
    func.count(),
    func.coalesce(func.sum(_CALLS.input_tokens), 0),
    func.coalesce(func.sum(_CALLS.output_tokens), 0),
    func.coalesce(func.sum(_CALLS.cost), 0.0),
    func.count() - func.count(_CALLS.cost),
).where(_CALLS.model != "rules", _CALLS.cached.is_(False))


@dataclass
class PastRuns:
    """The past runs with one generator; `cost` is None if the price of a call is unknown.

    Only a document that ended before its target shows how much it holds: `exhausted_words` are the words of these.
    """

    runs: int = 0
    accepted: int = 0
    words: int = 0
    exhausted_accepted: int = 0
    exhausted_words: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0
    seconds: float = 0.0

    @property
    def per_thousand_words(self) -> float | None:
        """Accepted questions per 1,000 words; a lower bound if no document was exhausted."""
        accepted, words = (
            (self.exhausted_accepted, self.exhausted_words) if self.exhausted_words else (self.accepted, self.words)
        )
        return 1000 * accepted / words if words else None

    def per_question(self, total: float | None) -> float | None:
        """A total of these runs, per accepted question."""
        return total / self.accepted if self.accepted and total is not None else None


def past_runs(database: "Database", generator: str, mode: str) -> PastRuns:
    """Sum up the newest finished runs of this generator and mode."""
    found = PastRuns()
    for run in database.runs.newest(_RUNS_READ, feature="questions"):
        if run.status == "done" and run.arguments.get("mode") == mode:
            stats = [each for each in _stats(database, run) if each.generator_model == generator and each.word_count]
            if stats:
                _add(found, database, run, stats)
    return found


def _stats(database: "Database", run: "Run") -> list[GenerationStats]:
    with database.transactions.reading() as connection:
        bodies: Sequence[Any] = connection.scalars(_SUMMARIES.where(tables.decisions.c.run == run.id)).all()
    return [GenerationStats.model_validate(body["proposal"]) for body in bodies if body["proposal"]]


def _add(found: PastRuns, database: "Database", run: "Run", stats: list[GenerationStats]) -> None:
    found.runs += 1
    for each in stats:
        found.accepted += each.accepted_count
        found.words += each.word_count
        if each.exhausted:
            found.exhausted_accepted += each.accepted_count
            found.exhausted_words += each.word_count
    with database.transactions.reading() as connection:
        calls, given, made, cost, unpriced = connection.execute(_SPENT.where(_CALLS.run == run.id)).one()
    found.calls += calls
    found.input_tokens += given
    found.output_tokens += made
    found.cost = None if unpriced or found.cost is None else found.cost + cost
    if run.finished_at:
        found.seconds += (run.finished_at - run.started_at).total_seconds()
