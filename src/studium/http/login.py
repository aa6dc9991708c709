"""Login by token: the throttle for guessing, the session cookie, and the login form.

The throttle counts different wrong tokens, not requests: a program that keeps sending the same wrong token learns
nothing, and must not lock out others at its address. Each round of guesses has to wait longer than the one before.
"""

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
from time import monotonic, time
from urllib.parse import parse_qs, parse_qsl, urlencode

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive, Scope, Send

from studium.http.request_checks import Refusal, send_response

MAX_ATTEMPTS = 10
"""How many different wrong tokens one address may send within a minute."""
MAX_ATTEMPTS_OVERALL = 200
"""How many all addresses may send together, so that many or forged addresses (`X-Forwarded-For`) do not help."""
THIS_MACHINE = "this machine"
"""The key of requests from the server's own machine."""

_WITHIN = 60.0
_LONGEST = 900.0
_ROUNDS = 4  # after this many the wait no longer grows, so that the numbers stay small
_REMEMBERED = 1_000
_COUNTED = 300  # a thousand addresses with this many each take 30 MB


@dataclass
class _Tried:
    """The attempts from one address."""

    counted: dict[str, None] = field(default_factory=dict)
    late: list[float] = field(default_factory=list)
    rounds: int = 0
    until: float = 0.0

    def add(self, what: str, now: float, most: int) -> None:
        if _is_new(what, self.counted, _COUNTED):
            self._count(now, most)

    def _count(self, now: float, most: int) -> None:
        if now > self.until + _LONGEST:
            self.rounds = 0
        self.late = [*(when for when in self.late if now - when < _WITHIN), now]
        if len(self.late) >= most:
            self.until = now + min(_WITHIN * 2**self.rounds, _LONGEST)
            self.rounds = min(self.rounds + 1, _ROUNDS)
            self.late = []


class LoginThrottle:
    """Recent wrong tokens, in memory, of the thousand addresses that tried last."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._tried: OrderedDict[str, _Tried] = OrderedDict()
        self._of_all = _Tried()
        self._welcome: dict[str, None] = {}

    def wait(self, whose: str) -> int:
        """How many seconds this address has to wait for its own wrong tokens; 0 if it does not."""
        tried = self._tried.get(whose)
        return self._left(tried.until) if tried else 0

    def wait_for_all(self, whose: str) -> int:
        """The same for the wrong tokens of all addresses; known addresses and this machine never wait."""
        return 0 if whose == THIS_MACHINE or whose in self._welcome else self._left(self._of_all.until)

    def welcome(self, whose: str) -> None:
        """Record that the right token came from this address."""
        _is_new(whose, self._welcome, _REMEMBERED)

    def add(self, whose: str, shown: bytes) -> None:
        """Record a wrong token from this address."""
        what, now = sha256(shown).hexdigest()[:24], self._clock()
        self._of_all.add(what, now, MAX_ATTEMPTS_OVERALL)
        self._tried.setdefault(whose, _Tried()).add(what, now, MAX_ATTEMPTS)
        self._tried.move_to_end(whose)
        if len(self._tried) > _REMEMBERED:
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
_LASTS = 30 * 24 * 3600
_MOST_INSIDE = 1_000

TOKEN_REQUIRED = Refusal(
    401,
    "A token is needed",
    "This server answers those who know its token.",
    "Send `Authorization: Bearer <token>`; the token is the server's `serve.token`.",
    ((b"www-authenticate", b'Bearer realm="Studium"'),),
)


SESSION_EXPIRED = replace(TOKEN_REQUIRED)
"""The same for a browser whose session is no longer valid; it is told to forget the cookie."""


def too_many_attempts(seconds: int, where: str) -> Refusal:
    """The refusal of a token that has to wait, with the reason."""
    return Refusal(
        429,
        "Too many wrong tokens",
        f"Too many wrong tokens came from {where}; the next is looked at in {seconds} seconds.",
        "Wait so long, then send the right one.",
        ((b"retry-after", str(seconds).encode()),),
    )


class TokenAuth:
    """Decides by token or session whether a request is accepted.

    While an address has to wait, even the right token is refused: otherwise guessing could continue at full speed. But
    many people may share one address behind a proxy, and one person's guesses must not sign the others out. So existing
    sessions stay valid, and a right token does not reset the count, since it may be someone else's.

    A guessed token could be used to forge a session, so wrong sessions are counted too, but apart from tokens: after
    the token was changed every browser sends an old session, and people must still be able to sign in.
    """

    def __init__(self, token: str, guesses: LoginThrottle) -> None:
        self._token, self._guesses = token.encode(), guesses
        self._inside: OrderedDict[str, None] = OrderedDict()

    def refusal(self, headers: Headers, whose: str) -> Refusal | None:
        """Why a request is refused, if it has neither the token nor a valid session."""
        session = _cookie(headers.get("cookie", ""))
        refusal = self._refusal_of_session(session, whose) if session else TOKEN_REQUIRED
        if refusal is None:
            return None
        scheme, _, said = headers.get("authorization", "").partition(" ")
        token = said.strip() if scheme.lower() == "bearer" else ""
        return self._refusal_of(token.encode("latin-1"), whose) if token else refusal

    def refusal_of_token(self, said: str, whose: str) -> Refusal | None:
        """Why a token from the form or a link is refused, if it is."""
        return self._refusal_of(said.encode("utf-8", "replace"), whose)

    def session(self, scheme: str) -> str:
        """The session cookie for a browser that sent the right token."""
        until = str(int(time()) + _LASTS)
        session = f"{until}.{self._seal(until)}"
        self._let_in(session)
        return _cookie_of(session, _LASTS, scheme)

    def _refusal_of(self, said: bytes, whose: str) -> Refusal | None:
        """Compare in constant time, so that the time reveals nothing."""
        if waits := self._waits(whose, whose):
            return waits
        if hmac.compare_digest(said, self._token):
            self._guesses.welcome(whose)
            return None
        if said:
            self._guesses.add(whose, said)
        return TOKEN_REQUIRED

    def _refusal_of_session(self, session: str, whose: str) -> Refusal | None:
        if not _holds(session):
            return SESSION_EXPIRED
        if session in self._inside:
            return None
        counted = f"{whose}, sessions"
        if waits := self._waits(whose, counted):
            return waits
        if self._is_sealed(session):
            self._guesses.welcome(whose)
            self._let_in(session)
            return None
        self._guesses.add(counted, session.encode())
        return SESSION_EXPIRED

    def _waits(self, whose: str, counted: str) -> Refusal | None:
        if seconds := self._guesses.wait(counted):
            return too_many_attempts(seconds, "your address")
        if seconds := self._guesses.wait_for_all(whose):
            return too_many_attempts(seconds, "many addresses")
        return None

    def _let_in(self, session: str) -> None:
        self._inside[session] = None
        self._inside.move_to_end(session)
        if len(self._inside) > _MOST_INSIDE:
            self._inside.popitem(last=False)

    def _is_sealed(self, session: str) -> bool:
        until, _, seal = session.partition(".")
        return hmac.compare_digest(seal.encode(), self._seal(until).encode())

    def _seal(self, until: str) -> str:
        return hmac.new(self._token, f"studium session until {until}".encode(), sha256).hexdigest()


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


def _holds(session: str) -> bool:
    """Whether a session has not expired; an expired one is not counted as a guess."""
    until = session.partition(".")[0]
    return until.isascii() and until.isdecimal() and len(until) <= len(str(_LASTS)) + 4 and int(until) > time()


LOGIN_PATH = "/login"
"""The path that the login form posts to."""

_POLICY = b"default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
_ASK = "<p>This server answers those who know its token: the one set as <code>serve.token</code>.</p>"
_WRONG = '<p class="bad" role="alert">That is not the token. Check <code>serve.token</code> and try again.</p>'


async def show_login(scope: Scope, send: Send, *, leads_to: str, refusal: Refusal | None = None) -> None:
    """Show the form, with why the token was refused, if one was; the right one leads to where they wanted to go.

    A browser with an outworn session forgets it, or it would go on showing it until somebody signs in there.
    """
    page = _page().substitute(said=_told(refusal), next=escape(leads_to)).encode()
    headers = (
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-security-policy", _POLICY),
        (b"cache-control", b"no-store"),
    )
    said = refusal.headers if refusal and refusal is not SESSION_EXPIRED else ()
    forget = ((b"set-cookie", expired_cookie(scope["scheme"]).encode()),) if refusal is SESSION_EXPIRED else ()
    status = (refusal or TOKEN_REQUIRED).status
    await send_response(scope, send, status, (*headers, *said, *forget), page)


async def handle_login(admission: TokenAuth, scope: Scope, receive: Receive, send: Send) -> None:
    """Handle the submitted form: start a session, or show the form again."""
    try:
        body = await Request(scope, receive).body()
    except ClientDisconnect:
        return
    form = parse_qs(body.decode("utf-8", "replace"))
    leads_to = local_path(form.get("next", ["/"])[0])
    refusal = admission.refusal_of_token(form.get("token", [""])[0], client_key(scope))
    if refusal is None:
        await start_session(admission, scope, send, leads_to)
    else:
        await show_login(scope, send, leads_to=leads_to, refusal=refusal)


async def start_session(admission: TokenAuth, scope: Scope, send: Send, leads_to: str) -> None:
    """Set the session cookie and redirect."""
    cookie = admission.session(scope["scheme"]).encode()
    headers = ((b"location", leads_to.encode()), (b"set-cookie", cookie), (b"cache-control", b"no-store"))
    await send_response(scope, send, 303, headers)


def _told(refusal: Refusal | None) -> str:
    if refusal is None or refusal is SESSION_EXPIRED:
        return _ASK
    waits = f"{refusal.detail} Whoever is signed in stays so."
    return _WRONG if refusal is TOKEN_REQUIRED else f'<p class="bad" role="alert">{escape(waits)}</p>'


@cache
def _page() -> Template:
    return Template(files("studium.http").joinpath("login.html").read_text(encoding="utf-8"))
