"""The dictionary, prepared once before the first song is read."""

from nicegui import html, ui

from studium.core.domain.job import Job
from studium.service.kinds.vocabulary import Prepare
from studium.web.house import service
from studium.web.parts.orders import going_on, order_progress


async def prepare_first() -> None:
    """Show the dictionary being prepared, and the song when it is."""
    under_way = await going_on("vocabulary.prepare")
    order = under_way[0] if under_way else await service().order("vocabulary.prepare", Prepare())
    html.p("Before the first song, the dictionary is prepared. This is done once, and takes about half a minute.")
    order_progress(order, title="Preparing the dictionary", on_end=_ended)


def _ended(order: Job) -> None:
    if order.status == "done":
        ui.navigate.reload()
    else:
        ui.button("Try again", on_click=ui.navigate.reload)
