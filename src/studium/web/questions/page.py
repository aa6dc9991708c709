"""The page: ask about a document, follow the asking, look at what came of it."""

from pathlib import Path

from nicegui import ui

from studium.web.frame import here, page
from studium.web.questions.asking import ask_form
from studium.web.questions.following import follow
from studium.web.questions.outcome import show_run
from studium.web.questions.runs import past_runs

_LOOKS = Path(__file__).parent / "questions.css"


@page("/questions", "Questions")
async def questions(order: str = "", run: str = "") -> None:
    """What the address names: an order under way, a run, or neither."""
    ui.add_css(_LOOKS)
    if order or run:
        with here().actions:
            ui.button("New questions", icon="add", on_click=lambda: ui.navigate.to("/questions")).props("outline")
    if order:
        await follow(order)
    elif run:
        await show_run(run)
    else:
        await ask_form()
        await past_runs()
