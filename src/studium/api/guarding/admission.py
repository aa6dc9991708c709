"""Admission: whoever knows the token may come in, programs by a header and people by a form or a link.

A browser is given a session instead of the token: until when it holds, and a seal over that which only the token makes.
"""

import hmac
from hashlib import sha256
from time import time
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers
from starlette.types import Scope

from studium.api.guarding.refusals import Refusal

SESSION = "studium_session"
"""The name of the cookie."""
_LASTS = 30 * 24 * 3600

CLOSED = Refusal(
    401,
    "A token is needed",
    "This server answers those who know its token.",
    "Send `Authorization: Bearer <token>`; the token is the server's `serve.token`.",
    ((b"www-authenticate", b'Bearer realm="Studium"'),),
)


class Admission:
    """Who may come in, by a token."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    def admits(self, headers: Headers) -> bool:
        """Whether a request bears the token, or a session that was given for it."""
        scheme, _, said = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.knows(said.strip()):
            return True
        return self._is_sealed(_cookie(headers.get("cookie", "")))

    def knows(self, said: str) -> bool:
        """Whether this is the token; a wrong one is told apart in the time that the right one takes."""
        return hmac.compare_digest(said.encode("utf-8", "replace"), self._token)

    def session(self, scheme: str) -> str:
        """The cookie for a browser that knew the token."""
        until = str(int(time()) + _LASTS)
        secure = "; Secure" if scheme == "https" else ""
        return f"{SESSION}={until}.{self._seal(until)}; Path=/; Max-Age={_LASTS}; HttpOnly; SameSite=Strict{secure}"

    def _is_sealed(self, session: str) -> bool:
        until, _, seal = session.partition(".")
        sealed = hmac.compare_digest(seal.encode("utf-8", "replace"), self._seal(until).encode())
        return sealed and until.isdecimal() and int(until) > time()

    def _seal(self, until: str) -> str:
        return hmac.new(self._token, f"studium session until {until}".encode("utf-8", "replace"), sha256).hexdigest()


def token_of_link(scope: Scope) -> tuple[str | None, str]:
    """The token in a link, `/cards?token=…`, and where the link leads without it."""
    query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    token = next((value for name, value in query if name == "token"), None)
    rest = urlencode([pair for pair in query if pair[0] != "token"])
    path = scope.get("raw_path", b"").decode("latin-1") or "/"
    return token, local(f"{path}?{rest}" if rest else path)


def local(address: str) -> str:
    """A path of this server; what leads elsewhere, or would end a header, is the front page."""
    ours = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if ours and address.isascii() and address.isprintable() else "/"


def _cookie(header: str) -> str:
    """Our cookie; those of other programs on this machine come along, and need not be well-formed."""
    pairs = (pair.strip().partition("=") for pair in header.split(";"))
    return next((value for name, _, value in pairs if name == SESSION), "")
