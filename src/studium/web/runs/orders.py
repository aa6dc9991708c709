"""The work in the background: what was ordered, how far it is, and what can be done about it."""

import asyncio

from nicegui import html, ui

from studium.core.domain.job import Job
from studium.web.house import service
from studium.web.parts.figures import chip
from studium.web.parts.moments import ago

_SHOWN = 10
_SECONDS_BETWEEN_LOOKS = 1.5


class BackgroundWork:
    """The last orders, as they are now."""

    def __init__(self) -> None:
        self._seen: list[Job] = []

    async def show(self) -> None:
        """Show them, if there are any, and keep looking."""
        self._place = ui.element("section").classes("s-stack").props('aria-label="Background work"')
        self._place.set_visibility(False)
        await self._look()
        ui.timer(_SECONDS_BETWEEN_LOOKS, self._look)

    async def _look(self) -> None:
        orders = await asyncio.to_thread(service().ledger.jobs.newest, _SHOWN)
        if orders == self._seen:
            return
        self._seen = orders
        self._place.set_visibility(bool(orders))
        self._place.clear()
        with self._place:
            html.h2("Background work")
            with ui.element("ul").classes("s-card s-list"):
                for order in orders:
                    self._row(order)

    def _row(self, order: Job) -> None:
        with ui.element("li").classes("s-stack s-tight"):
            with ui.element("div").classes("s-row"):
                chip(order.status)
                html.a(order.kind.replace(".", ": "), href=_address(order)).classes("s-grow")
                html.span(ago(order.placed_at)).classes("s-muted s-small")
                if not order.is_over:
                    ui.button("Cancel", on_click=lambda: self._cancel(order.id)).props("outline dense")
                elif order.status in ("failed", "cancelled"):
                    ui.button("Resume", on_click=lambda: self._resume(order.id)).props("outline dense")
            if not order.is_over and order.total:
                html.span(f"{order.done} of {order.total} · {order.item}").classes("s-muted s-small")
            if problem := order.problem:
                html.span(str(problem.get("detail", ""))).classes("s-order-problem")
                html.span(str(problem.get("remedy", ""))).classes("s-muted s-small")

    async def _cancel(self, order: str) -> None:
        await service().workshop.cancel(order)
        await self._look()

    async def _resume(self, order: str) -> None:
        await service().workshop.resume(order)
        await self._look()


def _address(order: Job) -> str:
    """Where an order can be followed."""
    faculty = order.kind.partition(".")[0]
    return "/" if faculty == "demo" else f"/{faculty}?order={order.id}"
