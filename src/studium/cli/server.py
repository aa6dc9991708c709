"""The web server; a module of its own because it is slow to import."""

import socket
from contextlib import suppress
from importlib.util import find_spec
from ipaddress import ip_address

import uvicorn

from studium.cli.console import say
from studium.core.app import open_database
from studium.core.config import Settings
from studium.core.domain.errors import BadInput, BadSettings
from studium.http.app import create_app
from studium.http.slow_header_guard import HeaderTimeoutProtocol
from studium.http.websocket_protocol import RefusableWebSocketProtocol
from studium.web.mount import mount_pages

_MAX_MESSAGE = 4_000_000
_SHUTDOWN_SECONDS = 3  # seconds that open connections get when the server stops
_MAX_CONNECTIONS = 500


class Server(uvicorn.Server):
    """Prints its address once it has started."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen."""
        await super().startup(sockets)
        if self.started:
            host = f"[{self.config.host}]" if ":" in self.config.host else self.config.host
            say(f"Studium runs at http://{host}:{self.config.port} (Ctrl-C stops it).")


def run_server(settings: Settings, *, ports: int = 1) -> None:
    """Serve until Ctrl-C, on the first free port of this many."""
    serve = settings.serve
    if not (_is_loopback(serve.host) or serve.token):
        raise BadSettings(
            f"Others can reach {serve.host}, and `serve.token` is not set.",
            remedy="Set `serve.token` (or STUDIUM_SERVE__TOKEN), or listen on 127.0.0.1.",
        )
    # A database that cannot be used is told plainly; the server would print a traceback.
    open_database(settings).close()
    listening = _bind(serve.host, range(serve.port, serve.port + ports))
    app = create_app(settings)
    if find_spec("mcp"):  # an extra: the web app needs no assistant
        from studium.mcp.server import mount_mcp

        mount_mcp(app)
    mount_pages(app)
    config = uvicorn.Config(
        app,
        serve.host,
        listening.getsockname()[1],
        http=HeaderTimeoutProtocol,
        ws=RefusableWebSocketProtocol,
        log_level="warning",
        ws_max_size=_MAX_MESSAGE,
        limit_concurrency=_MAX_CONNECTIONS,
        access_log=False,  # an address may carry the token
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
    )
    with suppress(KeyboardInterrupt):  # the usual way to stop it
        Server(config).run([listening])


def _bind(host: str, ports: range) -> socket.socket:
    """A socket on the first free port; fails before anything else is opened."""
    for port in ports:
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            made = socket.socket(family, kind, protocol)
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind(address)
        except OSError as error:
            fault = error
        else:
            return made
    raise BadInput(
        f"Studium cannot listen on {host}:{ports[0]}: {fault.strerror}.", remedy="Choose another --port, or --host."
    ) from fault


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
