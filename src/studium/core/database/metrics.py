"""Metrics of a run, or of all runs together.

A call that the cache answered took nothing: it is counted, but its time, tokens and cost are not. An unknown cost
never counts as zero: it is `None`, or the known part beside the number of calls of unknown cost.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from sqlalchemy import Column, Connection, Select, func, select

from studium.core.database import runs, tables
from studium.core.database.engine import Transactions
from studium.core.domain.decision import Action
from studium.core.domain.usage import Call, CallOutcome
from studium.core.domain.value import Value

BINS = 10
_CALL = [tables.calls.c[name] for name in Call.model_fields]


class Spent(Value):
    """What calls spent. `cost` is the known part, `None` if there is none; the cost of `unpriced` calls is unknown."""

    calls: int
    cached: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    unpriced: int


class SkillMetrics(Value):
    """How one skill was answered; the times are those of real calls, `None` if there were none.

    `retry_rate` is the share of those without a usable reply, which were repeated or abandoned.
    """

    skill: str
    spent: Spent
    invalid: int
    failed: int
    retry_rate: float
    mean_seconds: float | None
    p50_seconds: float | None
    p95_seconds: float | None


class Scores(Value):
    """How the scores of the decisions are spread: ten bins from 0 to 1, and their mean."""

    bins: tuple[int, ...]
    mean: float | None


class Metrics(Value):
    """The metrics of a run (`None`: of every run)."""

    run: str | None
    items: int
    actions: dict[str, int]
    scores: Scores
    findings: dict[str, int]
    spent: Spent
    skills: tuple[SkillMetrics, ...]


def measure(connection: Connection, run: str | None) -> Metrics:
    """Measure a run, or all runs."""
    calls = [Call.model_construct(**row._asdict()) for row in connection.execute(_of(run, tables.calls.c.run, *_CALL))]
    scores = connection.scalars(_of(run, tables.decisions.c.run, tables.decisions.c.score))
    actions = _counted(connection, run, tables.decisions.c.run, tables.decisions.c.action)
    return Metrics(
        run=run,
        items=connection.scalar(_of(run, tables.items.c.run, func.count())) or 0,
        actions={action.value: actions.get(action.value, 0) for action in Action},
        scores=score_distribution([score for score in scores if score is not None]),
        findings=_counted(connection, run, tables.findings.c.run, tables.findings.c.code),
        spent=spent(calls),
        skills=per_skill(calls),
    )


def spent(calls: Sequence[Call]) -> Spent:
    """The sum of what these calls spent."""
    made = [call for call in calls if not call.cached]
    known = [call.cost for call in made if call.cost is not None]
    return Spent(
        calls=len(calls),
        cached=len(calls) - len(made),
        input_tokens=sum(call.input_tokens for call in made),
        output_tokens=sum(call.output_tokens for call in made),
        cost=sum(known) if known or not made else None,
        unpriced=len(made) - len(known),
    )


def per_skill(calls: Iterable[Call]) -> tuple[SkillMetrics, ...]:
    """The calls by skill, sorted by name."""
    by_skill: dict[str, list[Call]] = defaultdict(list)
    for call in calls:
        by_skill[call.skill].append(call)
    return tuple(_skill_metrics(skill, by_skill[skill]) for skill in sorted(by_skill))


def score_distribution(scores: Sequence[float]) -> Scores:
    """The histogram of scores; one outside 0 to 1 falls into the bin at its end."""
    bins = [0] * BINS
    for score in scores:
        bins[min(max(int(score * BINS), 0), BINS - 1)] += 1
    return Scores(bins=tuple(bins), mean=_mean(scores))


def percentile(ordered: Sequence[float], share: float) -> float | None:
    """The smallest value that at least this share of the values does not exceed."""
    return ordered[max(ceil(share * len(ordered)), 1) - 1] if ordered else None


@dataclass(frozen=True)
class MetricsRepository:
    """Metrics of runs; each method is one transaction."""

    db: Transactions

    def measure(self, run: str | None = None) -> Metrics:
        """The metrics of a run, or of all runs together."""
        with self.db.reading() as connection:
            return measure(connection, run and runs.find(connection, run).id)


def _skill_metrics(skill: str, calls: Sequence[Call]) -> SkillMetrics:
    made = [call for call in calls if not call.cached]
    invalid = sum(call.outcome == CallOutcome.INVALID for call in made)
    failed = sum(call.outcome == CallOutcome.FAILED for call in made)
    seconds = sorted(call.seconds for call in made)
    return SkillMetrics(
        skill=skill,
        spent=spent(calls),
        invalid=invalid,
        failed=failed,
        retry_rate=(invalid + failed) / len(made) if made else 0.0,
        mean_seconds=_mean(seconds),
        p50_seconds=percentile(seconds, 0.50),
        p95_seconds=percentile(seconds, 0.95),
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _of(run: str | None, owner: Column[Any], *columns: Any) -> Select[Any]:
    """Select from the table of `owner`, for one run or for all."""
    wanted = select(*columns).select_from(owner.table)
    return wanted if run is None else wanted.where(owner == run)


def _counted(connection: Connection, run: str | None, owner: Column[Any], by: Column[Any]) -> dict[str, int]:
    rows = connection.execute(_of(run, owner, by, func.count()).group_by(by).order_by(func.count().desc(), by))
    return dict(rows.all())
