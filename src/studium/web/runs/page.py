"""`/runs`: all runs together; `/runs?run=ID`: one of them."""

from pathlib import Path

from nicegui import ui

from studium.web.frame import page
from studium.web.runs.listing import show_all
from studium.web.runs.one import show_one

_LOOKS = Path(__file__).with_name("runs.css")


@page("/runs", "Runs")
async def runs(run: str = "", faculty: str = "", number: str = "1") -> None:
    """What is open stands in the address: a run, or a page of the list and the faculty it is of."""
    ui.add_css(_LOOKS)
    if run:
        await show_one(run)
    else:
        await show_all(faculty, int(number) if number.isdecimal() else 1)


@page("/runs/{run}", "Run")
async def run(run: str) -> None:
    """One run."""
    ui.add_css(_LOOKS)
    await show_one(run)
