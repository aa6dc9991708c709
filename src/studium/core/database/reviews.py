"""Reviews in the database: decisions that wait for a person, and the answers."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, func, select, update

from studium.core.database import tables
from studium.core.database.engine import Transactions, clean_text, find_id, insert_new
from studium.core.domain.decision import Decision, Review, ReviewLine, ReviewStatus, review_id
from studium.core.domain.errors import BadInput, Conflict

_OPEN = ReviewStatus.OPEN.value


def read_status(given: str) -> ReviewStatus:
    """The status with this name."""
    try:
        return ReviewStatus(given)
    except ValueError as error:
        raise BadInput(f"A review is {', '.join(ReviewStatus)}; '{given}' is none of these.") from error


def open_new(connection: Connection, run: str, feature: str, doubts: dict[str, dict[str, Any]], now: datetime) -> None:
    """Open a review for each of these, by id, unless there is one."""
    # In the order of their ids: two transactions that open the same reviews then never deadlock.
    rows = [
        {"id": key, "run": run, "feature": feature, "decision": doubts[key], "status": _OPEN, "opened_at": now}
        for key in sorted(doubts)
    ]
    if rows:
        connection.execute(insert_new(connection.dialect.name, tables.reviews), rows)


def select_reviews(
    connection: Connection, status: str | None, feature: str | None, *, limit: int, offset: int
) -> list[Review]:
    """The reviews of this status and feature, oldest first."""
    reviews = tables.reviews.c
    wanted = select(tables.reviews).order_by(reviews.opened_at, reviews.id).limit(limit).offset(offset)
    if status:
        wanted = wanted.where(reviews.status == read_status(status).value)
    if feature:
        wanted = wanted.where(reviews.feature == feature)
    return [_review(row) for row in connection.execute(wanted)]


def count(connection: Connection, status: str | None) -> dict[str, int]:
    """How many reviews of this status each feature has."""
    reviews = tables.reviews.c
    counted = select(reviews.feature, func.count()).group_by(reviews.feature)
    if status:
        counted = counted.where(reviews.status == read_status(status).value)
    return {row.feature: row[1] for row in connection.execute(counted)}


def summaries(connection: Connection) -> list[ReviewLine]:
    """Every review as one line, oldest first; proposals are not loaded."""
    reviews = tables.reviews.c
    said = (reviews.decision["reasons"][0], reviews.decision["findings"][0]["message"])
    doubt = func.coalesce(*(each.as_string() for each in said), "")
    about = (reviews.id, reviews.feature, reviews.decision["item"].as_string(), reviews.status, doubt)
    wanted = select(*about, reviews.opened_at).order_by(reviews.opened_at, reviews.id)
    names = tuple(ReviewLine.model_fields)
    return [ReviewLine.model_validate(dict(zip(names, row, strict=True))) for row in connection.execute(wanted)]


def version(connection: Connection) -> tuple[Any, ...]:
    """A value that changes whenever a review changes."""
    reviews = tables.reviews.c
    opened = (func.count(), func.max(reviews.opened_at))
    answered = (func.count(reviews.answered_at), func.max(reviews.answered_at))
    return tuple(connection.execute(select(*opened, *answered)).one())


def previous(connection: Connection, review: Review) -> Review | None:
    """The last review of the same item that was opened before this one."""
    reviews = tables.reviews.c
    same = (reviews.feature == review.feature) & (reviews.decision["item"].as_string() == review.decision.item)
    earlier = select(tables.reviews).where(same & (reviews.opened_at < review.opened_at))
    row = connection.execute(earlier.order_by(reviews.opened_at.desc()).limit(1)).first()
    return _review(row) if row else None


def find(connection: Connection, given: str) -> Review:
    """The review with this id, or the only one whose id starts so."""
    key = find_id(connection, tables.reviews.c.id, given, "review")
    return _review(connection.execute(select(tables.reviews).where(tables.reviews.c.id == key)).one())


def find_answer(connection: Connection, feature: str, decision: Decision) -> Review | None:
    """The answer to this doubt, if there is one."""
    same = tables.reviews.c.id == review_id(feature, decision)
    row = connection.execute(select(tables.reviews).where(same & (tables.reviews.c.status != _OPEN))).first()
    return _review(row) if row else None


def take_answer(connection: Connection, answered: Review, now: datetime) -> Review:
    """Save an answer, if the review is still open: the first answer wins."""
    _check(answered)
    change = {
        "status": answered.status.value,
        "answer": answered.answer,
        "comment": answered.comment and clean_text(answered.comment),
        "answered_at": now,
    }
    still_open = (tables.reviews.c.id == answered.id) & (tables.reviews.c.status == _OPEN)
    taken = connection.execute(update(tables.reviews).where(still_open).values(change)).rowcount
    present = find(connection, answered.id)
    if not taken:
        raise Conflict(_describe_status(present), remedy="See the answer; reopen the review to change it.")
    return present


def reopen(connection: Connection, given: str, seen: datetime | None) -> Review:
    """Reopen a review; with a time, only if its answer was given at that time."""
    review = find(connection, given)
    if seen and review.answered_at not in (None, seen):
        raise Conflict(_describe_status(review), remedy="See that answer; it is not the one you want to undo.")
    change = {"status": _OPEN, "answer": None, "comment": None, "answered_at": None}
    connection.execute(update(tables.reviews).where(tables.reviews.c.id == review.id).values(change))
    return find(connection, review.id)


@dataclass(frozen=True)
class ReviewRepository:
    """The reviews of a database; each method is one transaction."""

    db: Transactions

    def select(
        self, status: str | None = "open", feature: str | None = None, *, limit: int = 100, offset: int = 0
    ) -> list[Review]:
        """The reviews of this status (`None`: any) and feature, oldest first."""
        with self.db.reading() as connection:
            return select_reviews(connection, status, feature, limit=limit, offset=offset)

    def count(self, status: str | None = "open") -> dict[str, int]:
        """How many reviews of this status (`None`: any) each feature has."""
        with self.db.reading() as connection:
            return count(connection, status)

    def summaries(self) -> list[ReviewLine]:
        """Every review as one line, oldest first."""
        with self.db.reading() as connection:
            return summaries(connection)

    def version(self) -> tuple[Any, ...]:
        """A value that changes whenever a review changes."""
        with self.db.reading() as connection:
            return version(connection)

    def previous(self, review: Review) -> Review | None:
        """The last review of the same item that was opened before this one."""
        with self.db.reading() as connection:
            return previous(connection, review)

    def get(self, given: str) -> Review:
        """The review with this id, or the only one whose id starts so."""
        with self.db.reading() as connection:
            return find(connection, given)

    def answer(
        self, given: str, status: str, answer: dict[str, Any] | None = None, comment: str | None = None
    ) -> Review:
        """Save an answer; an edit must match the proposal's schema, and the first answer wins."""
        answered = {"status": read_status(status), "answer": answer, "comment": comment}
        with self.db.writing() as connection:
            review = find(connection, given).model_copy(update=answered)
            return take_answer(connection, review, self.db.clock())

    def reopen(self, given: str, seen: datetime | None = None) -> Review:
        """Reopen a review; with a time, only if its answer was given at that time."""
        with self.db.writing() as connection:
            return reopen(connection, given, seen)

    def find_answer(self, feature: str, decision: Decision) -> Review | None:
        """The answer to this doubt, if there is one."""
        with self.db.reading() as connection:
            return find_answer(connection, feature, decision)


def _check(answered: Review) -> None:
    if answered.status is ReviewStatus.OPEN:
        raise BadInput("An answer approves, edits, rejects or responds; it cannot leave the review open.")
    if answered.status is ReviewStatus.EDITED and answered.answer is None:
        raise BadInput(f"Review {answered.id} is to be edited, but the edited proposal is missing.")
    if answered.status is ReviewStatus.RESPONDED and not (answered.answer or answered.comment):
        raise BadInput(f"Review {answered.id} is to be responded to, but the response is missing.")
    schema = answered.decision.proposal_schema
    if answered.answer is None or schema is None:
        return
    if problems := _problems(answered.answer, schema):
        listed = "\n".join(f"- {problem}" for problem in problems)
        raise BadInput(f"The answer to review {answered.id} does not match the proposal's schema:\n{listed}")


def _problems(proposal: dict[str, Any], schema: dict[str, Any]) -> list[str]:
    """The schema errors of a proposal: `cards[0].front: 5 is not of type 'string'`."""
    from jsonschema.validators import Draft202012Validator, validator_for

    errors = validator_for(schema, default=Draft202012Validator)(schema).iter_errors(proposal)
    return sorted(
        f"{error.json_path.removeprefix('$').lstrip('.') or 'the answer'}: {error.message}" for error in errors
    )


def _describe_status(review: Review) -> str:
    comment = f" with the comment “{review.comment}”" if review.comment else ""
    return f"Review {review.id} was already {review.status} on {review.answered_at:%Y-%m-%d at %H:%M:%S} UTC{comment}."


def _review(row: Row[Any]) -> Review:
    fields = row._asdict()
    return Review(feature=fields.pop("feature"), **fields)
