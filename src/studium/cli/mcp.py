"""`studium mcp`: Studium for assistants that speak the Model Context Protocol."""

import asyncio
import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from studium.cli.flags import settings_for


def mcp(
    context: typer.Context,
    root: Annotated[
        list[Path] | None, typer.Option(help="A folder whose files the assistant may name; may be given again.")
    ] = None,
) -> None:
    """Talk to the assistant that starts this, over standard input and output (see docs/assistants.md)."""
    from studium.assistant.stdio import talk_over_stdio

    settings = settings_for(context)
    roots = (*settings.serve.roots, *(path.absolute() for path in root or ()))
    serving = settings.serve.model_copy(update={"roots": roots})
    if sys.stdin.isatty():
        typer.echo("An assistant starts this and talks to it; docs/assistants.md says how. Ctrl-C ends it.", err=True)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever waits for a line of input cannot be woken otherwise
    asyncio.run(talk_over_stdio(settings.model_copy(update={"serve": serving})))
