"""Addresses: by which names this server may be asked for, and from which pages.

A page of another site can make a browser ask anything of this machine. `Host` gives away one whose name was pointed at
us after it was loaded (DNS rebinding); `Origin` gives away every other.
"""

from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers

from studium.api.guarding.refusals import Refusal

_OURS = frozenset({"localhost", "127.0.0.1", "::1"})
_ANY = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, not listened on
_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_PORTS = {"http": 80, "https": 443}

_MISDIRECTED = Refusal(
    421,
    "Not a name of this server",
    "This server is not known by the name it was asked for.",
    "Use http://localhost or http://127.0.0.1, or add the name under `serve.names`.",
)
_FOREIGN = Refusal(
    403,
    "Asked from another site",
    "A page of another site sent this request, and it was not carried out.",
    "Open Studium in a tab of its own and do it there.",
)


class Addresses:
    """The names of this server: the loopback ones, and those given."""

    def __init__(self, names: Iterable[str]) -> None:
        given = {name.strip("[]").rstrip(".").lower() for name in names}
        self._names = _OURS | given
        # Who listens on every address is asked for by any of them; rebinding needs a name, never a number.
        self._any_number = bool(given & _ANY)

    def refusal(self, headers: Headers, method: str | None) -> Refusal | None:
        """Why these headers are turned away, if they are; a socket's handshake has no method."""
        hosts = headers.getlist("host")
        asked = _split(f"http://{hosts[0]}") if len(hosts) == 1 else None
        if asked is None or not self._is_ours(asked):
            return _MISDIRECTED
        origins = headers.getlist("origin")
        if any(not _same(origin, hosts[0]) for origin in origins):
            return _FOREIGN
        crossed = not origins and headers.get("sec-fetch-site", "none") not in ("same-origin", "none")
        # A link on another site may lead here; what such a page loads into itself, it shall not even ask for.
        followed = method in _READS and headers.get("sec-fetch-mode", "navigate") == "navigate"
        return _FOREIGN if crossed and not followed else None

    def _is_ours(self, asked: SplitResult) -> bool:
        name = (asked.hostname or "").rstrip(".")
        return name in self._names or (self._any_number and _is_number(name))


def _split(address: str) -> SplitResult | None:
    """The address in its parts, if it is nothing but a scheme, a name and a port."""
    try:
        parts = urlsplit(address)
        plain = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return parts if plain and "@" not in parts.netloc and not (parts.path or parts.query or parts.fragment) else None


def _same(origin: str, host: str) -> bool:
    """Whether a page of this origin came from this host; a proxy may have spoken TLS for us."""
    page = _split(origin)
    if page is None or page.scheme not in _PORTS:
        return False
    asked = _split(f"{page.scheme}://{host}")
    usual = _PORTS[page.scheme]
    return asked is not None and (page.hostname, page.port or usual) == (asked.hostname, asked.port or usual)


def _is_number(name: str) -> bool:
    try:
        return bool(ip_address(name))
    except ValueError:
        return False
