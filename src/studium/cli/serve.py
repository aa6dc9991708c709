"""`studium serve`: the web app and the HTTP API."""

import asyncio
import shutil
import signal
import sys
from dataclasses import astuple
from pathlib import Path
from typing import Annotated

import typer

from studium.cli.console import progress_bar, say, show_table
from studium.cli.options import settings_for


def serve(
    context: typer.Context,
    host: Annotated[str | None, typer.Option(help="The address to listen on; else `serve.host`.")] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="The port; else `serve.port`.")] = None,
    root: Annotated[
        list[Path] | None, typer.Option(help="A folder whose files may be named in the app; may be given again.")
    ] = None,
) -> None:
    """Serve the web app; its API is described for people at /docs and /redoc."""
    from studium.cli.server import run_server

    settings = settings_for(context)
    given = {"host": host, "port": port, "roots": (*settings.serve.roots, *(path.absolute() for path in root or ()))}
    serving = settings.serve.model_copy(update={name: value for name, value in given.items() if value is not None})
    run_server(settings.model_copy(update={"serve": serving}))


def mcp(
    context: typer.Context,
    root: Annotated[
        list[Path] | None, typer.Option(help="A folder whose files the assistant may name; may be given again.")
    ] = None,
) -> None:
    """Talk to the assistant that starts this, over standard input and output (see docs/assistants.md)."""
    from studium.mcp.server import serve_stdio

    settings = settings_for(context)
    roots = (*settings.serve.roots, *(path.absolute() for path in root or ()))
    serving = settings.serve.model_copy(update={"roots": roots})
    if sys.stdin.isatty():
        typer.echo("An assistant starts this and talks to it; docs/assistants.md says how. Ctrl-C ends it.", err=True)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever waits for a line of input cannot be woken otherwise
    asyncio.run(serve_stdio(settings.model_copy(update={"serve": serving})))


def demo(
    context: typer.Context,
    folder: Annotated[Path, typer.Option(help="Where the samples and the results go.")] = Path(".demo"),
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port of the app.")] = 8000,
) -> None:
    """Run every feature on shipped samples, say what was made, and serve the app that shows it."""
    from studium.app.demo import add_samples

    folder.mkdir(parents=True, exist_ok=True)
    _forget(folder)
    settings = settings_for(context).model_copy(update={"home": (folder / "home").resolve(), "database": None})
    with progress_bar("demo"):
        made = asyncio.run(add_samples(settings, folder))
    columns = ("feature", "made", "where", "waits for you", "left out")
    show_table(columns, map(astuple, made), title="What Studium made of the samples")
    say(f"\nLook at what waits:  studium --home {folder / 'home'} review", "dim")
    if sys.stdout.isatty():
        from studium.cli.server import run_server

        serving = settings.serve.model_copy(update={"port": port, "roots": (*settings.serve.roots, folder.resolve())})
        concepts = settings.concepts.model_copy(update={"vault": folder.resolve() / "concepts-vault"})
        run_server(settings.model_copy(update={"serve": serving, "concepts": concepts}), ports=20)


def _forget(folder: Path) -> None:
    """Begin anew, or the demo would find that nothing had changed; only the dictionary, which takes long, is kept."""
    from studium.app.samples import CONCEPT_NOTES, MANIFEST

    (folder / MANIFEST).unlink(missing_ok=True)
    shutil.rmtree(folder / CONCEPT_NOTES, ignore_errors=True)
    for kept in (folder / "home").glob("*"):
        if kept.is_dir() and kept.name != "dictionary":
            shutil.rmtree(kept, ignore_errors=True)
        elif not kept.is_dir():
            kept.unlink(missing_ok=True)
