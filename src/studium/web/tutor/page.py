"""The tutor: the labs, or one of them with its routers, its goals and the tutor beside it."""

import asyncio
from pathlib import Path

from nicegui import html, ui

from studium.faculties import labs
from studium.web.frame import here, page
from studium.web.tutor.bench import Bench
from studium.web.tutor.chat import Chat
from studium.web.tutor.diagnosis import pasted
from studium.web.tutor.goals import Goals
from studium.web.tutor.overview import overview
from studium.web.tutor.prose import prose
from studium.web.tutor.quiz import Quiz
from studium.web.tutor.room import Room, room_of
from studium.web.tutor.steering import Steering, cannot_run, preparing
from studium.web.tutor.topology import topology

_LOOKS = Path(__file__).with_name("tutor.css")
_SECONDS_BETWEEN_LOOKS = 3.0


@page("/tutor", "Tutor")
async def tutor_page(lab: str = "") -> None:
    """The labs to choose from; `?lab=` opens one."""
    ui.add_css(_LOOKS)
    if lab:
        await _lab(await room_of(lab))
    else:
        await overview()


async def _lab(room: Room) -> None:
    here().rename(room.lab.title)
    obstacle = await asyncio.to_thread(labs.obstacle) if room.state.is_ours else None
    html.a("All labs", href="/tutor").classes("s-small")
    html.p(room.lab.goal)
    if obstacle:
        cannot_run(obstacle)
    Steering(room, here().actions, obstacle)
    with ui.element("div").classes("t-lab"):
        with ui.element("div").classes("s-stack"):
            topology(room)
            Bench(room)
            _instructions(room)
        with ui.element("div").classes("s-stack"):
            Goals(room)
            Chat(room)
            place = ui.element("div")
    with ui.element("div").classes("s-columns"):
        Quiz(room)
        pasted()
    ui.timer(_SECONDS_BETWEEN_LOOKS, room.look)
    await preparing(place)
    if room.state.is_up and not room.results:
        room.check_soon()


def _instructions(room: Room) -> None:
    if room.lab.instructions:
        with html.details().classes("s-card t-instructions"):
            html.summary("Step by step")
            prose(room.lab.instructions)
