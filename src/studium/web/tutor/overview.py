"""The labs to choose from."""

import asyncio

from nicegui import html, ui

from studium.domain.lab import Lab
from studium.faculties import labs
from studium.web.house import service
from studium.web.parts.figures import chip
from studium.web.parts.notices import empty_state
from studium.web.tutor.steering import cannot_run
from studium.web.tutor.waiting import on_devices


async def overview() -> None:
    """All labs, what each is about, and whether it is up."""
    found = await on_devices(labs.labs, service().settings)
    obstacle = await asyncio.to_thread(labs.obstacle)
    html.p("Small networks of real routers: configure them, break them, and ask the tutor beside you.").classes(
        "s-muted"
    )
    if obstacle:
        cannot_run(obstacle)
    if not found:
        empty_state("There are no labs", "Name a folder of labs under `tutor.labs` in the settings.", icon="router")
    with ui.element("div").classes("s-grid"):
        for lab, is_up in found:
            _card(lab, is_up=is_up)


def _card(lab: Lab, *, is_up: bool) -> None:
    with html.a(href=f"/tutor?lab={lab.id}").classes("s-card t-choice"):
        with ui.element("div").classes("s-row s-between"):
            html.span(lab.id.partition("-")[0]).classes("s-muted s-mono")
            if is_up:
                chip("up", "good")
        html.h2(lab.title)
        html.p(lab.goal).classes("s-muted s-grow")
        with ui.element("div").classes("s-row s-tight"):
            for topic in lab.topics:
                chip(topic)
