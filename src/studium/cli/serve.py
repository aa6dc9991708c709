"""`studium serve`: the HTTP service on this machine."""

from ipaddress import ip_address
from typing import Annotated

import typer

from studium.cli.flags import settings_for
from studium.domain.errors import BadInput


def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8000,
) -> None:
    """Serve the HTTP API; its pages for people are at /docs and /redoc."""
    if host != "localhost" and not ip_address(host).is_loopback:
        raise BadInput(
            f"Studium listens on this machine only, not on {host}.", remedy="Use 127.0.0.1, behind a proxy if need be."
        )
    import uvicorn

    from studium.api.app import create_app

    uvicorn.run(create_app(settings_for(context)), host=host, port=port, log_level="warning")
