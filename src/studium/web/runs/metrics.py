"""What a run, or all of them, took and brought, as figures and charts."""

from collections.abc import Sequence

from nicegui import html, ui

from studium.core.database.metrics import Metrics, Scores, SkillMetrics
from studium.web.parts.figures import noun, stat
from studium.web.runs.charts import Series, bar_chart
from studium.web.runs.figures import duration, money

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
        stat("cost", money(spent), note="in the currency of your prices" if spent.cost else "")


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
        bars = Series("cost", "var(--accent)", [cost or 0 for cost in costs], [money(each.spent) for each in skills])
        bar_chart("Cost", names, [bars], note="in the currency of the prices in your settings")


def _nothing(title: str, said: str) -> None:
    with ui.element("section").classes("s-card"):
        html.h3(title)
        html.p(said).classes("s-muted")


def _times(skills: Sequence[SkillMetrics], which: str) -> Series:
    seconds = [each.p50_seconds if which == "p50" else each.p95_seconds for each in skills]
    name, colour = ("median", "var(--info)") if which == "p50" else ("95 of 100 are faster", "var(--accent)")
    return Series(name, colour, [each or 0 for each in seconds], [duration(each) for each in seconds])
