"""`studium runs`: past runs, and what each took and made."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from studium.cli.console import say, show_json, show_table
from studium.cli.options import AsJson, database_for

if TYPE_CHECKING:
    from studium.core.database.metrics import Metrics, Scores, SkillMetrics, Spent
    from studium.core.domain.run import Run

_TEN_MS = 0.01

app = typer.Typer(help="Show past runs, and what each took and made.", no_args_is_help=True, rich_markup_mode=None)


@app.command("list")
def list_(
    context: typer.Context,
    *,
    limit: Annotated[int, typer.Option(min=1, help="How many at most.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List the last runs, newest first."""
    found = database_for(context).runs.newest(limit=limit)
    if as_json:
        show_json([run.model_dump(mode="json") for run in found])
    elif not found:
        say("No runs yet.")
    else:
        rows = ((run.id, run.feature, run.status, _local(run.started_at), _took(run), run.note) for run in found)
        show_table(("run", "feature", "status", "started", "#took", "note"), rows)


@app.command()
def show(
    context: typer.Context,
    id_: Annotated[str, typer.Argument(help="The run's id, or a unique beginning of it.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Show one run: what was decided, how each skill was answered, and what it cost."""
    database = database_for(context)
    run = database.runs.get(id_)
    metrics = database.metrics.measure(run.id)
    if as_json:
        show_json({"run": run.model_dump(mode="json"), "metrics": metrics.model_dump(mode="json")})
        return
    say(f"{run.feature} {run.id}: {run.status}", "bold")
    say(f"started {_local(run.started_at)}, took {_took(run)}" + (f"; {run.note}" if run.note else ""))
    for name, value in run.arguments.items():
        say(f"{name}: {value}")
    _show_metrics(metrics)


def _show_metrics(metrics: "Metrics") -> None:
    decided = ", ".join(f"{count} {action}" for action, count in metrics.actions.items() if count) or "nothing yet"
    say(f"\n{metrics.items} items; decided: {decided}")
    say(_spent(metrics.spent))
    if metrics.skills:
        columns = ("skill", "#calls", "#cached", "#retry rate", "#p50", "#p95", "#mean", "#tokens in", "#out", "#cost")
        show_table(columns, map(_skill_row, metrics.skills), title="\nSkills")
    if metrics.scores.mean is not None:
        show_table(("score", "#cards", ""), _score_rows(metrics.scores), title="\nQA scores")
        say(f"mean {metrics.scores.mean:.2f}")
    if metrics.findings:
        show_table(("finding", "#times"), metrics.findings.items(), title="\nFindings")


def _skill_row(skill: "SkillMetrics") -> tuple[object, ...]:
    spent = skill.spent
    times = (_seconds(skill.p50_seconds), _seconds(skill.p95_seconds), _seconds(skill.mean_seconds))
    tokens = (spent.input_tokens, spent.output_tokens)
    cost = "unknown" if spent.cost is None else f"{'≥ ' if spent.unpriced else ''}{spent.cost:.4f}"
    return (skill.skill, spent.calls, spent.cached, f"{skill.retry_rate:.0%}", *times, *tokens, cost)


def _score_rows(scores: "Scores") -> list[tuple[object, ...]]:
    longest, width = max(scores.bins), 1 / len(scores.bins)
    return [
        (f"{bin_ * width:.1f}-{(bin_ + 1) * width:.1f}", count, "█" * round(20 * count / longest))
        for bin_, count in enumerate(scores.bins)
    ]


def _spent(spent: "Spent") -> str:
    """Calls, tokens and cost; an unknown cost is shown as unknown, not as zero."""
    tokens = f"{spent.input_tokens} tokens in, {spent.output_tokens} out"
    cost = "unknown" if spent.cost is None else f"{spent.cost:.4f}"
    unpriced = f"; calls of unknown cost: {spent.unpriced}" if spent.cost is not None and spent.unpriced else ""
    return f"{spent.calls} calls ({spent.cached} from the cache); {tokens}; cost {cost}{unpriced}"


def _seconds(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.1f} s" if value >= 1 else f"{value * 1000:.{int(value < _TEN_MS)}f} ms"


def _took(run: "Run") -> str:
    return _seconds(((run.finished_at or datetime.now(UTC)) - run.started_at).total_seconds())


def _local(moment: datetime) -> str:
    return f"{moment.astimezone():%Y-%m-%d %H:%M:%S}"
