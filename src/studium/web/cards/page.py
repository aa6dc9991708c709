"""`/cards`: choose a vault, look at the plan, carry it out, take it back."""

from pathlib import Path

from nicegui import ui

from studium.web.cards.beginning import begin
from studium.web.cards.following import follow
from studium.web.cards.runs import show_run
from studium.web.frame import page

_LOOKS = Path(__file__).with_name("cards.css")


@page("/cards", "Cards")
async def cards(order: str = "", run: str = "", card: str = "") -> None:
    """What is open stands in the address: an order under way or done, an earlier run, and the card looked at."""
    ui.add_css(_LOOKS)
    if order:
        await follow(order, card)
    elif run:
        await show_run(run, card)
    else:
        await begin()
