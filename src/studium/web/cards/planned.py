"""What a run planned, read from the ledger piece by piece: a plan may hold thousands of decisions."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studium.core.database import Database
from studium.core.domain.decision import Action, Decision
from studium.web.cards.rows import table_rows

_AT_FIRST = 200
_AT_ONCE = 1_000


@dataclass(frozen=True)
class Planned:
    """A run's plan: how much there is of what, its first rows, and the way to the others."""

    ledger: Database
    run: str
    vault: Path
    counts: dict[str, int]
    first: list[dict[str, Any]]
    total: int

    @classmethod
    def read(cls, ledger: Database, given: str) -> "Planned":
        """Read the beginning of a run's plan."""
        run = ledger.runs.get(given)
        counts = {action.value: ledger.items.decisions_page(run.id, action.value, limit=1)[1] for action in Action}
        decisions, total = ledger.items.decisions_page(run.id, limit=_AT_FIRST)
        vault = Path(str(run.arguments.get("vault", "")))
        return cls(ledger, run.id, vault, counts, table_rows(decisions), total)

    def more(self, start: int) -> list[dict[str, Any]]:
        """The next rows from this one on."""
        return table_rows(self.ledger.items.decisions_page(self.run, limit=_AT_ONCE, offset=start)[0], start)

    def decision(self, number: int) -> Decision:
        """The decision behind a row."""
        return self.ledger.items.decisions_page(self.run, limit=1, offset=number)[0][0]
