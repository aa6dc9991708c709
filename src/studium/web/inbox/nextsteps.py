"""What becomes of an answer, and the button that makes it happen now."""

from nicegui import html, ui

from studium.cards.jobs import SyncRequest
from studium.core.domain.decision import ReviewStatus
from studium.web.house import service
from studium.web.inbox.look import Look
from studium.web.parts.orders import going_on, order_progress

_NEXT = {
    "cards": "The next sync of the vault writes it.",
    "concepts": "The book goes on by itself.",
    "tutor": "The next look at a transcript for new patterns keeps it.",
}


def show_next(look: Look) -> None:
    """Say what happens next, and offer to do it."""
    review = look.review
    if review.status is ReviewStatus.OPEN:
        return
    with ui.element("section").classes("in-section in-next"):
        html.h3("What happens next")
        html.p(_told(look))
        if review.faculty == "cards" and look.arguments.get("vault"):
            _sync(str(look.arguments["vault"]), str(look.arguments.get("to", "package")))
        elif review.faculty == "concepts":
            place = ui.element("div")
            ui.timer(0, lambda: _follow(place, review.decision.item), once=True)


def _told(look: Look) -> str:
    match look.review.status:
        case ReviewStatus.REJECTED if look.review.faculty != "concepts":
            return "The item is left alone, and this is not asked again."
        case ReviewStatus.RESPONDED if look.review.faculty != "concepts":
            return "The next run tries once more and heeds your words."
    return _NEXT.get(look.review.faculty, "The next run takes it up.")


def _sync(vault: str, to: str) -> None:
    place = ui.element("div")

    async def sync() -> None:
        order = await service().order("cards.sync", SyncRequest(vault=vault, to=to))
        place.clear()
        with place:
            order_progress(order, title="Syncing the vault")

    with place:
        ui.button("Sync the vault now", icon="sync", on_click=sync).props("outline")


async def _follow(place: ui.element, book: str) -> None:
    orders = [order for order in await going_on("concepts") if order.request.get("book") == book]
    with place:
        for order in orders[:1]:
            order_progress(order, title=f"Going on with “{book}”")
