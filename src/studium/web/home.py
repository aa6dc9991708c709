"""Home: what was made, what waits for a decision, the last runs, and a tile for each feature."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from nicegui import html, ui
from pydantic import BaseModel

from studium.app.samples import (
    AddSamplesRequest,
    RemoveSamplesRequest,
    have_samples,
    read_manifest,
    samples_folder,
)
from studium.core.app import App
from studium.core.domain.job import Job
from studium.core.domain.run import Run
from studium.core.features import Feature, all_features
from studium.core.jobs.service import Service
from studium.core.samples import NOTHING, SampleResult
from studium.web.components.job_progress import active_jobs, show_job_progress
from studium.web.components.labels import ago, chip, noun, stat
from studium.web.components.notices import empty_state
from studium.web.frame import current_frame, page
from studium.web.service import service

Handler = Callable[[], Awaitable[None]]
_RUNS_COUNTED = 30
_RUNS_SHOWN = 6
_REFRESH_SECONDS = 2.0  # seconds between two checks for what has been added
_TITLES = {"demo.fill": "Adding sample content", "demo.forget": "Removing the sample content"}


@dataclass(frozen=True)
class HomeState:
    """What the home page shows."""

    made: dict[str, int]
    waiting: dict[str, int]
    runs: list[Run]
    samples: bool
    filling: bool
    missing: frozenset[str] = frozenset()
    """The features whose samples are missing."""
    trouble: tuple[str, ...] = ()
    """Why, if it is known."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to see."""
        return not (self.runs or self.made["vocabulary"] or self.made["concepts"])


def load_home(service: Service) -> HomeState:
    """Load what the home page shows."""
    database = service.database
    made = {each.name: _count(service.app, each) for each in all_features()}
    waiting, runs = database.reviews.count(), database.runs.newest(limit=_RUNS_SHOWN)
    last = next(iter(database.jobs.newest(1, job_type="demo.fill")), None)
    filling = last is not None and not last.is_finished
    samples = have_samples(folder := samples_folder(service.settings))
    filled = {each.feature for each in read_manifest(folder).made}
    missing = frozenset(each.name for each in all_features() if samples and each.name not in filled)
    return HomeState(made, waiting, runs, samples, filling, missing, _trouble(last) if last else ())


def _trouble(job: Job) -> tuple[str, ...]:
    """Why samples are missing: one line for all of them, or one for each feature."""
    if problem := job.problem:
        return (f"{problem['detail']} {problem['remedy']}",)
    made = [SampleResult(**each) for each in (job.result or {}).get("made", ())]
    return tuple(f"{one.feature.capitalize()}: {one.left_out} {one.where}" for one in made if one.made == NOTHING)


def _count(app: App, feature: Feature) -> int:
    """How many items of a feature there are, or how many its last runs created."""
    if feature.count:
        count: int = feature.count.load()(app)
        return count
    database = app.database
    runs = database.runs.newest(limit=_RUNS_COUNTED, feature=feature.name)
    return sum(database.items.decisions_page(run.id, "create", limit=1)[1] for run in runs)


@page("/", "Home")
async def home() -> None:
    """The home page."""
    running = await active_jobs("demo")
    state = await asyncio.to_thread(load_home, service())
    current_frame().rename("Welcome" if state.filling or state.is_empty else "Welcome back")
    top = ui.element("div").classes("s-stack")
    overview = _Overview(state)
    with top:
        if running:
            _follow(running[0], top, overview)
        else:
            _offer(state, top, overview)


class _Overview:
    """The overview; it is redrawn only if something changed, so that nothing moves under the pointer."""

    def __init__(self, state: HomeState) -> None:
        self._place = ui.element("div").classes("s-stack")
        self._state = state
        self._draw()

    async def refresh(self) -> HomeState:
        before, self._state = self._state, await asyncio.to_thread(load_home, service())
        if self._state != before:
            self._place.clear()
            self._draw()
        return self._state

    def _draw(self) -> None:
        with self._place:
            _open_reviews(self._state)
            _features(self._state)
            _recent(self._state)


def _offer(state: HomeState, top: ui.element, overview: _Overview) -> None:
    """Offer to add or remove samples."""
    if state.samples:
        _samples(state, top, overview)
    elif state.is_empty:
        _first_start(top, overview)


def _first_start(top: ui.element, overview: _Overview) -> None:
    with (
        empty_state(
            "Nothing here yet",
            "Add sample content to see every page at work, or open a feature below and add your own.",
        ),
        ui.element("div").classes("s-row"),
    ):
        starting = _job_starter("demo.fill", AddSamplesRequest(), top, overview)
        ui.button("Add sample content", icon="auto_awesome", on_click=starting)


def _samples(state: HomeState, top: ui.element, overview: _Overview) -> None:
    """A card that says that there are samples, with buttons to add the missing ones and to remove all."""
    with (
        ui.element("section").classes("s-card").props('aria-label="Samples"'),
        ui.element("div").classes("s-row s-between"),
    ):
        with ui.element("div"):
            html.strong("Some sample content is missing." if state.missing else "This is sample content.")
            for line in state.trouble if state.missing else ():
                html.p(line).classes("s-small")
            html.p("Removing it does not touch anything of yours.").classes("s-muted s-small")
        with ui.element("div").classes("s-row s-tight"):
            if state.missing:
                ui.button(
                    "Add the rest",
                    icon="play_arrow",
                    on_click=_job_starter("demo.fill", AddSamplesRequest(), top, overview),
                )
            removing = _job_starter("demo.forget", RemoveSamplesRequest(), top, overview)
            ui.button("Remove samples", icon="delete_sweep", on_click=removing).props("outline")


def _job_starter(job_type: str, request: BaseModel, top: ui.element, overview: _Overview) -> Handler:
    async def start() -> None:
        job = await service().start_job(job_type, request)
        top.clear()
        with top:
            _follow(job, top, overview)

    return start


def _follow(job: Job, top: ui.element, overview: _Overview) -> None:
    """Show the progress of a job, and below it what has been added so far."""

    async def ended(finished: Job) -> None:
        refreshing.cancel()
        if finished.status == "done":
            ui.navigate.reload()
            return
        state = await overview.refresh()
        with top:
            _offer(state, top, overview)

    show_job_progress(job, title=_TITLES[job.kind], on_end=ended)
    refreshing = ui.timer(_REFRESH_SECONDS, overview.refresh)


def _open_reviews(state: HomeState) -> None:
    waiting = sum(state.waiting.values())
    with html.a(href="/inbox").classes("s-card s-waits"), ui.element("div").classes("s-row s-between"):
        if waiting:
            stat("open reviews" if waiting > 1 else "open review", waiting)
        else:
            stat("No open reviews", "0")
        with ui.element("div").classes("s-row s-tight"):
            for feature, many in sorted(state.waiting.items()):
                chip(f"{feature} {many}", "warn")
            ui.icon("arrow_forward").props("aria-hidden=true")


def _features(state: HomeState) -> None:
    html.h2("What you can do")
    with ui.element("div").classes("s-grid"):
        for feature in all_features():
            tile = feature.tile
            with ui.element("section").classes("s-card s-feature"):
                with ui.element("div").classes("s-row s-tight"):
                    ui.icon(tile.icon).props("aria-hidden=true").classes("s-feature-icon")
                    html.h3(feature.name.capitalize())
                html.p(tile.summary).classes("s-muted s-grow")
                if made := state.made[feature.name]:
                    stat(f"{noun(made, tile.item)} {tile.state}", made)
                else:
                    html.span("A sample is being added" if state.filling else "Nothing yet").classes("s-muted")
                html.a(tile.action, href=f"/{feature.name}").classes("s-button")


def _recent(state: HomeState) -> None:
    if not state.runs:
        return
    with ui.element("div").classes("s-row s-between"):
        html.h2("Recent runs")
        html.a("All runs", href="/runs")
    with ui.element("ul").classes("s-card s-list"):
        for run in state.runs:
            with ui.element("li").classes("s-row"):
                chip(run.status)
                html.a(run.feature.capitalize(), href=f"/runs/{run.id}")
                html.span(run.note or "").classes("s-muted s-grow")
                html.span(ago(run.started_at)).classes("s-muted s-small")
