"""The runs page: past runs with their metrics, and background jobs."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from nicegui import html, ui

from studium.core.database import Database
from studium.core.database.metrics import Metrics, Scores, SkillMetrics, Spent
from studium.core.domain.job import Job
from studium.core.domain.run import Run
from studium.core.features import all_features
from studium.web.components.labels import ago, chip, noun, stat
from studium.web.components.notices import empty_state
from studium.web.frame import current_frame, page
from studium.web.service import service

_BAR = 26
_CHART_MARGIN = 64
_LONGEST_NAME = 22
_WIDE_FROM = 6
"""A chart with more names than this gets the full width."""


@dataclass(frozen=True)
class Series:
    """One series of bars: its name, its colour in the style sheet, its values and their labels."""

    name: str
    colour: str
    values: Sequence[float]
    labels: Sequence[str]


def bar_chart(
    title: str, names: Sequence[str], series: Sequence[Series], *, note: str = "", vertical: bool = False
) -> None:
    """A bar chart; vertical for a distribution, else horizontal, so that long names can be read."""
    with ui.element("figure").classes(
        "s-card s-chart" + (" s-wide" if len(names) > _WIDE_FROM and not vertical else "")
    ):
        with html.figcaption():
            html.h3(title)
            if note:
                html.span(note).classes("s-muted s-small")
        # SVG, because its colours may be variables of the style sheet and so follow the theme.
        chart = ui.echart(_options(names, series, vertical=vertical), renderer="svg").props("aria-hidden=true")
        height = 220 if vertical else _CHART_MARGIN + len(names) * (_BAR * len(series) + 10)
        chart.style(f"height: {height}px")
        _as_table(title, names, series)


def _options(names: Sequence[str], series: Sequence[Series], *, vertical: bool) -> dict[str, Any]:
    text = {"color": "var(--ink-soft)", "fontFamily": "inherit"}
    line = {"lineStyle": {"color": "var(--line)"}}
    kinds: dict[str, Any] = {
        "type": "category",
        "data": [_short(name) for name in names],
        "axisLabel": text,
        "axisLine": line,
    }
    kinds |= {"axisTick": {"show": False}, "inverse": not vertical}
    values = {"type": "value", "axisLabel": {"show": False}, "splitLine": line, "minInterval": 0}
    return {
        "animation": False,
        "grid": {"left": 8, "right": 72 if not vertical else 8, "top": 28, "bottom": 8, "containLabel": True},
        "legend": {"show": len(series) > 1, "top": 0, "textStyle": text, "selectedMode": False},
        "xAxis": kinds if vertical else values,
        "yAxis": values if vertical else kinds,
        "series": [_bars(each, vertical=vertical) for each in series],
    }


def _bars(series: Series, *, vertical: bool) -> dict[str, Any]:
    style = {"show": True, "position": "top" if vertical else "right", "color": "var(--ink)", "textBorderWidth": 0}
    data = [
        {"value": value, "label": {"formatter": label}}
        for value, label in zip(series.values, series.labels, strict=True)
    ]
    return {
        "type": "bar",
        "name": series.name,
        "data": data,
        "label": style,
        "itemStyle": {"color": series.colour, "borderRadius": 3},
        "emphasis": {"disabled": True},
        "barMaxWidth": 44 if vertical else _BAR - 6,
        "silent": True,
    }


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _as_table(title: str, names: Sequence[str], series: Sequence[Series]) -> None:
    with html.details().classes("s-chart-table"):
        html.summary("As a table")
        with html.table():
            html.caption(title)
            with html.thead(), html.tr():
                for heading in ("", *(each.name for each in series)):
                    html.th(heading).props("scope=col") if heading else html.td()
            with html.tbody():
                for at, name in enumerate(names):
                    with html.tr():
                        html.th(name).props("scope=row")
                        for each in series:
                            html.td(each.labels[at])


_TENTH_MS, _TEN_MS, _MINUTE, _HOUR = 0.000_1, 0.01, 60, 3_600


def format_duration(seconds: float | None) -> str:
    """`1.2 s`, `340 ms`, `2 min 5 s`; a dash where nothing was measured."""
    if seconds is None:
        return "–"
    if seconds >= _HOUR:
        return f"{seconds // _HOUR:.0f} h {seconds % _HOUR // _MINUTE:.0f} min"
    if seconds >= _MINUTE:
        return f"{seconds // _MINUTE:.0f} min {seconds % _MINUTE:.0f} s"
    if seconds < _TENTH_MS:
        return "< 0.1 ms"
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1000:.{int(seconds < _TEN_MS)}f} ms"


def took(run: Run) -> str:
    """How long a run took, or has taken so far."""
    return format_duration(((run.finished_at or datetime.now(UTC)) - run.started_at).total_seconds())


def format_cost(spent: Spent) -> str:
    """The cost of calls; an unknown cost is shown as unknown, not as zero."""
    if spent.cost is None:
        return "unknown"
    cost = f"{spent.cost:.2f}" if spent.cost >= 1 else f"{spent.cost:.4f}".rstrip("0").rstrip(".")
    return f"{'≥ ' if spent.unpriced else ''}{cost}"


def format_moment(when: datetime) -> str:
    """A time in the time zone of the server."""
    return f"{when.astimezone():%Y-%m-%d %H:%M}"


_ACTIONS = {"create": "created", "update": "updated", "skip": "left out", "manual_review": "for review"}
_FINDINGS = 12


def show_metrics(metrics: Metrics) -> None:
    """Show the figures, and the charts that have data."""
    _figures(metrics)
    with ui.element("div").classes("s-charts"):
        _actions(metrics.actions)
        _scores(metrics.scores)
        _findings(metrics.findings)
        _skills(metrics.skills)


def _figures(metrics: Metrics) -> None:
    spent = metrics.spent
    with ui.element("div").classes("s-card s-figures"):
        stat(noun(metrics.items, "item"), f"{metrics.items:,}")
        stat(
            noun(spent.calls, "call"), f"{spent.calls:,}", note=f"{spent.cached} from the cache" if spent.cached else ""
        )
        stat("tokens read", f"{spent.input_tokens:,}")
        stat("tokens written", f"{spent.output_tokens:,}")
        stat("cost", format_cost(spent), note="in the currency of your prices" if spent.cost else "")


def _actions(actions: dict[str, int]) -> None:
    if not any(actions.values()):
        return
    counts = [actions.get(action, 0) for action in _ACTIONS]
    bars = Series("decisions", "var(--accent)", counts, [str(count) for count in counts])
    bar_chart("Decisions", list(_ACTIONS.values()), [bars])


def _scores(scores: Scores) -> None:
    if scores.mean is None:
        return
    width = 1 / len(scores.bins)
    names = [f"{at * width:.1f}–{(at + 1) * width:.1f}" for at in range(len(scores.bins))]
    bars = Series("decisions", "var(--good)", scores.bins, [str(count or "") for count in scores.bins])
    bar_chart("QA scores", names, [bars], note=f"mean {scores.mean:.2f}", vertical=True)


def _findings(findings: dict[str, int]) -> None:
    if not findings:
        return
    most = list(findings.items())[:_FINDINGS]
    note = f"the {_FINDINGS} most frequent of {len(findings)}" if len(findings) > _FINDINGS else ""
    bars = Series("times", "var(--warn)", [count for _, count in most], [str(count) for _, count in most])
    bar_chart("Findings", [code for code, _ in most], [bars], note=note)


def _skills(skills: Sequence[SkillMetrics]) -> None:
    if not skills:
        _nothing("Calls", "No model was called, so there are no durations, retries or costs.")
        return
    names = [each.skill for each in skills]
    bar_chart("Duration of calls", names, [_times(skills, "p50"), _times(skills, "p95")], note="without cached calls")
    _retries(names, skills)
    _costs(names, skills)


def _retries(names: Sequence[str], skills: Sequence[SkillMetrics]) -> None:
    rates = [each.retry_rate for each in skills]
    if not any(rates):
        _nothing("Retries", "No call was repeated.")
        return
    bars = Series("repeated", "var(--bad)", rates, [f"{rate:.0%}" for rate in rates])
    bar_chart("Retries", names, [bars], note="share of calls without a usable answer")


def _costs(names: Sequence[str], skills: Sequence[SkillMetrics]) -> None:
    costs = [each.spent.cost for each in skills]
    if all(cost == 0 for cost in costs):
        _nothing("Cost", "No call cost anything.")
    elif not any(costs):
        _nothing("Cost", "Unknown: the settings have no prices for the models that were called.")
    else:
        bars = Series(
            "cost", "var(--accent)", [cost or 0 for cost in costs], [format_cost(each.spent) for each in skills]
        )
        bar_chart("Cost", names, [bars], note="in the currency of the prices in your settings")


def _nothing(title: str, text: str) -> None:
    with ui.element("section").classes("s-card"):
        html.h3(title)
        html.p(text).classes("s-muted")


def _times(skills: Sequence[SkillMetrics], which: str) -> Series:
    seconds = [each.p50_seconds if which == "p50" else each.p95_seconds for each in skills]
    name, colour = ("median", "var(--info)") if which == "p50" else ("95 of 100 are faster", "var(--accent)")
    return Series(name, colour, [each or 0 for each in seconds], [format_duration(each) for each in seconds])


_JOBS_SHOWN = 10
_REFRESH_SECONDS = 1.5


class BackgroundJobs:
    """The last jobs, kept up to date."""

    def __init__(self) -> None:
        self._seen: list[Job] = []

    async def show(self) -> None:
        """Show the jobs, if there are any, and keep refreshing them."""
        self._place = ui.element("section").classes("s-stack").props('aria-label="Background jobs"')
        self._place.set_visibility(False)
        await self._refresh()
        ui.timer(_REFRESH_SECONDS, self._refresh)

    async def _refresh(self) -> None:
        jobs = await asyncio.to_thread(service().database.jobs.newest, _JOBS_SHOWN)
        if jobs == self._seen:
            return
        self._seen = jobs
        self._place.set_visibility(bool(jobs))
        self._place.clear()
        with self._place:
            html.h2("Background jobs")
            with ui.element("ul").classes("s-card s-list"):
                for job in jobs:
                    self._row(job)

    def _row(self, job: Job) -> None:
        with ui.element("li").classes("s-stack s-tight"):
            with ui.element("div").classes("s-row"):
                chip(job.status)
                html.a(job.kind.replace(".", ": "), href=_address(job)).classes("s-grow")
                html.span(ago(job.placed_at)).classes("s-muted s-small")
                if not job.is_finished:
                    ui.button("Cancel", on_click=lambda: self._cancel(job.id)).props("outline dense")
                elif job.status in ("failed", "cancelled"):
                    ui.button("Resume", on_click=lambda: self._resume(job.id)).props("outline dense")
            if not job.is_finished and job.total:
                html.span(f"{job.done} of {job.total} · {job.item}").classes("s-muted s-small")
            if problem := job.problem:
                html.span(problem["detail"]).classes("s-job-problem")
                html.span(problem["remedy"]).classes("s-muted s-small")

    async def _cancel(self, job: str) -> None:
        await service().jobs.cancel(job)
        await self._refresh()

    async def _resume(self, job: str) -> None:
        await service().jobs.resume(job)
        await self._refresh()


def _address(job: Job) -> str:
    """The page that shows a job."""
    feature = job.kind.partition(".")[0]
    return "/" if feature == "demo" else f"/{feature}?job={job.id}"


_PAGE_SIZE = 25


def _names() -> list[str]:
    return [feature.name for feature in all_features()]


@dataclass(frozen=True)
class RunsState:
    """A page of the list, how many runs there are, and the metrics of all of them."""

    runs: list[Run]
    total: int
    metrics: Metrics


async def show_runs(feature: str, number: int) -> None:
    """Show the runs of all features, or of one."""
    chosen = feature if feature in _names() else ""
    state = await asyncio.to_thread(_load, service().database, chosen, max(1, number))
    await BackgroundJobs().show()
    if not state.metrics.items and not state.total and not chosen:
        with empty_state("No runs yet", "Start something in a feature; its runs appear here."):
            html.a("Go home", href="/").classes("s-button")
        return
    html.h2("Runs")
    _choice(chosen)
    _table(state.runs)
    _pages(chosen, max(1, number), state.total)
    html.h2("All runs together")
    show_metrics(state.metrics)


def _load(database: Database, feature: str, number: int) -> RunsState:
    runs = database.runs.newest(_PAGE_SIZE, (number - 1) * _PAGE_SIZE, feature=feature or None)
    return RunsState(runs, database.runs.count(feature or None), database.metrics.measure())


def _choice(chosen: str) -> None:
    with ui.element("nav").classes("s-row s-tight").props('aria-label="Feature"'):
        for feature in ("", *_names()):
            link = html.a(feature.capitalize() or "All", href=f"/runs?feature={feature}" if feature else "/runs")
            link.classes("s-button s-small")
            if feature == chosen:
                link.props("aria-current=page")


def _table(runs: list[Run]) -> None:
    if not runs:
        html.p("No runs of this feature yet.").classes("s-muted")
        return
    with ui.element("div").classes("s-card s-runs").props('tabindex=0 role=region aria-label="Runs"'), html.table():
        with html.thead(), html.tr():
            for heading in ("Feature", "What", "Status", "When", "Took"):
                html.th(heading).props("scope=col")
        with html.tbody():
            for run in runs:
                with html.tr():
                    html.td(run.feature.capitalize())
                    with html.td().classes("s-runs-note"):
                        html.a(run.note or run.id, href=f"/runs?run={run.id}")
                    with html.td():
                        chip(run.status)
                    html.td(ago(run.started_at)).props(f'title="{run.started_at:%Y-%m-%d %H:%M} UTC"')
                    html.td(took(run))


def _pages(feature: str, number: int, total: int) -> None:
    if total <= _PAGE_SIZE:
        return
    address = f"/runs?feature={quote(feature)}&number="
    with ui.element("nav").classes("s-row").props('aria-label="Pages of the list"'):
        if number > 1:
            html.a("Newer", href=f"{address}{number - 1}").classes("s-button")
        html.span(f"{(number - 1) * _PAGE_SIZE + 1}–{min(number * _PAGE_SIZE, total)} of {total}").classes("s-muted")
        if number * _PAGE_SIZE < total:
            html.a("Older", href=f"{address}{number + 1}").classes("s-button")


_SHOW_RUNS = ("cards", "questions")
"""The features whose page shows one run."""


async def show_run(given: str) -> None:
    """Show a run."""
    run, metrics = await asyncio.to_thread(_read, service().database, given)
    current_frame().rename(run.note or f"{run.feature.capitalize()} run")
    with current_frame().actions:
        if run.feature in _SHOW_RUNS:
            html.a("What it decided", href=f"/{run.feature}?run={run.id}").classes("s-button")
        else:
            html.a(f"Open {run.feature}", href=f"/{run.feature}").classes("s-button")
        html.a("All runs", href="/runs").classes("s-button")
    _about(run)
    show_metrics(metrics)


def _read(database: Database, given: str) -> tuple[Run, Metrics]:
    run = database.runs.get(given)
    return run, database.metrics.measure(run.id)


def _about(run: Run) -> None:
    with ui.element("section").classes("s-card"):
        with ui.element("div").classes("s-row"):
            chip(run.feature, "accent")
            chip(run.status)
            html.span(f"Started {format_moment(run.started_at)}, took {took(run)}")
            html.code(run.id).classes("s-muted s-small")
        with html.details():
            html.summary("Arguments")
            with ui.element("dl").classes("s-arguments"):
                for name, value in run.arguments.items():
                    html.dt(name.replace("_", " "))
                    html.dd(str(value))


_STYLES = Path(__file__).with_name("runs.css")


@page("/runs", "Runs")
async def runs(run: str = "", feature: str = "", number: str = "1") -> None:
    """The list of runs, or one run; both can be linked to."""
    ui.add_css(_STYLES)
    if run:
        await show_run(run)
    else:
        await show_runs(feature, int(number) if number.isdecimal() else 1)


@page("/runs/{run}", "Run")
async def run(run: str) -> None:
    """One run."""
    ui.add_css(_STYLES)
    await show_run(run)
