"""Items in the database; each is saved once, together with its decisions."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, func, insert, select

from studium.core.database import model_calls, reviews, runs, tables
from studium.core.database.engine import Transactions, decision_record, in_chunks
from studium.core.domain.decision import Action, Decision, Plan, review_id
from studium.core.domain.usage import Call

_RUN: BindParameter[str] = bindparam("run")
_ITEMS = select(tables.items.c.item).where(tables.items.c.run == _RUN)
_ONE = _ITEMS.where(tables.items.c.item == bindparam("item"))
_AMONG = _ITEMS.where(tables.items.c.item.in_(bindparam("among", expanding=True)))
_LAST = select(func.max(tables.decisions.c.position)).where(tables.decisions.c.run == _RUN)
_DECISIONS = (
    select(tables.decisions.c.position, tables.decisions.c.body)
    .where(tables.decisions.c.run == _RUN)
    .order_by(tables.decisions.c.position)
)
_COUNT = select(func.count()).select_from(tables.decisions).where(tables.decisions.c.run == _RUN)
_FINDINGS = (
    select(tables.findings)
    .where(tables.findings.c.run == _RUN)
    .order_by(tables.findings.c.position, tables.findings.c.ordinal)
)


@dataclass(frozen=True)
class ItemResult:
    """The decisions about one item, and its calls that are not in the database yet."""

    item: str
    decisions: Sequence[Decision]
    calls: Sequence[Call] = ()


def save(connection: Connection, run: str, settlements: Iterable[ItemResult], now: datetime) -> int:
    """Save the items that are not saved yet, and return how many."""
    feature = runs.lock(connection, run)
    fresh = _not_settled(connection, run, settlements)
    if not fresh:
        return 0
    connection.execute(insert(tables.items), [{"run": run, "item": each.item, "settled_at": now} for each in fresh])
    _write_decisions(connection, run, feature, fresh, now)
    model_calls.count(connection, [(call, run, each.item) for each in fresh for call in each.calls], now)
    return len(fresh)


def finished(connection: Connection, run: str) -> set[str]:
    """The finished items of the run."""
    return set(connection.scalars(_ITEMS, {"run": run}))


def is_finished(connection: Connection, run: str, item: str) -> bool:
    """Whether this item is finished."""
    return connection.scalar(_ONE, {"run": run, "item": item}) is not None


def decisions(connection: Connection, run: str) -> list[Decision]:
    """The decisions of the run, in order."""
    return _with_findings(connection.execute(_DECISIONS, {"run": run}), connection.execute(_FINDINGS, {"run": run}))


def decisions_page(
    connection: Connection, run: str, action: str | None, *, limit: int, offset: int
) -> tuple[list[Decision], int]:
    """Some decisions of the run, and how many there are in all."""
    wanted, counted = _DECISIONS, _COUNT
    if action:
        wanted = wanted.where(tables.decisions.c.action == action)
        counted = counted.where(tables.decisions.c.action == action)
    found = connection.execute(wanted.limit(limit).offset(offset), {"run": run}).all()
    total = connection.scalar(counted, {"run": run}) or 0
    if not found:
        return [], total
    between = tables.findings.c.position.between(found[0].position, found[-1].position)
    return _with_findings(found, connection.execute(_FINDINGS.where(between), {"run": run})), total


@dataclass(frozen=True)
class ItemRepository:
    """The items of runs and their decisions; each method is one transaction."""

    db: Transactions

    def save(self, run: str, item: str, decisions: Sequence[Decision], calls: Sequence[Call] = ()) -> bool:
        """Save the decisions about an item; false, and nothing changes, if it was saved before."""
        return self.save_many(run, [ItemResult(item, decisions, calls)]) == 1

    def save_many(self, run: str, results: Iterable[ItemResult]) -> int:
        """Save many items, all or none, and return how many are new."""
        with self.db.writing() as connection:
            return save(connection, run, results, self.db.clock())

    def finished(self, run: str) -> set[str]:
        """The finished items of the run."""
        with self.db.reading() as connection:
            return finished(connection, run)

    def is_finished(self, run: str, item: str) -> bool:
        """Whether this item of the run is finished."""
        with self.db.reading() as connection:
            return is_finished(connection, run, item)

    def decisions(self, run: str) -> list[Decision]:
        """The decisions of the run, in order."""
        with self.db.reading() as connection:
            return decisions(connection, run)

    def decisions_page(
        self, run: str, action: str | None = None, *, limit: int = 100, offset: int = 0
    ) -> tuple[list[Decision], int]:
        """Some decisions of the run, and how many there are in all."""
        with self.db.reading() as connection:
            found = runs.find(connection, run).id
            return decisions_page(connection, found, action, limit=limit, offset=offset)

    def plan(self, run: str) -> Plan:
        """The run's decisions as a plan."""
        with self.db.reading() as connection:
            found = runs.find(connection, run)
            return Plan(run=found.id, feature=found.feature, decisions=tuple(decisions(connection, found.id)))


def _with_findings(decided: Iterable[Any], found: Iterable[Any]) -> list[Decision]:
    findings = defaultdict(list)
    for row in found:
        finding = {"code": row.code, "severity": row.severity, "message": row.message, "where": row.place}
        findings[row.position].append(finding)
    return [Decision.model_validate({**row.body, "findings": findings.get(row.position, ())}) for row in decided]


def _not_settled(connection: Connection, run: str, settlements: Iterable[ItemResult]) -> list[ItemResult]:
    """One result for each item: the first, and none if the database has one."""
    given: dict[str, ItemResult] = {}
    for each in settlements:
        given.setdefault(each.item, each)
    for some in in_chunks(list(given)):
        for item in connection.scalars(_AMONG, {"run": run, "among": some}):
            del given[item]
    return list(given.values())


def _write_decisions(
    connection: Connection, run: str, feature: str, settlements: list[ItemResult], now: datetime
) -> None:
    last = connection.scalar(_LAST, {"run": run})
    rows: list[dict[str, Any]] = []
    finding_rows: list[dict[str, Any]] = []
    doubts: dict[str, dict[str, Any]] = {}
    made = ((each.item, decision) for each in settlements for decision in each.decisions)
    for position, (item, decision) in enumerate(made, 0 if last is None else last + 1):
        record = decision_record(decision)
        if decision.action is Action.MANUAL_REVIEW:
            doubts[review_id(feature, decision)] = record
        where = {"run": run, "position": position}
        finding_rows += _finding_rows(where, record["findings"])
        body = {name: value for name, value in record.items() if name != "findings"}
        rows.append({**where, "item": item, "action": decision.action.value, "score": decision.score, "body": body})
    if rows:
        connection.execute(insert(tables.decisions), rows)
    if finding_rows:
        connection.execute(insert(tables.findings), finding_rows)
    reviews.open_new(connection, run, feature, doubts, now)


def _finding_rows(where: dict[str, Any], findings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {
            **where,
            "ordinal": ordinal,
            "code": finding["code"],
            "severity": finding["severity"],
            "message": finding["message"],
            "place": finding["where"],
        }
        for ordinal, finding in enumerate(findings)
    ]
