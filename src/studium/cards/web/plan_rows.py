"""A plan as rows of a table: what each shows, what they can be chosen by, and which fit a choice."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studium.core.database import Database
from studium.core.domain.decision import Action, Decision
from studium.core.text.html import visible_text

_LONGEST = 140
_ACTIONS = {
    Action.CREATE: ("create", "good"),
    Action.UPDATE: ("update", "info"),
    Action.SKIP: ("skip", "neutral"),
    Action.MANUAL_REVIEW: ("review", "warn"),
}


def note_of(decision: Decision) -> str:
    """The note that a decision is about, by its path in the vault."""
    order = decision.order or {}
    return str(order.get("note") or decision.item.rpartition("#")[0] or decision.item)


def table_rows(decisions: Sequence[Decision], start: int = 0) -> list[dict[str, Any]]:
    """One row a decision, numbered from `start` on, as short as can be: thousands of them go to the browser."""
    return [_row(number, decision) for number, decision in enumerate(decisions, start)]


def _row(number: int, decision: Decision) -> dict[str, Any]:
    order, proposal = decision.order or {}, decision.proposal or {}
    action, tone = _ACTIONS[decision.action]
    return {
        "id": number,
        "action": action,
        "tone": tone,
        "card": _card_text(decision),
        "deck": order.get("deck") or proposal.get("deck_name") or "",
        "note": note_of(decision),
        "findings": sorted({finding.code for finding in decision.findings}),
        "score": "" if decision.score is None else f"{decision.score:.2f}",
    }


def _card_text(decision: Decision) -> str:
    """What the card asks; where there is no card, why."""
    fields = (decision.proposal or {}).get("fields") or {}
    text = visible_text(next(iter(fields.values()), "")) or " ".join(decision.reasons) or decision.item
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


@dataclass
class RowFilter:
    """Which rows are wanted; what is empty does not matter."""

    action: str | None = None
    deck: str | None = None
    finding: str | None = None
    note: str = ""
    text: str = ""

    def of(self, rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """The rows that fit."""
        return [row for row in rows if self._fits(row)]

    def _fits(self, row: dict[str, Any]) -> bool:
        wanted = ((self.action, row["action"]), (self.deck, row["deck"]))
        if any(one and one != other for one, other in wanted):
            return False
        if self.finding and self.finding not in row["findings"]:
            return False
        return _holds(row["note"], self.note) and _holds(row["card"], self.text)


def filter_options(rows: Sequence[dict[str, Any]]) -> dict[str, list[str]]:
    """What the rows can be chosen by, of each kind."""
    return {
        "action": sorted({row["action"] for row in rows}),
        "deck": sorted({row["deck"] for row in rows if row["deck"]}),
        "finding": sorted({code for row in rows for code in row["findings"]}),
    }


def _holds(text: str, words: str) -> bool:
    folded = text.casefold()
    return all(word in folded for word in words.casefold().split())


_AT_FIRST = 200
_AT_ONCE = 1_000


@dataclass(frozen=True)
class StoredPlan:
    """A run's plan: how much there is of what, its first rows, and the way to the others."""

    database: Database
    run: str
    vault: Path
    counts: dict[str, int]
    first: list[dict[str, Any]]
    total: int

    @classmethod
    def read(cls, database: Database, given: str) -> "StoredPlan":
        """Read the beginning of a run's plan."""
        run = database.runs.get(given)
        counts = {action.value: database.items.decisions_page(run.id, action.value, limit=1)[1] for action in Action}
        decisions, total = database.items.decisions_page(run.id, limit=_AT_FIRST)
        vault = Path(str(run.arguments.get("vault", "")))
        return cls(database, run.id, vault, counts, table_rows(decisions), total)

    def more(self, start: int) -> list[dict[str, Any]]:
        """The next rows from this one on."""
        return table_rows(self.database.items.decisions_page(self.run, limit=_AT_ONCE, offset=start)[0], start)

    def decision(self, number: int) -> Decision:
        """The decision behind a row."""
        return self.database.items.decisions_page(self.run, limit=1, offset=number)[0][0]
