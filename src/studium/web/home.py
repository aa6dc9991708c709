"""Home: what was made, what waits, what ran last, and the way to each feature."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from nicegui import html, ui
from pydantic import BaseModel

from studium.app.demo import AddSamplesRequest, RemoveSamplesRequest
from studium.app.sample_content import NOTHING, SampleResult
from studium.app.samples import have_samples, read_manifest, samples_folder
from studium.core.app import App
from studium.core.domain.job import Job
from studium.core.domain.run import Run
from studium.core.features import Feature, all_features
from studium.core.jobs.service import Service
from studium.web.components.job_progress import active_jobs, show_job_progress
from studium.web.components.labels import ago, chip, noun, stat
from studium.web.components.notices import empty_state
from studium.web.frame import current_frame, page
from studium.web.service import service

Handler = Callable[[], Awaitable[None]]
_RUNS_COUNTED = 30
_RUNS_SHOWN = 6
_EVERY = 2.0  # seconds between two looks at what has come in
_TITLES = {"demo.fill": "Filling the house with samples", "demo.forget": "Removing the samples"}


@dataclass(frozen=True)
class HomeState:
    """How the app stands."""

    made: dict[str, int]
    waiting: dict[str, int]
    runs: list[Run]
    samples: bool
    filling: bool
    missing: frozenset[str] = frozenset()
    """The features whose samples did not come in."""
    trouble: tuple[str, ...] = ()
    """Why not, as far as it is known."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to see."""
        return not (self.runs or self.made["vocabulary"] or self.made["concepts"])


def load_home(asked: Service) -> HomeState:
    """How the app stands."""
    database = asked.database
    made = {each.name: _count(asked.app, each) for each in all_features()}
    waiting, runs = database.reviews.count(), database.runs.newest(limit=_RUNS_SHOWN)
    last = next(iter(database.jobs.newest(1, job_type="demo.fill")), None)
    filling = last is not None and not last.is_finished
    samples = have_samples(folder := samples_folder(asked.settings))
    filled = {each.feature for each in read_manifest(folder).made}
    missing = frozenset(each.name for each in all_features() if samples and each.name not in filled)
    return HomeState(made, waiting, runs, samples, filling, missing, _trouble(last) if last else ())


def _trouble(job: Job) -> tuple[str, ...]:
    """What kept samples from coming in: one line for all of them, or one a feature."""
    if problem := job.problem:
        return (f"{problem.get('detail', 'It failed.')} {problem.get('remedy', '')}",)
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
    """What there is to see at a glance."""
    under_way = await active_jobs("demo")
    picture = await asyncio.to_thread(load_home, service())
    current_frame().rename("Welcome" if picture.filling or picture.is_empty else "Welcome back")
    top = ui.element("div").classes("s-stack")
    glance = _Glance(picture)
    with top:
        if under_way:
            _follow(under_way[0], top, glance)
        else:
            _offer(picture, top, glance)


class _Glance:
    """The app as it stands; it is drawn anew only where it has changed, so that nobody is disturbed in it."""

    def __init__(self, picture: HomeState) -> None:
        self._place = ui.element("div").classes("s-stack")
        self._picture = picture
        self._draw()

    async def renew(self) -> HomeState:
        before, self._picture = self._picture, await asyncio.to_thread(load_home, service())
        if self._picture != before:
            self._place.clear()
            self._draw()
        return self._picture

    def _draw(self) -> None:
        with self._place:
            _waits(self._picture)
            _features(self._picture)
            _recent(self._picture)


def _offer(picture: HomeState, top: ui.element, glance: _Glance) -> None:
    """What can be done about samples."""
    if picture.samples:
        _samples(picture, top, glance)
    elif picture.is_empty:
        _first_start(top, glance)


def _first_start(top: ui.element, glance: _Glance) -> None:
    with (
        empty_state(
            "Nothing was made yet",
            "Fill the house with samples to see every page at work, or open a feature below and bring your own.",
        ),
        ui.element("div").classes("s-row"),
    ):
        starting = _job_starter("demo.fill", AddSamplesRequest(), top, glance)
        ui.button("Fill with samples", icon="auto_awesome", on_click=starting)


def _samples(picture: HomeState, top: ui.element, glance: _Glance) -> None:
    """A strip that says that there are samples, lets those come that are missing, and takes all of them away."""
    with (
        ui.element("section").classes("s-card").props('aria-label="Samples"'),
        ui.element("div").classes("s-row s-between"),
    ):
        with ui.element("div"):
            html.strong("Some samples are still missing." if picture.missing else "What you see are samples.")
            for line in picture.trouble if picture.missing else ():
                html.p(line).classes("s-small")
            html.p("Removing them touches nothing that is your own.").classes("s-muted s-small")
        with ui.element("div").classes("s-row s-tight"):
            if picture.missing:
                ui.button(
                    "Go on filling",
                    icon="play_arrow",
                    on_click=_job_starter("demo.fill", AddSamplesRequest(), top, glance),
                )
            removing = _job_starter("demo.forget", RemoveSamplesRequest(), top, glance)
            ui.button("Remove the samples", icon="delete_sweep", on_click=removing).props("outline")


def _job_starter(kind: str, request: BaseModel, top: ui.element, glance: _Glance) -> Handler:
    async def start() -> None:
        placed = await service().start_job(kind, request)
        top.clear()
        with top:
            _follow(placed, top, glance)

    return start


def _follow(job: Job, top: ui.element, glance: _Glance) -> None:
    """Show how far a job is, and meanwhile below it what has come in so far."""

    async def ended(over: Job) -> None:
        looking.cancel()
        if over.status == "done":
            ui.navigate.reload()
            return
        picture = await glance.renew()
        with top:
            _offer(picture, top, glance)

    show_job_progress(job, title=_TITLES[job.kind], on_end=ended)
    looking = ui.timer(_EVERY, glance.renew)


def _waits(picture: HomeState) -> None:
    waiting = sum(picture.waiting.values())
    with html.a(href="/inbox").classes("s-card s-waits"), ui.element("div").classes("s-row s-between"):
        if waiting:
            stat("wait for your answer" if waiting > 1 else "waits for your answer", waiting)
        else:
            stat("Nothing waits for you", "0")
        with ui.element("div").classes("s-row s-tight"):
            for feature, many in sorted(picture.waiting.items()):
                chip(f"{feature} {many}", "warn")
            ui.icon("arrow_forward").props("aria-hidden=true")


def _features(picture: HomeState) -> None:
    html.h2("What you can do")
    with ui.element("div").classes("s-grid"):
        for feature in all_features():
            tile = feature.tile
            with ui.element("section").classes("s-card s-feature"):
                with ui.element("div").classes("s-row s-tight"):
                    ui.icon(tile.icon).props("aria-hidden=true").classes("s-feature-icon")
                    html.h3(feature.name.capitalize())
                html.p(tile.summary).classes("s-muted s-grow")
                if made := picture.made[feature.name]:
                    stat(f"{noun(made, tile.item)} {tile.state}", made)
                else:
                    html.span("A sample is on its way" if picture.filling else "Nothing yet").classes("s-muted")
                html.a(tile.action, href=f"/{feature.name}").classes("s-button")


def _recent(picture: HomeState) -> None:
    if not picture.runs:
        return
    with ui.element("div").classes("s-row s-between"):
        html.h2("Recent runs")
        html.a("All runs", href="/runs")
    with ui.element("ul").classes("s-card s-list"):
        for run in picture.runs:
            with ui.element("li").classes("s-row"):
                chip(run.status)
                html.a(run.feature.capitalize(), href=f"/runs/{run.id}")
                html.span(run.note or "").classes("s-muted s-grow")
                html.span(ago(run.started_at)).classes("s-muted s-small")
