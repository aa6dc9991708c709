"""An order of cards on its page: how far it is, and then what came of it."""

import asyncio
from collections.abc import Callable
from typing import Any

from nicegui import html, ui

from studium.core.database import Database
from studium.core.domain.errors import BadInput
from studium.core.domain.job import Job
from studium.service.kinds.cards import Apply, Sync
from studium.web.cards.orders import place, title_of
from studium.web.cards.outcomes import offer_packages, show_applied, show_other, show_undone
from studium.web.cards.plan import show_plan
from studium.web.frame import here
from studium.web.house import service
from studium.web.parts.notices import empty_state
from studium.web.parts.orders import order_progress

_MASS_CHANGE = "--allow-mass-change"
"""What the remedy names when more would change than goes unasked."""
_APPLIES_LOOKED_AT = 200


async def follow(given: str, card: str) -> None:
    """Show an order: its progress while it goes on, its outcome afterwards."""
    order = await service().workshop.find(given)
    if not order.kind.startswith("cards."):
        raise BadInput(f"Order {order.id} has nothing to do with cards.", remedy="See the runs for what it made.")
    here().rename(title_of(order))
    if not order.is_over:
        order_progress(order, title=title_of(order), on_end=lambda _: ui.navigate.reload())
    elif order.status != "done":
        _ended_early(order)
    elif order.kind in ("cards.plan", "cards.sync"):
        await _planned(order, card)
    elif order.kind == "cards.apply":
        await show_applied(order, card)
    elif order.kind == "cards.undo":
        show_undone(order)
    else:
        show_other(order)


async def _planned(order: Job, card: str) -> None:
    if not order.run:
        _nothing_changed(order)
        return
    if order.kind == "cards.sync":
        await show_applied(order, card)
        return
    here().rename("The plan")
    applied = await asyncio.to_thread(_applied_by, service().ledger, order.id)
    with here().actions:
        if applied:
            html.a("Applied: see what was done", href=f"/cards?order={applied.id}").classes("s-button")
        else:
            ui.button("Apply", icon="done_all", on_click=lambda: _apply(order.id))
    await show_plan(order.run, card)


async def _apply(plan: str, *, anyway: bool = False) -> None:
    """Carry a plan out, once: whoever comes second, from another tab, is brought to the first."""
    before = await asyncio.to_thread(_applied_by, service().ledger, plan)
    if before:
        ui.navigate.to(f"/cards?order={before.id}")
    else:
        await place("cards.apply", Apply(plan=plan, allow_mass_change=anyway))


def _applied_by(ledger: Database, plan: str) -> Job | None:
    """The order that carries a plan out, or did; one that came to nothing does not count."""
    applies = ledger.jobs.newest(_APPLIES_LOOKED_AT, job_type="cards.apply")
    ours = (each for each in applies if each.request.get("plan") == plan)
    return next((each for each in ours if each.status not in ("failed", "cancelled")), None)


def _nothing_changed(order: Job) -> None:
    here().rename("Nothing to do")
    with (
        empty_state(
            "Everything is in step", "No note has changed since its cards were made. Edit a note, and plan again.",
            icon="task_alt",
        ),
        ui.element("div").classes("s-row"),
    ):  # fmt: skip
        again = Sync.model_validate(order.request)
        if not offer_packages(order) and again.to == "package":
            ui.button("Download the package", icon="download", on_click=lambda: place("cards.sync", again))
        html.a("Choose another vault", href="/cards").classes("s-button")


def _ended_early(order: Job) -> None:
    problem = order.problem or {}
    cancelled = order.status == "cancelled"
    here().rename("Cancelled" if cancelled else "That did not work")
    with ui.element("div").classes("s-problem").props("role=alert"):
        ui.icon("error_outline").props("aria-hidden=true")
        with ui.element("div"):
            html.strong("It was cancelled." if cancelled else str(problem.get("detail", "It failed.")))
            html.p("What was done is kept; go on whenever you like." if cancelled else _remedy(problem))
    with ui.element("div").classes("s-row"):
        for name, icon, does in _ways_on(order, problem):
            ui.button(name, icon=icon, on_click=does)
        html.a("Begin anew", href="/cards").classes("s-button")


def _remedy(problem: dict[str, Any]) -> str:
    remedy = str(problem.get("remedy", ""))
    if _MASS_CHANGE in remedy:
        return "If that is what you want, apply it anyway; else check that the vault is the right folder."
    return remedy


def _ways_on(order: Job, problem: dict[str, Any]) -> list[tuple[str, str, Callable[[], Any]]]:
    """What can be done about an order that did not get to its end."""

    async def again() -> None:
        await service().workshop.resume(order.id)
        ui.navigate.reload()

    async def plan_again() -> None:
        plan = await service().workshop.find(str(order.request["plan"]))
        await place("cards.plan", Sync.model_validate(plan.request))

    if order.kind == "cards.apply" and order.status == "failed":
        if _MASS_CHANGE in str(problem.get("remedy", "")):
            return [("Apply anyway", "warning", lambda: _apply(str(order.request["plan"]), anyway=True))]
        return [("Make a new plan", "fact_check", plan_again), ("Try again", "refresh", again)]
    return [("Go on" if order.status == "cancelled" else "Try again", "refresh", again)]
