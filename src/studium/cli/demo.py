"""`studium demo`: every faculty at work on shipped samples, a table of what it made, and the app to see it in."""

import asyncio
import shutil
import sys
from dataclasses import astuple
from pathlib import Path
from typing import Annotated

import typer

from studium.cli.console import say, show_table
from studium.cli.flags import settings_for
from studium.cli.progress import progress_bar


def demo(
    context: typer.Context,
    folder: Annotated[Path, typer.Option(help="Where the samples and the results go.")] = Path(".demo"),
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port of the app.")] = 8000,
) -> None:
    """Run every faculty on shipped samples, say what was made, and serve the app that shows it."""
    from studium.faculties.demo import fill

    folder.mkdir(parents=True, exist_ok=True)
    _forget(folder)
    settings = settings_for(context).model_copy(update={"home": (folder / "home").resolve(), "ledger": None})
    with progress_bar("demo"):
        made = asyncio.run(fill(settings, folder))
    columns = ("faculty", "made", "where", "waits for you", "left out")
    show_table(columns, map(astuple, made), title="What Studium made of the samples")
    say(f"\nLook at what waits:  studium --home {folder / 'home'} review", "dim")
    if sys.stdout.isatty():
        from studium.cli.server import run_server

        serving = settings.serve.model_copy(update={"port": port, "roots": (*settings.serve.roots, folder.resolve())})
        concepts = settings.concepts.model_copy(update={"vault": folder.resolve() / "concepts-vault"})
        run_server(settings.model_copy(update={"serve": serving, "concepts": concepts}), ports=20)


def _forget(folder: Path) -> None:
    """Begin anew, or the demo would find that nothing had changed; only the dictionary, which takes long, is kept."""
    from studium.faculties.samples import MARK, NOTES

    (folder / MARK).unlink(missing_ok=True)
    shutil.rmtree(folder / NOTES, ignore_errors=True)
    for kept in (folder / "home").glob("*"):
        if kept.is_dir() and kept.name != "dictionary":
            shutil.rmtree(kept, ignore_errors=True)
        elif not kept.is_dir():
            kept.unlink(missing_ok=True)
