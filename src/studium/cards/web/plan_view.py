"""A plan on the page: how much of what, a table to filter, and the card that is looked at."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nicegui import html, ui

from studium.cards.web.card_frame import CardFrame
from studium.cards.web.decision_detail import load_detail, show_detail
from studium.cards.web.plan_rows import RowFilter, StoredPlan, filter_options
from studium.web.components.browser_state import query_value, set_query
from studium.web.components.labels import stat
from studium.web.components.notices import empty_state
from studium.web.components.table import Column, big_table
from studium.web.frame import current_frame
from studium.web.service import service

_COLUMNS = (Column("action", "Action"), Column("card", "Card"), Column("score", "Score", "right"))
_CELLS = Path(__file__).with_name("cells.html").read_text(encoding="utf-8").split("<!-- next -->")
_FIGURES = {"create": "new", "update": "changed", "manual_review": "for you to decide", "skip": "left out"}


async def show_plan(run: str, card: str) -> None:
    """Show what a run decided, open at the card of this number; the address keeps which it is, and the filters."""
    planned = await asyncio.to_thread(StoredPlan.read, service().database, run)
    if not planned.total:
        empty_state("No cards", "The notes of this run ask for no cards. Write a question and its answer into one.")
        return
    _figures(planned.counts)
    await PlanView(planned).show(card)


def _figures(counts: dict[str, int]) -> None:
    with ui.element("div").classes("s-row s-figures"):
        for action, name in _FIGURES.items():
            stat(name, counts[action])
        if counts["manual_review"]:
            html.a("Answer what waits", href="/inbox?feature=cards").classes("s-button")


class PlanView:
    """The decisions of one run in a table, and one of them beside it."""

    def __init__(self, planned: StoredPlan) -> None:
        self.planned = planned
        self.rows = self.seen = list(planned.first)
        self.frame: CardFrame | None = None
        self.at = 0

    async def show(self, card: str) -> None:
        """Show the plan, open at the card of this number."""
        ui.add_head_html('<style id="chosen-card"></style>')
        self._filters()
        with ui.element("div").classes("s-plan"):
            self.table = big_table(self.rows, _COLUMNS, title="Decisions", on_row=lambda row: self.open(row["id"]))
            self.table.classes("s-plan-table").props("virtual-scroll-item-size=88")
            for column, cell in zip(("action", "card"), _CELLS, strict=True):
                self.table.add_slot(f"body-cell-{column}", cell)
            self.place = ui.element("section").classes("s-card s-plan-detail")
            self.place.props('id=card-detail tabindex=-1 aria-label="The chosen card" aria-live=polite')
        self._choose()
        self._keys()
        first = next((row["id"] for row in self.rows if row["score"]), 0)
        given = int(card[:9]) if card.isdecimal() else first
        await self._look_at(given if given < self.planned.total else first)
        if len(self.rows) < self.planned.total:
            ui.timer(0.1, self._read_the_rest, once=True)

    async def _read_the_rest(self) -> None:
        """The first rows are seen at once; the others come when they are read."""
        while len(self.rows) < self.planned.total:
            more = await asyncio.to_thread(self.planned.more, len(self.rows))
            self.rows = [*self.rows, *more]
            if not more:
                break
        for name, options in filter_options(self.rows).items():
            self.filters[name].set_options(options, value=_among(self.filters[name].value, options))
        self._choose()

    async def open(self, number: int) -> None:
        """Look at a decision, and let the address say so."""
        await self._look_at(number)
        set_query({"card": number})
        ui.run_javascript(
            "if (innerWidth < 900) document.getElementById('card-detail').scrollIntoView({behavior: 'smooth'})"
        )

    async def _look_at(self, number: int) -> None:
        self.at = number
        detail = await load_detail(self.planned, number)
        if number != self.at:  # another was chosen meanwhile
            return
        self.place.clear()
        with self.place:
            self.frame = show_detail(detail)
        # The table would be sent anew for the sake of one class, with all its rows.
        chosen = f'tr:has([data-row="{number}"]) td {{ background: var(--accent-soft) }}'
        ui.run_javascript(f"document.getElementById('chosen-card').textContent = {json.dumps(chosen)}")

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
        self.table.rows = self.seen
        self.counted.set_text(self._count())

    def _count(self) -> str:
        return f"{len(self.seen)} of {self.planned.total}"

    def _keys(self) -> None:
        keys = current_frame().keys
        keys.on("j", "Next card", lambda: self._step(1))
        keys.on("k", "Card before", lambda: self._step(-1))
        keys.on("f", "Turn the card over", self._flip)

    async def _step(self, by: int) -> None:
        numbers: list[Any] = [row["id"] for row in self.seen]
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
    """A filter; a value that the address names may come with rows that are not read yet."""
    known = sorted({*options, query_value(name)} - {""})
    select = ui.select(
        known, value=query_value(name) or None, label=name.capitalize(), clearable=True, on_change=on_change
    )
    return select.props("outlined dense")


def _among(value: str | None, options: list[str]) -> str | None:
    return value if value in options else None
