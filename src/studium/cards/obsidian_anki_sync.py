"""`obsidian-anki-sync sync`: the earlier command, on the current pipeline."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from studium.cards import use_cases
from studium.cards.cli import render_sync_result
from studium.cli.app import run_app
from studium.cli.console import progress_bar
from studium.cli.options import DryRun, GlobalOptions, settings_for

app = typer.Typer(help="Sync Anki with an Obsidian vault.", no_args_is_help=True)


@app.callback()
def obsidian_anki_sync() -> None:
    """Sync Anki with an Obsidian vault; `studium cards` does the same and more."""


@app.command()
def sync(
    context: typer.Context,
    vault: Annotated[Path | None, typer.Argument(help="The vault; by default `cards.vault`, or this folder.")] = None,
    *,
    use_langchain_agents: Annotated[bool, typer.Option("--use-langchain-agents", help="Use language models.")] = False,
    agents_config: Annotated[Path | None, typer.Option(help="A file with the `agents:` settings.")] = None,
    to: Annotated[str, typer.Option(help="`anki`, FILE.apkg or FILE.anki2.")] = "anki",
    dry_run: DryRun = False,
) -> None:
    """Create and update cards from the notes of a vault."""
    flags = context.ensure_object(GlobalOptions)
    flags.config = agents_config
    flags.overrides = (f"agents.enabled={'true' if use_langchain_agents or agents_config else 'false'}",)
    settings = settings_for(context)
    options = use_cases.SyncOptions(vault or settings.cards.vault or Path(), to, apply=not dry_run)
    with progress_bar("cards"):
        result = asyncio.run(use_cases.sync(settings, options))
    render_sync_result(result, to, applied=not dry_run)


def main(arguments: list[str] | None = None) -> None:
    """Run the command and exit with its exit code."""
    run_app(app, "obsidian-anki-sync", arguments)
