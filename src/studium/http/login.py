"""Login by token: the throttle for guessing, the session cookie, and the login form.

The throttle counts different wrong tokens, not requests: a program that keeps sending the same wrong token learns
nothing, and must not lock out others at its address. Each round of guesses has to wait longer than the one before.
"""

import asyncio
import hmac
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from ipaddress import IPv6Address, ip_address
from math import ceil
from string import Template
from time import monotonic
from urllib.parse import parse_qs, parse_qsl, urlencode

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive, Scope, Send

from studium.http.request_checks import Refusal, send_response
from studium.http.sessions import SESSION_SECONDS, Sessions

MAX_ATTEMPTS = 10
"""How many different wrong tokens one address may send within a minute."""
MAX_ATTEMPTS_OVERALL = 200
"""How many all addresses may send together, so that many or forged addresses (`X-Forwarded-For`) do not help."""
THIS_MACHINE = "this machine"
"""The key of requests from the server's own machine."""

_WINDOW = 60.0
_LONGEST_WAIT = 900.0
_MAX_ROUNDS = 4  # after this many the wait no longer grows, so that the numbers stay small
_MAX_ADDRESSES = 1_000
_MAX_TOKENS = 300  # a thousand addresses with this many each take 30 MB


@dataclass
class _Attempts:
    """The attempts from one address."""

    seen: dict[str, None] = field(default_factory=dict)
    recent: list[float] = field(default_factory=list)
    rounds: int = 0
    until: float = 0.0

    def add(self, what: str, now: float, most: int) -> None:
        if _is_new(what, self.seen, _MAX_TOKENS):
            self._count(now, most)

    def _count(self, now: float, most: int) -> None:
        if now > self.until + _LONGEST_WAIT:
            self.rounds = 0
        self.recent = [*(when for when in self.recent if now - when < _WINDOW), now]
        if len(self.recent) >= most:
            self.until = now + min(_WINDOW * 2**self.rounds, _LONGEST_WAIT)
            self.rounds = min(self.rounds + 1, _MAX_ROUNDS)
            self.recent = []


class LoginThrottle:
    """Recent wrong tokens, in memory, of the thousand addresses that tried last."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._tried: OrderedDict[str, _Attempts] = OrderedDict()
        self._overall = _Attempts()
        self._known: dict[str, None] = {}

    def wait(self, client: str) -> int:
        """How many seconds this address has to wait for its own wrong tokens; 0 if it does not."""
        tried = self._tried.get(client)
        return self._left(tried.until) if tried else 0

    def wait_for_all(self, client: str) -> int:
        """The same for the wrong tokens of all addresses; known addresses and this machine never wait."""
        return 0 if client == THIS_MACHINE or client in self._known else self._left(self._overall.until)

    def record_success(self, client: str) -> None:
        """Record that the right token came from this address."""
        _is_new(client, self._known, _MAX_ADDRESSES)

    def add(self, client: str, token: bytes) -> None:
        """Record a wrong token from this address."""
        what, now = sha256(token).hexdigest()[:24], self._clock()
        self._overall.add(what, now, MAX_ATTEMPTS_OVERALL)
        self._tried.setdefault(client, _Attempts()).add(what, now, MAX_ATTEMPTS)
        self._tried.move_to_end(client)
        if len(self._tried) > _MAX_ADDRESSES:
            self._tried.popitem(last=False)

    def _left(self, until: float) -> int:
        return max(0, ceil(until - self._clock()))


def _is_new(what: str, among: dict[str, None], most: int) -> bool:
    """Whether this is not among the last ones seen; it is from now on."""
    is_new = what not in among
    among.pop(what, None)
    among[what] = None
    if len(among) > most:
        del among[next(iter(among))]
    return is_new


def client_key(scope: Scope) -> str:
    """The key that attempts are counted under: an IPv4 address, or the network of an IPv6 address."""
    try:
        address = ip_address((scope.get("client") or ("",))[0])
    except ValueError:
        return "unknown"
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    if address.is_loopback:
        return THIS_MACHINE
    return str(address) if address.version == 4 else f"{int(address) >> 64:x}"  # noqa: PLR2004 - IPv4


SESSION_COOKIE = "studium_session"
"""The name of the cookie."""

TOKEN_REQUIRED = Refusal(
    401,
    "A token is needed",
    "This server requires a token.",
    "Send `Authorization: Bearer <token>`; the token is the server's `serve.token`, or the one it showed at its start.",
    ((b"www-authenticate", b'Bearer realm="Studium"'),),
)


SESSION_EXPIRED = replace(TOKEN_REQUIRED)
"""The same for a browser whose session is no longer valid; the cookie is removed."""


def too_many_attempts(seconds: int, where: str) -> Refusal:
    """The refusal of a client that has to wait, with the reason."""
    return Refusal(
        429,
        "Too many wrong tokens",
        f"Too many wrong tokens from {where}. The next one is checked in {seconds} seconds.",
        f"Wait {seconds} seconds, then send the right token.",
        ((b"retry-after", str(seconds).encode()),),
    )


class TokenAuth:
    """Decides by token or session whether a request is accepted.

    While an address has to wait, even the right token is refused: otherwise guessing could continue at full speed. But
    many people may share one address behind a proxy, and one person's guesses must not sign the others out. So
    existing sessions stay valid, and a right token does not reset the count, since it may be someone else's. A session
    cannot be guessed, so wrong ones are not counted.
    """

    def __init__(self, token: str, throttle: LoginThrottle, sessions: Sessions | None = None) -> None:
        self._token, self._throttle = token.encode(), throttle
        self._sessions = Sessions() if sessions is None else sessions

    def session(self, headers: Headers, client: str) -> str | None:
        """The session of a request, if it is valid."""
        session = _cookie(headers.get("cookie", ""))
        if not self.is_valid(session):
            return None
        self._throttle.record_success(client)
        return session

    def is_valid(self, session: str) -> bool:
        """Whether a session is valid now."""
        return self._sessions.is_valid(session, self._token)

    def refusal(self, headers: Headers, client: str) -> Refusal | None:
        """Why a request is refused, if it has neither the token nor a valid session."""
        if self.session(headers, client):
            return None
        scheme, _, value = headers.get("authorization", "").partition(" ")
        token = value.strip() if scheme.lower() == "bearer" else ""
        if token:
            return self._refusal_of(token.encode("latin-1"), client)
        return SESSION_EXPIRED if _cookie(headers.get("cookie", "")) else TOKEN_REQUIRED

    def refusal_of_token(self, token: str, client: str) -> Refusal | None:
        """Why a token from the form or a link is refused, if it is."""
        return self._refusal_of(token.encode("utf-8", "replace"), client)

    def accepts_code(self, code: str) -> bool:
        """Whether the code of a login link is good; it is used up with that."""
        return self._sessions.use_login_code(code)

    def cookie(self, scheme: str) -> str:
        """The cookie of a new session, for a browser that sent the right token."""
        return _cookie_of(self._sessions.start(self._token), SESSION_SECONDS, scheme)

    def log_out(self, headers: Headers) -> None:
        """End the session of a request."""
        self._sessions.end(_cookie(headers.get("cookie", "")), self._token)

    def _refusal_of(self, token: bytes, client: str) -> Refusal | None:
        """Compare in constant time, so that the time reveals nothing."""
        if seconds := self._throttle.wait(client):
            return too_many_attempts(seconds, "your address")
        if seconds := self._throttle.wait_for_all(client):
            return too_many_attempts(seconds, "many addresses")
        if hmac.compare_digest(token, self._token):
            self._throttle.record_success(client)
            return None
        if token:
            self._throttle.add(client, token)
        return TOKEN_REQUIRED


def expired_cookie(scheme: str) -> str:
    """A cookie that removes the session from the browser."""
    return _cookie_of("", 0, scheme)


def token_in_link(scope: Scope) -> tuple[str | None, str]:
    """The token in a link such as `/cards?token=…`, and the link without it."""
    query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    token = next((value for name, value in query if name == "token"), None)
    rest = urlencode([pair for pair in query if pair[0] != "token"])
    path = scope.get("raw_path", b"").decode("latin-1") or "/"
    return token, local_path(f"{path}?{rest}" if rest else path)


def local_path(address: str) -> str:
    """A path on this server; anything else becomes the front page."""
    ours = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if ours and address.isascii() and address.isprintable() else "/"


def _cookie_of(session: str, lasts: int, scheme: str) -> str:
    secure = "; Secure" if scheme == "https" else ""
    return f"{SESSION_COOKIE}={session}; Path=/; Max-Age={lasts}; HttpOnly; SameSite=Strict{secure}"


def _cookie(header: str) -> str:
    """Our cookie; cookies of other programs on this machine may be malformed."""
    pairs = (pair.strip().partition("=") for pair in header.split(";"))
    return next((value for name, _, value in pairs if name == SESSION_COOKIE), "")


LOGIN_PATH = "/login"
"""The path that the login form posts to; `?code=…` logs in without a token, once."""
LOGOUT_PATH = "/logout"
"""The path that the log-out button posts to."""

_POLICY = b"default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
_ASK = "<p>This server requires a token: the one it showed when it started, or <code>serve.token</code>.</p>"
_USED_LINK = (
    '<p class="bad" role="alert">This link was used already, or is too old. Enter the token, or restart the server '
    "for a new link.</p>"
)
_LOGGED_OUT = '<p role="status">You are logged out.</p>'
_WRONG = '<p class="bad" role="alert">That is not the token. Check <code>serve.token</code> and try again.</p>'


async def show_login(
    scope: Scope, send: Send, *, next_path: str, refusal: Refusal | None = None, notice: str = ""
) -> None:
    """Show the form, with the reason if a token was refused; the right token leads to `next_path`.

    An expired session is removed from the browser, which would send it with every request until the next login.
    """
    page = _page().substitute(said=notice or _notice(refusal), next=escape(next_path)).encode()
    headers = (
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-security-policy", _POLICY),
        (b"cache-control", b"no-store"),
    )
    extra = refusal.headers if refusal and refusal is not SESSION_EXPIRED else ()
    forget = ((b"set-cookie", expired_cookie(scope["scheme"]).encode()),) if refusal is SESSION_EXPIRED else ()
    status = (refusal or TOKEN_REQUIRED).status
    await send_response(scope, send, status, (*headers, *extra, *forget), page)


async def handle_login(auth: TokenAuth, scope: Scope, receive: Receive, send: Send) -> None:
    """Handle the submitted form: start a session, or show the form again."""
    try:
        body = await Request(scope, receive).body()
    except ClientDisconnect:
        return
    form = parse_qs(body.decode("utf-8", "replace"))
    next_path = local_path(form.get("next", ["/"])[0])
    refusal = auth.refusal_of_token(form.get("token", [""])[0], client_key(scope))
    if refusal is None:
        await start_session(auth, scope, send, next_path)
    else:
        await show_login(scope, send, next_path=next_path, refusal=refusal)


async def show_login_page(auth: TokenAuth, scope: Scope, headers: Headers, send: Send) -> None:
    """Answer `GET /login`: log in by the code of a link, or show the form; who is logged in already goes home."""
    query = dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
    refusal = auth.refusal(headers, client_key(scope))
    if refusal is None:
        await send_response(scope, send, 303, ((b"location", b"/"), (b"cache-control", b"no-store")))
    elif scope["method"] == "GET" and auth.accepts_code(query.get("code", "")):
        await start_session(auth, scope, send, "/")
    else:
        notice = _USED_LINK if "code" in query else _LOGGED_OUT if "out" in query else ""
        # A client that sent no token is only asked for one.
        refused = None if refusal is TOKEN_REQUIRED else refusal
        await show_login(scope, send, next_path="/", refusal=refused, notice=notice)


async def handle_logout(auth: TokenAuth, scope: Scope, headers: Headers, send: Send) -> None:
    """End the session, whether or not it is still valid, and show people the form."""
    await asyncio.to_thread(auth.log_out, headers)
    forget = (b"set-cookie", expired_cookie(scope["scheme"]).encode())
    if "text/html" in headers.get("accept", ""):
        await send_response(scope, send, 303, ((b"location", f"{LOGIN_PATH}?out".encode()), forget))
    else:
        await send_response(scope, send, 204, (forget,))


async def start_session(auth: TokenAuth, scope: Scope, send: Send, next_path: str) -> None:
    """Set the session cookie and redirect."""
    cookie = auth.cookie(scope["scheme"]).encode()
    headers = ((b"location", next_path.encode()), (b"set-cookie", cookie), (b"cache-control", b"no-store"))
    await send_response(scope, send, 303, headers)


def _notice(refusal: Refusal | None) -> str:
    if refusal is None or refusal is SESSION_EXPIRED:
        return _ASK
    waits = f"{refusal.detail} Open sessions stay signed in."
    return _WRONG if refusal is TOKEN_REQUIRED else f'<p class="bad" role="alert">{escape(waits)}</p>'


@cache
def _page() -> Template:
    return Template(files("studium.http").joinpath("login.html").read_text(encoding="utf-8"))
