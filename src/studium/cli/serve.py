"""`studium serve`: the web app and the HTTP API."""

from pathlib import Path
from typing import Annotated

import typer

from studium.cli.flags import settings_for


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
