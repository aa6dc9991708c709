"""`studium cards`: turns notes into Anki cards and keeps them in sync."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studium.cards import use_cases
from studium.cards.use_cases import SyncOptions
from studium.cli.console import progress_bar, say, show_json, show_table
from studium.cli.options import AsJson, DryRun, FailOnReview, Resume, settings_for

if TYPE_CHECKING:
    from studium.cards.report import Criterion
    from studium.cards.sync.apply import ApplyResult
    from studium.cards.sync.engine import SyncResult
    from studium.core.config import Settings
    from studium.core.domain.decision import Decision, Plan

_MAX_DECISIONS = 40
_MAX_ROWS = 30
_PERCENT = frozenset({"schema_valid", "exceptions"})

app = typer.Typer(help="Turn Obsidian notes into Anki cards, and keep them in sync.", no_args_is_help=True)

VaultFolder = Annotated[Path, typer.Argument(help="The folder of your vault.")]
To = Annotated[str, typer.Option(help="`anki`, a package FILE.apkg, or a collection FILE.anki2.")]
ToCollection = Annotated[str, typer.Option(help="`anki`, or a collection FILE.anki2.")]
Note = Annotated[Path | None, typer.Option(help="Only this note of the vault.")]
MassChange = Annotated[bool, typer.Option("--allow-mass-change", help="Change or suspend any number of cards.")]
Limit = Annotated[int | None, typer.Option(min=1, help="Show up to this many notes and gaps; a table shows 30.")]
ToReview = Annotated[bool, typer.Option("--to-review", help="Put cards that need a person into the inbox.")]
RunId = Annotated[str | None, typer.Argument(metavar="RUN", help="A run of cards; by default the last one.")]
All = Annotated[bool, typer.Option("--all", help="Every run that made cards.")]


@app.command()
def plan(
    context: typer.Context, vault: VaultFolder, *, to: To = "anki", note: Note = None, as_json: AsJson = False
) -> None:
    """Show what a sync would do; with --json, print a plan that `apply` accepts."""
    options = SyncOptions(vault, to, note, apply=False)
    _present(_sync(settings_for(context), options), options, as_json=as_json)


@app.command()
def sync(
    context: typer.Context,
    vault: VaultFolder,
    *,
    to: To = "anki",
    note: Note = None,
    dry_run: DryRun = False,
    resume: Resume = False,
    allow_mass_change: MassChange = False,
    fail_on_review: FailOnReview = False,
    as_json: AsJson = False,
) -> None:
    """Sync Anki with the notes; edits made in Anki are kept, uncertain cards go to review."""
    options = SyncOptions(vault, to, note, apply=not dry_run, resume=resume, mass_change=allow_mass_change)
    result = _sync(settings_for(context), options)
    _present(result, options, as_json=as_json)
    if result.applied.faults or (fail_on_review and result.plan.counts["manual_review"]):
        raise typer.Exit(1)


@app.command()
def apply(
    context: typer.Context,
    plan_file: Annotated[Path, typer.Argument(metavar="PLAN", help="The output of `plan --json`.")],
    *,
    allow_mass_change: MassChange = False,
) -> None:
    """Apply a saved plan, unless a note or card changed since it was made."""
    applied = asyncio.run(use_cases.apply(settings_for(context), plan_file, mass_change=allow_mass_change))
    render_apply_result(applied)
    say(f"{len(applied.done)} cards written.")


@app.command()
def undo(context: typer.Context, run: Annotated[str, typer.Argument(help="The run, as `runs list` shows it.")]) -> None:
    """Restore Anki to its state before a run: fields, tags, decks and suspension."""
    undone = use_cases.undo(settings_for(context), run)
    say(f"{len(undone.restored)} cards restored, {len(undone.removed)} new cards removed.")
    for finding in undone.left:
        say(str(finding), "yellow")


@app.command()
def adopt(context: typer.Context, vault: VaultFolder, *, to: To = "anki", dry_run: DryRun = False) -> None:
    """Take over cards that other tools made from these notes, by the ids they left; their history stays."""
    options = SyncOptions(vault, to, apply=False, remember=not dry_run, adopt=True)
    _present(_sync(settings_for(context), options), options, as_json=False)


@app.command("rebuild-state")
def rebuild_state(context: typer.Context, vault: VaultFolder, *, to: To = "anki") -> None:
    """Recognise the cards of these notes in Anki after the database was lost; nothing is written to Anki."""
    options = SyncOptions(vault, to, apply=False, remember=True)
    _present(_sync(settings_for(context), options), options, as_json=False)


@app.command()
def watch(context: typer.Context, vault: VaultFolder, *, to: To = "anki") -> None:
    """Sync whenever a note is saved, until you press Ctrl-C."""
    settings, options = settings_for(context), SyncOptions(vault, to)
    say(f"Watching {vault}; press Ctrl-C to stop.", "dim")
    # The next sync finds out what was done, however this one is stopped; so Ctrl-C is not a failure.
    with suppress(KeyboardInterrupt):
        for _ in use_cases.watch_notes(vault):
            _present(_sync(settings, options), options, as_json=False)


@app.command("tidy-media")
def tidy_media(context: typer.Context, vault: VaultFolder, *, to: To = "anki", dry_run: DryRun = False) -> None:
    """Move pictures and sounds that no note uses any more from Anki's media folder to its trash."""
    found = use_cases.tidy_media(settings_for(context), vault, to, remove=not dry_run)
    say(f"{len(found)} files {'would be' if dry_run else 'were'} moved to Anki's trash.")
    for name in found:
        say(f"  {name}", "dim")


@app.command()
def status(context: typer.Context, vault: VaultFolder, *, to: To = "anki", as_json: AsJson = False) -> None:
    """Show how many notes and cards are known, what changed since the last sync, and what is in review."""
    found = asdict(use_cases.status(settings_for(context), vault, to))
    if as_json:
        show_json(found)
        return
    for name, value in found.items():
        say(f"{name.replace('_', ' '):16} {value}")


@app.command()
def curriculum(context: typer.Context, vault: VaultFolder, *, limit: Limit = None, as_json: AsJson = False) -> None:
    """Show in which order to learn the notes, and the gaps: topics, notes and hubs without cards."""
    found = use_cases.curriculum(settings_for(context), vault)
    if as_json:
        show_json(use_cases.curriculum_json(found, limit))
        return
    rows = ((each.place, each.title, each.topic, each.centrality, each.linked_from, each.cards) for each in found.order)
    _table(("#place", "note", "topic", "#centrality", "#linked from", "#cards"), list(rows), limit or _MAX_ROWS)
    if found.gaps:
        _table(("gap", "where"), [(gap.message, gap.where) for gap in found.gaps], limit or _MAX_ROWS, title="\nGaps")
    say(f"\n{len(found.order)} notes, {len(found.topics)} topics, {len(found.gaps)} gaps.", "dim")


@app.command()
def recheck(
    context: typer.Context,
    vault: VaultFolder,
    *,
    to: ToCollection = "anki",
    to_review: ToReview = False,
    as_json: AsJson = False,
) -> None:
    """Find cards in Anki that are outdated, broken, duplicated, of low quality, or often forgotten."""
    settings = settings_for(context)
    with progress_bar("recheck"):
        found, applied = asyncio.run(use_cases.recheck(settings, vault, to, to_review=to_review))
    if as_json:
        show_json(use_cases.recheck_json(found, applied))
    else:
        _render_recheck(found, applied)


@app.command()
def report(context: typer.Context, run: RunId = None, *, all_: All = False, as_json: AsJson = False) -> None:
    """Compare the cards of a run with the targets."""
    found = use_cases.report(settings_for(context), run, every=all_)
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


def render_sync_result(result: "SyncResult", to: str, *, applied: bool) -> None:
    """Print what a sync did, what it left alone and what is in review."""
    from studium.core.domain.decision import Action

    decisions, counts = result.plan.decisions, result.plan.counts
    notable = [each for each in decisions if each.action is Action.MANUAL_REVIEW or each.findings]
    if notable:
        rows = [(each.action.value, _location(each), "; ".join(each.reasons)) for each in notable[:_MAX_DECISIONS]]
        show_table(("what", "where", "why"), rows)
    if len(notable) > _MAX_DECISIONS:
        say(f"… and {len(notable) - _MAX_DECISIONS} more; --json shows all.", "dim")
    done = "" if applied else " (nothing was written)"
    say(f"{counts['create']} new cards, {counts['update']} updated, {counts['skip']} unchanged{done}; {to}")
    say(f"{result.unchanged} notes had not changed.", "dim")
    render_apply_result(result.applied)
    if counts["manual_review"]:
        say(f"{counts['manual_review']} cards need your decision: studium review")
    if result.plan.run:
        say(f"Run {result.plan.run}.", "dim")


def render_apply_result(applied: "ApplyResult") -> None:
    """Print what was not written."""
    for finding in applied.faults:
        say(f"not done: {finding}", "yellow")


def _sync(settings: "Settings", options: SyncOptions) -> "SyncResult":
    with progress_bar("cards"):
        return asyncio.run(use_cases.sync(settings, options))


def _present(result: "SyncResult", options: SyncOptions, *, as_json: bool) -> None:
    if as_json:
        show_json(use_cases.plan_json(result, options.to))
    else:
        render_sync_result(result, options.to, applied=options.apply)


def _location(decision: "Decision") -> str:
    where = next((finding.where for finding in decision.findings if finding.where), None)
    if where:
        return str(where)
    return f"{decision.change['note']}:{decision.change['line']}" if decision.change else decision.item


def _render_recheck(plan: "Plan", applied: "ApplyResult") -> None:
    from studium.cards.recheck import count_faults, worst_first

    rows = [
        (finding.code.removeprefix("card."), finding.where, finding.message)
        for decision in worst_first(plan)
        for finding in decision.findings
    ]
    if rows:
        _table(("fault", "where", "what"), rows, _MAX_ROWS)
    counted = ", ".join(f"{count} {code.removeprefix('card.')}" for code, count in count_faults(plan).items())
    say(f"\n{len(plan.decisions)} cards: {counted or 'no problems found'}.")
    for finding in applied.refused.values():
        say(f"not done: {finding}", "yellow")
    if waiting := plan.counts["manual_review"]:
        say(f"{waiting} cards need your decision: studium review")
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
