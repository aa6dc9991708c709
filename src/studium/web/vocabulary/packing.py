"""An Anki package of exactly the words that were chosen."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from nicegui import html, ui

from studium.core.domain.errors import BadInput
from studium.core.domain.job import Job
from studium.service.kinds.vocabulary import Package
from studium.web.house import service
from studium.web.parts.figures import counted
from studium.web.parts.orders import going_on, order_progress

if TYPE_CHECKING:
    from studium.web.vocabulary.reader import Desk


def pack(desk: "Desk", under_way: Iterable[Job]) -> None:
    """The button that makes the package, and the package being made."""
    place = ui.element("div").classes("s-stack")
    make = ui.button("Make Anki cards of the chosen words", icon="style", on_click=lambda: _order(desk, place))
    make.classes("v-make").move(target_index=1)
    for order in under_way:
        _follow(order, place)


async def packages_under_way(song: str) -> list[Job]:
    """The packages of this song that are being made."""
    return [order for order in await going_on("vocabulary.package") if order.request.get("song") == song]


async def _order(desk: "Desk", place: ui.element) -> None:
    if not desk.chosen:
        raise BadInput("No word is chosen.", remedy="Tick the words that you want on cards.")
    _follow(await service().order("vocabulary.package", Package(song=desk.opened.id, words=desk.chosen)), place)


def _follow(order: Job, place: ui.element) -> None:
    place.clear()
    with place:
        order_progress(order, title="Making the cards", on_end=_made)


def _made(order: Job) -> None:
    if order.status != "done":
        return
    words = (order.result or {}).get("words", 0)
    address = f"/api/v1/orders/{order.id}/files/words.apkg"
    with ui.element("div").classes("s-row"):
        html.a(f"Download the cards of {counted(words, 'word')}", href=address).props("download=words.apkg").classes(
            "s-button"
        )
        html.span("Open the file with Anki to add them.").classes("s-muted s-small")
