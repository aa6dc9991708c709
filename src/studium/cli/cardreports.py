"""`studium cards curriculum`, `recheck` and `report`: what to learn first, what went stale, how good it all is."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studium.cli.console import say, show_json, show_table
from studium.cli.flags import AsJson, settings_for
from studium.cli.progress import progress_bar
from studium.faculties import cardreports as reports

if TYPE_CHECKING:
    from studium.core.domain.decision import Plan
    from studium.running.cards.applying import Applied
    from studium.running.cards.report import Criterion

_SHOWN = 30
_PERCENT = frozenset({"schema_valid", "exceptions"})

VaultFolder = Annotated[Path, typer.Argument(help="The folder of your vault.")]
To = Annotated[str, typer.Option(help="`anki`, or a collection FILE.anki2.")]
Limit = Annotated[int | None, typer.Option(min=1, help="At most so many notes and gaps; a table shows 30.")]
ToReview = Annotated[bool, typer.Option("--to-review", help="Put what needs a person into the inbox.")]
RunId = Annotated[str | None, typer.Argument(metavar="RUN", help="A run of cards; without it, the last one.")]
All = Annotated[bool, typer.Option("--all", help="Every run that made cards.")]


def curriculum(context: typer.Context, vault: VaultFolder, *, limit: Limit = None, as_json: AsJson = False) -> None:
    """Say in which order to learn the notes, and what is missing: topics, notes and hubs without cards."""
    found = reports.curriculum(settings_for(context), vault)
    if as_json:
        show_json(reports.curriculum_json(found, limit))
        return
    rows = ((each.place, each.title, each.topic, each.centrality, each.linked_from, each.cards) for each in found.order)
    _table(("#place", "note", "topic", "#centrality", "#linked from", "#cards"), list(rows), limit or _SHOWN)
    if found.gaps:
        _table(("gap", "where"), [(gap.message, gap.where) for gap in found.gaps], limit or _SHOWN, title="\nGaps")
    say(f"\n{len(found.order)} notes, {len(found.topics)} topics, {len(found.gaps)} gaps.", "dim")


def recheck(
    context: typer.Context,
    vault: VaultFolder,
    *,
    to: To = "anki",
    to_review: ToReview = False,
    as_json: AsJson = False,
) -> None:
    """Find cards in Anki that are stale, broken, doubled, poor, or forgotten again and again."""
    settings = settings_for(context)
    with progress_bar("recheck"):
        rechecking = reports.recheck(settings, vault, to, to_review=to_review)
        plan, applied = asyncio.run(rechecking)
    if as_json:
        show_json(reports.recheck_json(plan, applied))
    else:
        _tell_recheck(plan, applied)


def report(context: typer.Context, run: RunId = None, *, all_: All = False, as_json: AsJson = False) -> None:
    """Print what the cards reached against what they must reach."""
    found = reports.report(settings_for(context), run, every=all_)
    if as_json:
        show_json(found.model_dump(mode="json"))
        return
    rows = (
        (each.name.replace("_", " "), _value(each), each.target, _met(each), each.counted) for each in found.criteria
    )
    show_table(("criterion", "#reached", "target", "met", "of"), rows)
    for overwrite in found.overwrites:
        say(str(overwrite), "red")
    say(f"Runs: {', '.join(found.runs)}." if len(found.runs) > 1 else f"Run {found.runs[0]}.", "dim")


def _tell_recheck(plan: "Plan", applied: "Applied") -> None:
    from studium.running.cards.recheck import count_faults, worst_first

    rows = [
        (finding.code.removeprefix("card."), finding.where, finding.message)
        for decision in worst_first(plan)
        for finding in decision.findings
    ]
    if rows:
        _table(("fault", "where", "what"), rows, _SHOWN)
    counted = ", ".join(f"{count} {code.removeprefix('card.')}" for code, count in count_faults(plan).items())
    say(f"\n{len(plan.decisions)} cards: {counted or 'nothing is wrong with them'}.")
    for finding in applied.refused.values():
        say(f"not done: {finding}", "yellow")
    if waiting := plan.counts["manual_review"]:
        say(f"{waiting} wait for you: studium review")
    say(f"Run {plan.run}.", "dim")


def _table(columns: tuple[str, ...], rows: Sequence[tuple[object, ...]], limit: int, title: str | None = None) -> None:
    show_table(columns, rows[:limit], title=title)
    if len(rows) > limit:
        say(f"… and {len(rows) - limit} more; --json shows all.", "dim")


def _value(criterion: "Criterion") -> str:
    if criterion.value is None:
        return "-"
    if criterion.name in _PERCENT:
        return f"{criterion.value:.1%}"
    return f"{criterion.value:.0f}" if criterion.name == "unintended_overwrites" else f"{criterion.value:.2f}"


def _met(criterion: "Criterion") -> str:
    return {None: "-", True: "yes", False: "no"}[criterion.met]
