"""A plan on the page: counts, a table with filters, and the details of the selected card."""

import asyncio
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from nicegui import html, ui

from studium.cards.sync.changes import note_of
from studium.cards.web.card_frame import CardFrame
from studium.cards.web.decision_detail import DecisionDetail, prepare_detail, show_detail
from studium.core.database import Database
from studium.core.domain.decision import Action, Decision
from studium.core.text.html import visible_text
from studium.web.components.browser_state import query_value, set_query
from studium.web.components.labels import stat
from studium.web.components.notices import empty_state
from studium.web.components.table import Column, big_table
from studium.web.frame import current_frame
from studium.web.service import service

_COLUMNS = (Column("action", "Action"), Column("card", "Card"), Column("score", "Score", "right"))
_CELLS = Path(__file__).with_name("cells.html").read_text(encoding="utf-8").split("<!-- next -->")
_FIGURES = {"create": "new", "update": "changed", "manual_review": "for you to decide", "skip": "unchanged"}
_MAX_TEXT = 140
_ACTIONS = {
    Action.CREATE: ("create", "good"),
    Action.UPDATE: ("update", "info"),
    Action.SKIP: ("skip", "neutral"),
    Action.MANUAL_REVIEW: ("review", "warn"),
}
_FIRST_ROWS = 200
_MORE_ROWS = 1_000


class PlanRow(TypedDict):
    """A decision as a row of the table; the score is empty if the card was not judged."""

    id: int
    action: str
    tone: str
    card: str
    deck: str
    note: str
    findings: list[str]
    score: str


def table_rows(decisions: Sequence[Decision], start: int = 0) -> list[PlanRow]:
    """One short row for each decision, numbered from `start`: thousands of them go to the browser."""
    return [_row(number, decision) for number, decision in enumerate(decisions, start)]


def _row(number: int, decision: Decision) -> PlanRow:
    change, proposal = decision.change or {}, decision.proposal or {}
    action, tone = _ACTIONS[decision.action]
    return {
        "id": number,
        "action": action,
        "tone": tone,
        "card": _card_text(decision),
        "deck": change.get("deck") or proposal.get("deck_name") or "",
        "note": note_of(decision),
        "findings": sorted({finding.code for finding in decision.findings}),
        "score": "" if decision.score is None else f"{decision.score:.2f}",
    }


def _card_text(decision: Decision) -> str:
    """The question of the card, or the reasons if there is no card."""
    fields = (decision.proposal or {}).get("fields") or {}
    text = visible_text(next(iter(fields.values()), "")) or " ".join(decision.reasons) or decision.item
    return text if len(text) <= _MAX_TEXT else f"{text[:_MAX_TEXT]}…"


@dataclass
class RowFilter:
    """The filters of the table; an empty one matches every row."""

    action: str | None = None
    deck: str | None = None
    finding: str | None = None
    note: str = ""
    text: str = ""

    def of(self, rows: Iterable[PlanRow]) -> list[PlanRow]:
        """The rows that match."""
        return [row for row in rows if self._matches(row)]

    def _matches(self, row: PlanRow) -> bool:
        exact = ((self.action, row["action"]), (self.deck, row["deck"]))
        if any(wanted and wanted != found for wanted, found in exact):
            return False
        if self.finding and self.finding not in row["findings"]:
            return False
        return _contains(row["note"], self.note) and _contains(row["card"], self.text)


def filter_options(rows: Sequence[PlanRow]) -> dict[str, list[str]]:
    """The values that each filter offers."""
    return {
        "action": sorted({row["action"] for row in rows}),
        "deck": sorted({row["deck"] for row in rows if row["deck"]}),
        "finding": sorted({code for row in rows for code in row["findings"]}),
    }


def _contains(text: str, words: str) -> bool:
    folded = text.casefold()
    return all(word in folded for word in words.casefold().split())


@dataclass(frozen=True)
class StoredPlan:
    """The plan of a run: counts by action, the first rows, and access to the others."""

    database: Database
    run: str
    vault: Path
    counts: dict[str, int]
    first: list[PlanRow]
    total: int

    @classmethod
    def read(cls, database: Database, given: str) -> "StoredPlan":
        """Read the counts and the first rows of a run's plan."""
        run = database.runs.get(given)
        counts = {action.value: database.items.decisions_page(run.id, action.value, limit=1)[1] for action in Action}
        decisions, total = database.items.decisions_page(run.id, limit=_FIRST_ROWS)
        vault = Path(str(run.arguments.get("vault", "")))
        return cls(database, run.id, vault, counts, table_rows(decisions), total)

    def more(self, start: int) -> list[PlanRow]:
        """The next rows, starting at this number."""
        return table_rows(self.database.items.decisions_page(self.run, limit=_MORE_ROWS, offset=start)[0], start)

    def decision(self, number: int) -> Decision:
        """The decision behind a row."""
        return self.database.items.decisions_page(self.run, limit=1, offset=number)[0][0]


async def show_plan(run: str, card: str) -> None:
    """Show the decisions of a run with one card open; the address holds the card's number and the filters."""
    planned = await asyncio.to_thread(StoredPlan.read, service().database, run)
    if not planned.total:
        empty_state("No cards", "The notes of this run define no cards. Write a question and its answer into one.")
        return
    _figures(planned.counts)
    await PlanView(planned).show(card)


def _figures(counts: dict[str, int]) -> None:
    with ui.element("div").classes("s-row s-figures"):
        for action, name in _FIGURES.items():
            stat(name, counts[action])
        if counts["manual_review"]:
            html.a("Open the inbox", href="/inbox?feature=cards").classes("s-button")


class PlanView:
    """The decisions of one run in a table, with one of them open beside it."""

    def __init__(self, planned: StoredPlan) -> None:
        self.planned = planned
        self.rows = self.seen = list(planned.first)
        self.frame: CardFrame | None = None
        self.at = 0

    async def show(self, card: str) -> None:
        """Show the plan with this card open."""
        ui.add_head_html('<style id="chosen-card"></style>')
        self._filters()
        with ui.element("div").classes("s-plan"):
            self.table = big_table(
                [*map(dict, self.rows)], _COLUMNS, title="Decisions", on_row=lambda row: self.open(row["id"])
            )
            self.table.classes("s-plan-table").props("virtual-scroll-item-size=88")
            for column, cell in zip(("action", "card"), _CELLS, strict=True):
                self.table.add_slot(f"body-cell-{column}", cell)
            self.place = ui.element("section").classes("s-card s-plan-detail")
            self.place.props('id=card-detail tabindex=-1 aria-label="The chosen card" aria-live=polite')
        self._choose()
        self._keys()
        first = next((row["id"] for row in self.rows if row["score"]), 0)
        given = int(card[:9]) if card.isdecimal() else first
        await self._show_detail(given if given < self.planned.total else first)
        if len(self.rows) < self.planned.total:
            ui.timer(0.1, self._load_more, once=True)

    async def _load_more(self) -> None:
        """Load the rows after the first ones, which are shown at once."""
        while len(self.rows) < self.planned.total:
            more = await asyncio.to_thread(self.planned.more, len(self.rows))
            self.rows = [*self.rows, *more]
            if not more:
                break
        for name, options in filter_options(self.rows).items():
            self.filters[name].set_options(options, value=_among(self.filters[name].value, options))
        self._choose()

    async def open(self, number: int) -> None:
        """Open a decision and put its number into the address."""
        await self._show_detail(number)
        set_query({"card": number})
        ui.run_javascript(
            "if (innerWidth < 900) document.getElementById('card-detail').scrollIntoView({behavior: 'smooth'})"
        )

    async def _show_detail(self, number: int) -> None:
        self.at = number
        detail = await asyncio.to_thread(self._load_detail, number)
        if number != self.at:  # another card was opened meanwhile
            return
        self.place.clear()
        with self.place:
            self.frame = show_detail(detail)
        # A class on the row would send the whole table again.
        chosen = f'tr:has([data-row="{number}"]) td {{ background: var(--accent-soft) }}'
        ui.run_javascript(f"document.getElementById('chosen-card').textContent = {json.dumps(chosen)}")

    def _load_detail(self, number: int) -> DecisionDetail:
        return prepare_detail(self.planned.decision(number), self.planned.vault)

    def _filters(self) -> None:
        with ui.element("div").classes("s-filters").props('role=group aria-label="Filters"'):
            self.written = {name: _field(name, self._choose) for name in ("text", "note")}
            self.filters = {
                name: _select(name, options, self._choose) for name, options in filter_options(self.rows).items()
            }
            self.counted = ui.label(self._count()).classes("s-muted s-small").props("aria-live=polite")

    def _choose(self) -> None:
        chosen = {name: each.value for name, each in (*self.written.items(), *self.filters.items())}
        set_query(chosen)
        self.seen = RowFilter(**{name: value for name, value in chosen.items() if value}).of(self.rows)
        self.table.rows = [*map(dict, self.seen)]
        self.counted.set_text(self._count())

    def _count(self) -> str:
        return f"{len(self.seen)} of {self.planned.total}"

    def _keys(self) -> None:
        keys = current_frame().keys
        keys.on("j", "Next card", lambda: self._step(1))
        keys.on("k", "Previous card", lambda: self._step(-1))
        keys.on("f", "Turn the card over", self._flip)

    async def _step(self, by: int) -> None:
        numbers = [row["id"] for row in self.seen]
        if not numbers:
            return
        at = numbers.index(self.at) + by if self.at in numbers else 0
        chosen = max(0, min(at, len(numbers) - 1))
        await self.open(numbers[chosen])
        self.table.run_method("scrollTo", chosen)

    def _flip(self) -> None:
        if self.frame:
            self.frame.run_method("flip")


def _field(name: str, on_change: Callable[[], None]) -> ui.input:
    label = "Search" if name == "text" else name.capitalize()
    return ui.input(label, value=query_value(name), on_change=on_change).props("outlined dense clearable debounce=200")


def _select(name: str, options: list[str], on_change: Callable[[], None]) -> ui.select:
    """A filter; a value in the address may belong to rows that are not loaded yet."""
    known = sorted({*options, query_value(name)} - {""})
    select = ui.select(
        known, value=query_value(name) or None, label=name.capitalize(), clearable=True, on_change=on_change
    )
    return select.props("outlined dense")


def _among(value: str | None, options: list[str]) -> str | None:
    return value if value in options else None
