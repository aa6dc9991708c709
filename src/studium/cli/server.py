"""The server itself, which is slow to load."""

import socket
from contextlib import suppress
from ipaddress import ip_address

import uvicorn

from studium.cli.console import say
from studium.core.config import Settings
from studium.core.domain.errors import BadInput, BadSettings
from studium.http.app import create_app
from studium.http.guard.slow_header_guard import HeaderTimeoutProtocol
from studium.mcp.mount import mount_mcp
from studium.web.mount import mount_pages

_LONGEST_MESSAGE = 4_000_000
_PATIENCE = 3  # seconds that pages have to let go when the server ends
_MOST_CONNECTIONS = 500


class Server(uvicorn.Server):
    """Says where it is once it is there."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if self.started:
            host = f"[{self.config.host}]" if ":" in self.config.host else self.config.host
            say(f"Studium is at http://{host}:{self.config.port} (Ctrl-C ends it).")


def run_server(settings: Settings, *, ports: int = 1) -> None:
    """Serve until somebody ends it; of so many ports, on the first that is free."""
    serving = settings.serve
    if not (_is_own(serving.host) or serving.token):
        raise BadSettings(
            f"On {serving.host} others can reach Studium, and `serve.token` is not set.",
            remedy="Set `serve.token` (or STUDIUM_SERVE__TOKEN), or listen on 127.0.0.1.",
        )
    listening = _bound(serving.host, range(serving.port, serving.port + ports))
    app = create_app(settings)
    mount_mcp(app)
    mount_pages(app)
    config = uvicorn.Config(
        app,
        serving.host,
        listening.getsockname()[1],
        http=HeaderTimeoutProtocol,
        log_level="warning",
        ws_max_size=_LONGEST_MESSAGE,
        limit_concurrency=_MOST_CONNECTIONS,
        access_log=False,  # an address may carry the token
        timeout_graceful_shutdown=_PATIENCE,
    )
    with suppress(KeyboardInterrupt):  # that is how it is ended
        Server(config).run([listening])


def _bound(host: str, ports: range) -> socket.socket:
    """A socket on this address; one that is taken is said before anything is opened."""
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


def _is_own(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
