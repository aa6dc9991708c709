"""Pages of the public web, and nothing else: no request ever reaches a private, local or otherwise special address.

The host is resolved once, the address is checked, and the connection goes to that very address; so a name that
resolves to something else a moment later gains nothing. Every redirect is checked the same way.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

import httpx

from studium import __version__
from studium.core.certificates import trusted_certificates
from studium.core.domain.errors import BadInput, ServiceDown

Address = IPv4Address | IPv6Address
Resolver = Callable[[str], Awaitable[Sequence[str]]]
AddressFilter = Callable[[Address, int], bool]

MAX_BYTES = 2_000_000
TIMEOUT = 10.0

_PORTS = {"http": 80, "https": 443}
_REDIRECTS = 3
_KINDS = frozenset({"text/html", "application/xhtml+xml", "application/json", "text/plain"})
_UNICAST = IPv6Network("2000::/3")
# Addresses of these networks carry an IPv4 address, which could be a private one.
_TUNNELS = (IPv6Network("2002::/16"), IPv6Network("2001::/32"))
# No compression is requested: a few kilobytes can expand to gigabytes.
_HEADERS = {
    "User-Agent": f"Studium/{__version__} (study material; one person's requests)",
    "Accept-Encoding": "identity",
}
_LATER = "Try again later."


class NotPublic(BadInput):
    """The address is not one of the public web."""

    remedy = "Give what it holds as text or as a file."


class UnusablePage(BadInput):
    """The server sent something that is not a readable page."""

    remedy = "Give what it holds as text or as a file."


@dataclass(frozen=True)
class WebPage:
    """The page that a server sent, after all redirects."""

    url: str
    status: int
    kind: str
    data: bytes


async def resolve_host(host: str) -> Sequence[str]:
    """The addresses of a host, from the system's resolver."""
    found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(place[0]) for *_, place in found))


def is_public_address(address: Address, port: int) -> bool:
    """Whether this is a public web server."""
    if port not in _PORTS.values() or address.is_multicast:
        return False
    if isinstance(address, IPv6Address):
        return address.is_global and address in _UNICAST and not any(address in tunnel for tunnel in _TUNNELS)
    return address.is_global


class PublicWeb:
    """Gets pages within limits of time and size; `allowed` says which addresses may be contacted."""

    def __init__(
        self,
        *,
        timeout: float = TIMEOUT,
        max_bytes: int = MAX_BYTES,
        resolver: Resolver = resolve_host,
        transport: httpx.AsyncBaseTransport | None = None,
        allowed: AddressFilter = is_public_address,
    ) -> None:
        self._timeout = timeout
        self._max_bytes = max_bytes
        self._resolve = resolver
        self._transport = transport
        self._allowed = allowed

    async def get(self, url: str) -> WebPage:
        """The page at an address; raises NotPublic, UnusablePage or ServiceDown."""
        try:
            async with asyncio.timeout(self._timeout):
                return await self._follow(_parsed(url))
        except TimeoutError as error:
            raise ServiceDown(f"{url} did not answer within {self._timeout:g} s.", remedy=_LATER) from error

    async def _follow(self, url: httpx.URL) -> WebPage:
        for _ in range(_REDIRECTS + 1):
            answer = await self._ask(url)
            if isinstance(answer, WebPage):
                return answer
            url = answer
        raise UnusablePage(f"{url.host} redirects too often.")

    async def _ask(self, url: httpx.URL) -> WebPage | httpx.URL:
        """The page, or the address that the server redirects to."""
        down: Exception | None = None
        for address in await self._addresses(url):
            # A client for one request: no cookie and no connection outlives it.
            try:
                async with httpx.AsyncClient(
                    transport=self._transport,
                    trust_env=False,
                    timeout=self._timeout,
                    follow_redirects=False,
                    verify=trusted_certificates(trust_env=False),
                ) as http:
                    return await self._receive(http, url, address)
            except httpx.ConnectError as error:
                down = error
            except httpx.HTTPError as error:
                raise ServiceDown(
                    f"{url.host} closed the connection ({error or type(error).__name__}).", remedy=_LATER
                ) from error
        raise ServiceDown(f"{url.host} cannot be reached.", remedy=_LATER) from down

    async def _addresses(self, url: httpx.URL) -> list[Address]:
        """The host's addresses that may be contacted."""
        port = url.port or _PORTS[url.scheme]
        try:
            found = [_unmapped(ip_address(each.partition("%")[0])) for each in await self._resolve(_host(url))]
        except (OSError, UnicodeError, ValueError) as error:
            raise ServiceDown(f"{url.host} has no address.", remedy=_LATER) from error
        public = [address for address in found if self._allowed(address, port)]
        if not public:
            raise NotPublic(f"{url.host} (port {port}) is not a public web server, so it is not contacted.")
        return public

    async def _receive(self, http: httpx.AsyncClient, url: httpx.URL, address: Address) -> WebPage | httpx.URL:
        pinned = url.copy_with(host=str(address))
        headers = _HEADERS | {"Host": url.netloc.decode("ascii")}
        # The certificate must be the host's, not the address's.
        secure = {"sni_hostname": _host(url)} if url.scheme == "https" else {}
        async with http.stream("GET", pinned, headers=headers, extensions=secure) as response:
            if response.has_redirect_location:
                return _parsed(response.headers["location"], seen_from=url)
            kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
            if response.is_success and kind not in _KINDS:
                raise UnusablePage(f"{url.host} sent `{kind or 'an unnamed type'}` instead of text.")
            if response.headers.get("content-encoding", "identity").lower() != "identity":
                raise UnusablePage(f"{url.host} sent compressed data, which was not asked for.")
            return WebPage(str(url), response.status_code, kind, await self._body(response, url.host))

    async def _body(self, response: httpx.Response, host: str) -> bytes:
        data = bytearray()
        async for piece in response.aiter_bytes():
            data += piece
            if len(data) > self._max_bytes:
                raise UnusablePage(f"{host} sent more than {self._max_bytes / 1e6:g} MB.")
        return bytes(data)


def _parsed(url: str, seen_from: httpx.URL | None = None) -> httpx.URL:
    try:
        parsed = seen_from.join(url) if seen_from else httpx.URL(url)
    except (httpx.InvalidURL, UnicodeError, ValueError) as error:
        raise NotPublic(f"`{url[:200]}` is not a web address.") from error
    if parsed.scheme not in _PORTS or not parsed.host or parsed.userinfo:
        raise NotPublic(f"`{url[:200]}` is not a public web address.")
    return parsed.copy_with(fragment=None)


def _unmapped(address: Address) -> Address:
    """An IPv4 address that is written as an IPv6 one, as itself."""
    return address.ipv4_mapped or address if isinstance(address, IPv6Address) else address


def _host(url: httpx.URL) -> str:
    """The host as the name service and certificates write it."""
    return url.raw_host.decode("ascii")
