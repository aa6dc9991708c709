"""An earlier run of cards: what it decided, and the way to take it back."""

import asyncio
from pathlib import Path

from nicegui import html

from studium.core.domain.errors import BadInput
from studium.web.cards.plan import show_plan
from studium.web.cards.undoing import offer_undo
from studium.web.frame import here
from studium.web.house import service


async def show_run(given: str, card: str) -> None:
    """Show an earlier run."""
    run = await asyncio.to_thread(service().ledger.runs.get, given)
    if run.faculty != "cards":
        raise BadInput(f"Run {run.id} made no cards.", remedy="Choose a run of cards, or see all runs.")
    here().rename(f"Cards of {Path(str(run.arguments.get('vault', ''))).name or 'a run'}")
    with here().actions:
        await offer_undo(run.id)
        html.a("Figures of this run", href=f"/runs?run={run.id}").classes("s-button")
        html.a("New plan", href="/cards").classes("s-button")
    await show_plan(run.id, card)
