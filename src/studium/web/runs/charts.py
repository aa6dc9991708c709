"""Charts that can also be read as a table, in the colours of the page by day and by night."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nicegui import html, ui

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
