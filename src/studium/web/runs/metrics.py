"""What a run, or all of them, took and brought, as figures and charts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from nicegui import html, ui

from studium.core.database.metrics import Metrics, Scores, SkillMetrics, Spent
from studium.core.domain.run import Run
from studium.web.components.labels import noun, stat

_BAR = 26
_ROOM = 64
_LONGEST_NAME = 22
_MANY = 6
"""A chart with more names than this takes the whole width."""


@dataclass(frozen=True)
class Series:
    """One row of bars: its name, its colour in the style sheet, its values and how each is said."""

    name: str
    colour: str
    values: Sequence[float]
    said: Sequence[str]


def bar_chart(
    title: str, names: Sequence[str], series: Sequence[Series], *, note: str = "", upright: bool = False
) -> None:
    """Bars with their names; upright for a distribution, else lying, so that long names can be read."""
    with ui.element("figure").classes("s-card s-chart" + (" s-wide" if len(names) > _MANY and not upright else "")):
        with html.figcaption():
            html.h3(title)
            if note:
                html.span(note).classes("s-muted s-small")
        # SVG, because its colours may be variables of the style sheet and so follow the theme.
        chart = ui.echart(_options(names, series, upright=upright), renderer="svg").props("aria-hidden=true")
        height = 220 if upright else _ROOM + len(names) * (_BAR * len(series) + 10)
        chart.style(f"height: {height}px")
        _as_table(title, names, series)


def _options(names: Sequence[str], series: Sequence[Series], *, upright: bool) -> dict[str, Any]:
    text = {"color": "var(--ink-soft)", "fontFamily": "inherit"}
    line = {"lineStyle": {"color": "var(--line)"}}
    kinds: dict[str, Any] = {
        "type": "category",
        "data": [_short(name) for name in names],
        "axisLabel": text,
        "axisLine": line,
    }
    kinds |= {"axisTick": {"show": False}, "inverse": not upright}
    values = {"type": "value", "axisLabel": {"show": False}, "splitLine": line, "minInterval": 0}
    return {
        "animation": False,
        "grid": {"left": 8, "right": 72 if not upright else 8, "top": 28, "bottom": 8, "containLabel": True},
        "legend": {"show": len(series) > 1, "top": 0, "textStyle": text, "selectedMode": False},
        "xAxis": kinds if upright else values,
        "yAxis": values if upright else kinds,
        "series": [_bars(each, upright=upright) for each in series],
    }


def _bars(series: Series, *, upright: bool) -> dict[str, Any]:
    label = {"show": True, "position": "top" if upright else "right", "color": "var(--ink)", "textBorderWidth": 0}
    data = [
        {"value": value, "label": {"formatter": said}} for value, said in zip(series.values, series.said, strict=True)
    ]
    return {
        "type": "bar",
        "name": series.name,
        "data": data,
        "label": label,
        "itemStyle": {"color": series.colour, "borderRadius": 3},
        "emphasis": {"disabled": True},
        "barMaxWidth": 44 if upright else _BAR - 6,
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
                            html.td(each.said[at])


_LEAST, _TEN_MS, _MINUTE, _HOUR = 0.000_1, 0.01, 60, 3_600


def format_duration(seconds: float | None) -> str:
    """`1.2 s`, `340 ms`, `2 min 5 s`; a dash where nothing was measured."""
    if seconds is None:
        return "–"
    if seconds >= _HOUR:
        return f"{seconds // _HOUR:.0f} h {seconds % _HOUR // _MINUTE:.0f} min"
    if seconds >= _MINUTE:
        return f"{seconds // _MINUTE:.0f} min {seconds % _MINUTE:.0f} s"
    if seconds < _LEAST:
        return "< 0.1 ms"
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1000:.{int(seconds < _TEN_MS)}f} ms"


def took(run: Run) -> str:
    """How long a run took, or has taken so far."""
    return format_duration(((run.finished_at or datetime.now(UTC)) - run.started_at).total_seconds())


def format_cost(spent: Spent) -> str:
    """What calls cost; what nobody knows is said, not taken for nothing."""
    if spent.cost is None:
        return "unknown"
    told = f"{spent.cost:.2f}" if spent.cost >= 1 else f"{spent.cost:.4f}".rstrip("0").rstrip(".")
    return f"{'≥ ' if spent.unpriced else ''}{told}"


def format_moment(when: datetime) -> str:
    """A moment by the clock of the computer Studium runs on."""
    return f"{when.astimezone():%Y-%m-%d %H:%M}"


_ACTIONS = {"create": "created", "update": "updated", "skip": "left out", "manual_review": "for review"}
_FINDINGS = 12


def show_metrics(metrics: Metrics) -> None:
    """Show the figures, and a chart of each kind of which there is something."""
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
    bar_chart("What was decided", list(_ACTIONS.values()), [bars])


def _scores(scores: Scores) -> None:
    if scores.mean is None:
        return
    width = 1 / len(scores.bins)
    names = [f"{at * width:.1f}–{(at + 1) * width:.1f}" for at in range(len(scores.bins))]
    bars = Series("decisions", "var(--good)", scores.bins, [str(count or "") for count in scores.bins])
    bar_chart("QA scores", names, [bars], note=f"mean {scores.mean:.2f}", upright=True)


def _findings(findings: dict[str, int]) -> None:
    if not findings:
        return
    most = list(findings.items())[:_FINDINGS]
    note = f"the {_FINDINGS} most frequent of {len(findings)}" if len(findings) > _FINDINGS else ""
    bars = Series("times", "var(--warn)", [count for _, count in most], [str(count) for _, count in most])
    bar_chart("Findings", [code for code, _ in most], [bars], note=note)


def _skills(skills: Sequence[SkillMetrics]) -> None:
    if not skills:
        _nothing("Calls", "Nobody was asked for an answer, so there are no times, retries or costs.")
        return
    names = [each.skill for each in skills]
    bar_chart("How long a call takes", names, [_times(skills, "p50"), _times(skills, "p95")], note="calls really made")
    _retries(names, skills)
    _costs(names, skills)


def _retries(names: Sequence[str], skills: Sequence[SkillMetrics]) -> None:
    rates = [each.retry_rate for each in skills]
    if not any(rates):
        _nothing("Retries", "No call had to be made again.")
        return
    bars = Series("made again", "var(--bad)", rates, [f"{rate:.0%}" for rate in rates])
    bar_chart("Retries", names, [bars], note="share of calls that brought nothing usable")


def _costs(names: Sequence[str], skills: Sequence[SkillMetrics]) -> None:
    costs = [each.spent.cost for each in skills]
    if all(cost == 0 for cost in costs):
        _nothing("Cost", "No call cost anything.")
    elif not any(costs):
        _nothing("Cost", "Nobody knows: the settings hold no price for the models that were asked.")
    else:
        bars = Series(
            "cost", "var(--accent)", [cost or 0 for cost in costs], [format_cost(each.spent) for each in skills]
        )
        bar_chart("Cost", names, [bars], note="in the currency of the prices in your settings")


def _nothing(title: str, said: str) -> None:
    with ui.element("section").classes("s-card"):
        html.h3(title)
        html.p(said).classes("s-muted")


def _times(skills: Sequence[SkillMetrics], which: str) -> Series:
    seconds = [each.p50_seconds if which == "p50" else each.p95_seconds for each in skills]
    name, colour = ("median", "var(--info)") if which == "p50" else ("95 of 100 are faster", "var(--accent)")
    return Series(name, colour, [each or 0 for each in seconds], [format_duration(each) for each in seconds])
