"""Taking a run back, after asking."""

import asyncio

from nicegui import html, ui

from studium.core.database import Database
from studium.core.domain.change import ChangeStatus
from studium.service.kinds.cards import Undo
from studium.web.cards.orders import place
from studium.web.house import service
from studium.web.parts.figures import counted


async def offer_undo(run: str) -> None:
    """A button that undoes a run, where there is something of it in Anki to undo."""
    many = await asyncio.to_thread(_standing, service().ledger, run)
    if many:
        ui.button("Undo", icon="undo", on_click=lambda: _ask(run, many)).props("outline")


def _standing(ledger: Database, run: str) -> int:
    return sum(change.status is ChangeStatus.APPLIED for _, change in ledger.changes.of_run(run))


def _ask(run: str, many: int) -> None:
    with ui.dialog(value=True).props('aria-label="Undo the run"') as dialog, ui.element("div").classes("s-card s-ask"):
        html.h2("Undo this run?")
        html.p(
            f"{counted(many, 'change')} in Anki will be put back: new cards go, changed ones get their "
            "old text. Whatever you edited since stays as it is."
        )
        with ui.element("div").classes("s-row"):
            ui.button("Undo the run", on_click=lambda: place("cards.undo", Undo(run=run)))
            ui.button("Keep it", on_click=dialog.close).props("flat")
    dialog.on("hide", dialog.delete)
