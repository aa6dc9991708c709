"""Orders of cards on the page: what they are called, and the way to them."""

from pathlib import Path

from nicegui import ui

from studium.core.domain.job import Job
from studium.service.kinds.kind import Request
from studium.web.house import service

_TITLES = {
    "cards.plan": "Planning the cards of {}",
    "cards.sync": "Making the cards of {}",
    "cards.apply": "Carrying out the plan",
    "cards.undo": "Undoing the run",
    "cards.recheck": "Looking over the cards of {}",
    "cards.adopt": "Taking over cards for {}",
    "cards.rebuild": "Finding the cards of {} again",
    "cards.tidy": "Tidying the media of {}",
}


def title_of(order: Job) -> str:
    """What an order is about, in words."""
    return _TITLES.get(order.kind, order.kind).format(Path(str(order.request.get("vault", "cards"))).name)


async def place(kind: str, request: Request) -> None:
    """Place an order, and go where it can be followed."""
    order = await service().order(kind, request)
    ui.navigate.to(f"/cards?order={order.id}")
