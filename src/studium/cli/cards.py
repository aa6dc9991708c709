"""`studium cards`: notes become Anki cards, and stay in step."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studium.cli import cardreports
from studium.cli.cardtelling import tell_applied, tell_synced
from studium.cli.console import say, show_json
from studium.cli.flags import AsJson, DryRun, FailOnReview, Resume, settings_for
from studium.cli.progress import progress_bar
from studium.faculties import cards

if TYPE_CHECKING:
    from studium.core.config import Settings
    from studium.running.cards.syncing import Synced

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
    wish = cards.Wish(vault, to, note, apply=False)
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
    wish = cards.Wish(vault, to, note, apply=not dry_run, resume=resume, mass_change=allow_mass_change)
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
    tell_applied(applied)
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
    wish = cards.Wish(vault, to, apply=False, remember=not dry_run, adopt=True)
    _present(_sync(settings_for(context), wish), wish, as_json=False)


@app.command("rebuild-state")
def rebuild_state(context: typer.Context, vault: VaultFolder, *, to: To = "anki") -> None:
    """Find the cards of these notes in Anki again after the ledger was lost; nothing is written to Anki."""
    wish = cards.Wish(vault, to, apply=False, remember=True)
    _present(_sync(settings_for(context), wish), wish, as_json=False)


@app.command()
def watch(context: typer.Context, vault: VaultFolder, *, to: To = "anki") -> None:
    """Sync whenever a note is saved, until you press Ctrl-C."""
    settings, wish = settings_for(context), cards.Wish(vault, to)
    say(f"Watching {vault}; Ctrl-C ends it.", "dim")
    # However it is stopped, the next sync finds out what was done; so Ctrl-C is no failure here.
    with suppress(KeyboardInterrupt):
        for _ in cards.saves(vault):
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


app.command()(cardreports.curriculum)
app.command()(cardreports.recheck)
app.command()(cardreports.report)


def _sync(settings: "Settings", wish: cards.Wish) -> "Synced":
    with progress_bar("cards"):
        return asyncio.run(cards.sync(settings, wish))


def _present(synced: "Synced", wish: cards.Wish, *, as_json: bool) -> None:
    if as_json:
        show_json(cards.plan_json(synced, wish.to))
    else:
        tell_synced(synced, wish.to, applied=wish.apply)
