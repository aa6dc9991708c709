"""What a person decided about the questions of a run, in the database; every change can be undone."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Row, func, select

from studium.core.database import runs, tables
from studium.core.database.engine import Transactions, insert_or_replace
from studium.core.domain.errors import BadInput, Conflict
from studium.core.domain.value import Value
from studium.questions.domain import QAPair

Status = Literal["pending", "kept", "edited", "dropped"]
_REVIEWS = tables.question_reviews


class ReviewState(Value):
    """The status of a question, and the pair in place of the generated one, if it was edited or regenerated."""

    status: Status = "pending"
    pair: QAPair | None = None


class QuestionDecision(Value):
    """The present state of a question and, oldest first, the states before it.

    The revision grows with every change, also when one is undone: a page with another revision shows an older state.
    """

    item: str
    revision: int = 0
    state: ReviewState = ReviewState()
    history: tuple[ReviewState, ...] = ()
    decided_at: datetime | None = None


@dataclass(frozen=True)
class QuestionReviewRepository:
    """The decisions about questions; each method is one transaction.

    reviews = QuestionReviewRepository(database.transactions)
    """

    db: Transactions

    def of_run(self, run: str) -> dict[str, QuestionDecision]:
        """The decisions about the questions of a run, by item."""
        with self.db.reading() as connection:
            rows = connection.execute(select(_REVIEWS).where(_REVIEWS.c.run == run))
            return {row.item: _decision(row) for row in rows}

    def count_reviewed(self, run: str) -> int:
        """How many questions of a run are decided about."""
        decided = select(func.count()).where(_REVIEWS.c.run == run, _REVIEWS.c.status != "pending")
        with self.db.reading() as connection:
            return connection.scalar(decided) or 0

    def version(self, run: str) -> tuple[int, int]:
        """A value that changes whenever something is decided about a question of the run."""
        changes = select(func.count(), func.coalesce(func.sum(_REVIEWS.c.revision), 0))
        with self.db.reading() as connection:
            decided, revisions = connection.execute(changes.where(_REVIEWS.c.run == run)).one()
            return decided, revisions

    def decide(
        self, run: str, item: str, change: Callable[[ReviewState], ReviewState], seen: int | None = None
    ) -> QuestionDecision:
        """Change the state of a question; a change that changes nothing is no decision.

        With `seen`, only if that is still its revision.
        """
        with self.db.writing() as connection:
            present = self._locked(connection, run, item)
            state = change(present.state)
            if state == present.state:
                return present
            _check_seen(present, seen)
            return self._save(connection, run, present, state, (*present.history, present.state))

    def undo(self, run: str, item: str, seen: int | None = None) -> QuestionDecision:
        """Go back to the state before the last decision."""
        with self.db.writing() as connection:
            present = self._locked(connection, run, item)
            _check_seen(present, seen)
            if not present.history:
                raise BadInput("Nothing was decided about this question.", remedy="There is nothing to undo.")
            return self._save(connection, run, present, present.history[-1], present.history[:-1])

    def _locked(self, connection: Connection, run: str, item: str) -> QuestionDecision:
        runs.lock(connection, run)
        row = connection.execute(select(_REVIEWS).where(_REVIEWS.c.run == run, _REVIEWS.c.item == item)).first()
        return _decision(row) if row else QuestionDecision(item=item)

    def _save(
        self,
        connection: Connection,
        run: str,
        before: QuestionDecision,
        state: ReviewState,
        history: tuple[ReviewState, ...],
    ) -> QuestionDecision:
        values = {"revision": before.revision + 1, "state": state, "history": history, "decided_at": self.db.clock()}
        saved = before.model_copy(update=values)
        row = {
            "run": run,
            "item": saved.item,
            "revision": saved.revision,
            **state.model_dump(mode="json"),
            "history": [each.model_dump(mode="json") for each in history],
            "decided_at": saved.decided_at,
        }
        connection.execute(insert_or_replace(connection.dialect.name, _REVIEWS), row)
        return saved


def _check_seen(present: QuestionDecision, seen: int | None) -> None:
    if seen is not None and seen != present.revision:
        raise Conflict(
            f"The question was changed elsewhere in the meantime: it is {present.state.status} now.",
            remedy="Look at it again, then decide.",
        )


def _decision(row: Row[Any]) -> QuestionDecision:
    return QuestionDecision(
        item=row.item,
        revision=row.revision,
        state=ReviewState(status=row.status, pair=row.pair),
        history=row.history,
        decided_at=row.decided_at,
    )
