"""`studium cards`: notes become Anki cards, and stay in step."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studium.cards import use_cases as cards
from studium.cards import use_cases as reports
from studium.cli.console import progress_bar, say, show_json, show_table
from studium.cli.options import AsJson, DryRun, FailOnReview, Resume, settings_for

if TYPE_CHECKING:
    from studium.cards.report import Criterion
    from studium.cards.sync.apply import ApplyResult
    from studium.cards.sync.engine import SyncResult
    from studium.core.config import Settings
    from studium.core.domain.decision import Decision, Plan


_MAX_FAULTS = 30
_PERCENT = frozenset({"schema_valid", "exceptions"})

VaultArgument = Annotated[Path, typer.Argument(help="The folder of your vault.")]
RecheckTo = Annotated[str, typer.Option(help="`anki`, or a collection FILE.anki2.")]
Limit = Annotated[int | None, typer.Option(min=1, help="At most so many notes and gaps; a table shows 30.")]
ToReview = Annotated[bool, typer.Option("--to-review", help="Put what needs a person into the inbox.")]
RunId = Annotated[str | None, typer.Argument(metavar="RUN", help="A run of cards; without it, the last one.")]
All = Annotated[bool, typer.Option("--all", help="Every run that made cards.")]


def curriculum(context: typer.Context, vault: VaultArgument, *, limit: Limit = None, as_json: AsJson = False) -> None:
    """Say in which order to learn the notes, and what is missing: topics, notes and hubs without cards."""
    found = reports.curriculum(settings_for(context), vault)
    if as_json:
        show_json(reports.curriculum_json(found, limit))
        return
    rows = ((each.place, each.title, each.topic, each.centrality, each.linked_from, each.cards) for each in found.order)
    _table(("#place", "note", "topic", "#centrality", "#linked from", "#cards"), list(rows), limit or _MAX_FAULTS)
    if found.gaps:
        _table(("gap", "where"), [(gap.message, gap.where) for gap in found.gaps], limit or _MAX_FAULTS, title="\nGaps")
    say(f"\n{len(found.order)} notes, {len(found.topics)} topics, {len(found.gaps)} gaps.", "dim")


def recheck(
    context: typer.Context,
    vault: VaultArgument,
    *,
    to: RecheckTo = "anki",
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
        _render_recheck(plan, applied)


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


def _render_recheck(plan: "Plan", applied: "ApplyResult") -> None:
    from studium.cards.recheck import count_faults, worst_first

    rows = [
        (finding.code.removeprefix("card."), finding.where, finding.message)
        for decision in worst_first(plan)
        for finding in decision.findings
    ]
    if rows:
        _table(("fault", "where", "what"), rows, _MAX_FAULTS)
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


_MAX_ROWS = 40


def render_sync_result(synced: "SyncResult", to: str, *, applied: bool) -> None:
    """Say what was done, what was left and what waits."""
    from studium.core.domain.decision import Action

    plan, counts = synced.plan, synced.plan.counts
    notable = [d for d in plan.decisions if d.action is Action.MANUAL_REVIEW or d.findings]
    if notable:
        rows = [(d.action.value, _location(d), "; ".join(d.reasons)) for d in notable[:_MAX_ROWS]]
        show_table(("what", "where", "why"), rows)
    if len(notable) > _MAX_ROWS:
        say(f"… and {len(notable) - _MAX_ROWS} more; --json shows all.", "dim")
    done = "" if applied else " (nothing was written)"
    say(f"{counts['create']} new cards, {counts['update']} updated, {counts['skip']} left as they are{done}; {to}")
    say(f"{synced.unchanged} notes had not changed.", "dim")
    render_apply_result(synced.applied)
    if counts["manual_review"]:
        say(f"{counts['manual_review']} wait for you: studium review")
    if plan.run:
        say(f"Run {plan.run}.", "dim")


def render_apply_result(applied: "ApplyResult") -> None:
    """Say what was not carried out."""
    for finding in applied.faults:
        say(f"not done: {finding}", "yellow")


def _location(decision: "Decision") -> str:
    where = next((finding.where for finding in decision.findings if finding.where), None)
    if where:
        return str(where)
    return f"{decision.order['note']}:{decision.order['line']}" if decision.order else decision.item


app = typer.Typer(help="Turn Obsidian notes into Anki cards, and keep them in step.", no_args_is_help=True)

VaultFolder = Annotated[Path, typer.Argument(help="The folder of your vault.")]
To = Annotated[str, typer.Option(help="`anki`, a package FILE.apkg, or a collection FILE.anki2.")]
Note = Annotated[Path | None, typer.Option(help="Only this note of the vault.")]
MassChange = Annotated[bool, typer.Option("--allow-mass-change", help="Change or suspend however many cards.")]


@app.command()
def plan(
    context: typer.Context, vault: VaultFolder, *, to: To = "anki", note: Note = None, as_json: AsJson = False
) -> None:
    """Show what a sync would do; with --json, a plan that `apply` takes."""
    wish = cards.SyncOptions(vault, to, note, apply=False)
    _present(_sync(settings_for(context), wish), wish, as_json=as_json)


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
    """Bring Anki in step with the notes; edits made in Anki are kept, doubts wait for you."""
    wish = cards.SyncOptions(vault, to, note, apply=not dry_run, resume=resume, mass_change=allow_mass_change)
    synced = _sync(settings_for(context), wish)
    _present(synced, wish, as_json=as_json)
    if synced.applied.faults or (fail_on_review and synced.plan.counts["manual_review"]):
        raise typer.Exit(1)


@app.command()
def apply(
    context: typer.Context,
    plan_file: Annotated[Path, typer.Argument(metavar="PLAN", help="What `plan --json` printed.")],
    *,
    allow_mass_change: MassChange = False,
) -> None:
    """Carry a plan out, unless a note or card changed since it was made."""
    applied = asyncio.run(cards.apply(settings_for(context), plan_file, mass_change=allow_mass_change))
    render_apply_result(applied)
    say(f"{len(applied.done)} cards written.")


@app.command()
def undo(context: typer.Context, run: Annotated[str, typer.Argument(help="The run, as `runs list` shows it.")]) -> None:
    """Put Anki back as it was before a run: fields, tags, decks and suspension."""
    undone = cards.undo(settings_for(context), run)
    say(f"{len(undone.restored)} cards put back, {len(undone.removed)} new ones removed.")
    for finding in undone.left:
        say(str(finding), "yellow")


@app.command()
def adopt(context: typer.Context, vault: VaultFolder, *, to: To = "anki", dry_run: DryRun = False) -> None:
    """Take over cards that other tools made from these notes, by the ids they left; their history stays."""
    wish = cards.SyncOptions(vault, to, apply=False, remember=not dry_run, adopt=True)
    _present(_sync(settings_for(context), wish), wish, as_json=False)


@app.command("rebuild-state")
def rebuild_state(context: typer.Context, vault: VaultFolder, *, to: To = "anki") -> None:
    """Find the cards of these notes in Anki again after the database was lost; nothing is written to Anki."""
    wish = cards.SyncOptions(vault, to, apply=False, remember=True)
    _present(_sync(settings_for(context), wish), wish, as_json=False)


@app.command()
def watch(context: typer.Context, vault: VaultFolder, *, to: To = "anki") -> None:
    """Sync whenever a note is saved, until you press Ctrl-C."""
    settings, wish = settings_for(context), cards.SyncOptions(vault, to)
    say(f"Watching {vault}; Ctrl-C ends it.", "dim")
    # However it is stopped, the next sync finds out what was done; so Ctrl-C is no failure here.
    with suppress(KeyboardInterrupt):
        for _ in cards.watch_notes(vault):
            _present(_sync(settings, wish), wish, as_json=False)


@app.command("tidy-media")
def tidy_media(context: typer.Context, vault: VaultFolder, *, to: To = "anki", dry_run: DryRun = False) -> None:
    """Move pictures and sounds that no note shows any more from Anki's media folder to its trash."""
    found = cards.tidy_media(settings_for(context), vault, to, remove=not dry_run)
    say(f"{len(found)} files {'would be' if dry_run else 'were'} moved to Anki's trash.")
    for name in found:
        say(f"  {name}", "dim")


@app.command()
def status(context: typer.Context, vault: VaultFolder, *, to: To = "anki", as_json: AsJson = False) -> None:
    """Say how many notes and cards are known, what changed since, and what waits."""
    found = cards.status(settings_for(context), vault, to)
    if as_json:
        show_json(found)
        return
    for name, value in found.items():
        say(f"{name.replace('_', ' '):16} {value}")


app.command()(curriculum)
app.command()(recheck)
app.command()(report)


def _sync(settings: "Settings", wish: cards.SyncOptions) -> "SyncResult":
    with progress_bar("cards"):
        return asyncio.run(cards.sync(settings, wish))


def _present(synced: "SyncResult", wish: cards.SyncOptions, *, as_json: bool) -> None:
    if as_json:
        show_json(cards.plan_json(synced, wish.to))
    else:
        render_sync_result(synced, wish.to, applied=wish.apply)
