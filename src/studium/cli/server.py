"""The web server and its token; a module of its own because it is slow to import."""

import logging
import secrets
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from ipaddress import ip_address
from itertools import pairwise

import uvicorn
from pydantic import SecretStr

from studium.cli.console import say
from studium.cli.shutdown_guard import killed_if_stuck
from studium.core.app import open_database
from studium.core.config import Settings
from studium.core.domain.errors import BadInput, BadSettings
from studium.http.app import create_app
from studium.http.login import LOGIN_PATH
from studium.http.protocols import HeaderTimeoutProtocol, RefusableWebSocketProtocol
from studium.http.sessions import SESSIONS_FILE, Sessions
from studium.web.mount import mount_pages

_MAX_MESSAGE = 4_000_000
_SHUTDOWN_SECONDS = 3  # seconds that open connections get when the server stops
_MAX_CONNECTIONS = 500
_ON_THIS_MACHINE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - what to open, not what to listen on
_STRONGER = (
    "Remove `serve.token` (and STUDIUM_SERVE__TOKEN) to have one generated at each start, or set a random one: "
    'python3 -c "import secrets; print(secrets.token_urlsafe(32))"'
)

log = logging.getLogger(__name__)


class Server(uvicorn.Server):
    """Prints its address, and how to log in, once it has started; exits soon after a signal to stop."""

    def __init__(self, config: uvicorn.Config, login: Callable[[str], str]) -> None:
        super().__init__(config)
        self._login = login

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Shut down cleanly at a signal, or be killed."""
        with super().capture_signals(), killed_if_stuck():
            yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen."""
        await super().startup(sockets)
        if self.started:
            host, port = self.config.host, self.config.port
            say(f"Studium runs at {_address(host, port)} (Ctrl-C stops it).")
            if login := self._login(_address(_ON_THIS_MACHINE.get(host, host), port)):
                say(login)


def run_server(settings: Settings, *, ports: int = 1) -> None:
    """Serve until Ctrl-C, on the first free port of this many; off loopback, only with a token."""
    settings, is_new_token = _with_token(settings)
    serve = settings.serve
    # Opened here first, so that an unusable database is a plain error; the server would print a traceback.
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

    def describe_login(address: str) -> str:
        """The token if it is new, and a link that logs in."""
        if serve.token is None or not (is_new_token or sys.stdout.isatty()):
            return ""
        code = app.state.sessions.login_code()
        link = f"Open {address}{LOGIN_PATH}?code={code} (it logs in once, within 15 minutes)."
        if not is_new_token:
            return link
        token = serve.token.get_secret_value()
        return f"{link}\nToken: {token} (for this start only; set `serve.token` to keep one)."

    with suppress(KeyboardInterrupt):  # the usual way to stop it
        Server(config, describe_login).run([listening])


def revoke_sessions(settings: Settings) -> None:
    """Log everybody out, also from a server that runs."""
    Sessions(settings.home / SESSIONS_FILE).revoke()
    say("All sessions have ended. A server that runs keeps its token; to change that too, restart it.")


def _with_token(settings: Settings) -> tuple[Settings, bool]:
    """The settings with a token if others can reach the server, and whether it is new; a weak one is refused there."""
    serve = settings.serve
    if serve.token is None or not serve.token.get_secret_value():
        if _is_loopback(serve.host):
            return settings, False
        generated = serve.model_copy(update={"token": SecretStr(generate_token())})
        return settings.model_copy(update={"serve": generated}), True
    if why := weakness(serve.token.get_secret_value()):
        what = f"`serve.token` is easy to guess: {why}."
        if not _is_loopback(serve.host):
            raise BadSettings(f"Others can reach {serve.host}, and {what}", remedy=_STRONGER)
        log.warning("%s %s", what, _STRONGER)
    return settings, False


def _address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


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


_TOKEN_BYTES = 32  # 256 bits
_SHORTEST_TOKEN = 16
_FEWEST_UNPREDICTABLE = 11  # random tokens have a few repetitions and rows too
_FEWEST_DIFFERENT = 6
_ROWS = ("qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "zxcvbnm", "yxcvbnm", "1234567890")
# Pairs of neighbours on a keyboard, in both directions.
_NEIGHBOURS = frozenset(pair for row in _ROWS for way in (row, row[::-1]) for pair in pairwise(way))


def generate_token() -> str:
    """A random token of 256 bits that needs no escaping in an address."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def weakness(token: str) -> str | None:
    """Why a token is easy to guess: too short, too few different characters, or a pattern; None if it is not.

    >>> weakness("aaaaaaaaaaaaaaaaaaaaaaaa")
    'without repetitions and rows only 1 of its 24 characters are left'
    """
    if len(token) < _SHORTEST_TOKEN:
        return f"its length is {len(token)}, and at least {_SHORTEST_TOKEN} characters are needed"
    unpredictable = _unpredictable(token.casefold())
    if unpredictable < _FEWEST_UNPREDICTABLE:
        return f"without repetitions and rows only {unpredictable} of its {len(token)} characters are left"
    different = len(set(token))
    if different < _FEWEST_DIFFERENT:
        return f"it has only {different} different characters, and {_FEWEST_DIFFERENT} are needed"
    return None


def _unpredictable(token: str) -> int:
    """How many characters neither repeat an earlier piece of three nor continue a row: `aaa`, `456`, `wert`."""
    count = 0
    seen: set[str] = set()
    for at, sign in enumerate(token):
        before = token[at - 1 : at]
        repeated = at >= 2 and token[at - 2 : at + 1] in seen  # noqa: PLR2004 - a piece of three
        seen.add(token[max(0, at - 2) : at + 1])
        follows = bool(before) and (abs(ord(sign) - ord(before)) <= 1 or (before, sign) in _NEIGHBOURS)
        count += not (repeated or follows)
    return count
