"""Looks up people in Wikipedia or another MediaWiki, and returns the first paragraph of each page."""

import asyncio
import re
from http import HTTPStatus
from typing import TypeVar
from urllib.parse import quote, urlencode

from pydantic import BaseModel, ValidationError

from studium.core.domain.errors import BadInput, ServiceDown
from studium.core.domain.finding import Finding, Severity
from studium.core.json_files import UnreadableJson, load_json
from studium.core.public_web import PublicWeb, WebPage

WIKIPEDIA_URL = "https://{language}.wikipedia.org"
TIMEOUT = 10.0
MAX_PAGES = 3

_MAX_BYTES = 500_000
_LONGEST_NAME = 200
_LONGEST_PAGE = 4_000
_LANGUAGE = re.compile(r"[a-z]{2,3}(?=$|[-_])")
_LATER = "Try again later, or continue without it."


_Parsed = TypeVar("_Parsed", bound=BaseModel)


class _Hit(BaseModel):
    title: str


class _Hits(BaseModel):
    search: list[_Hit]


class _Found(BaseModel):
    query: _Hits


class _Summary(BaseModel):
    extract: str = ""
    type: str = "standard"


class Encyclopedia:
    """Asks one wiki; `{language}` in the address is replaced by the reader's language."""

    def __init__(
        self, base_url: str = WIKIPEDIA_URL, timeout: float = TIMEOUT, *, web: PublicWeb | None = None
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._timeout = timeout
        self._web = web or PublicWeb(timeout=timeout, max_bytes=_MAX_BYTES)

    def pages(self, name: str, language: str) -> tuple[tuple[str, ...], tuple[Finding, ...]]:
        """The text of the best matching pages, and findings when some are missing; call it outside an event loop."""
        return asyncio.run(self._pages(" ".join(name.split())[:_LONGEST_NAME], language))

    async def _pages(self, name: str, language: str) -> tuple[tuple[str, ...], tuple[Finding, ...]]:
        if not name:
            return (), ()
        texts: list[str] = []
        try:
            async with asyncio.timeout(self._timeout):
                await self._read(name, self._address(language), texts)
        except TimeoutError:
            return tuple(texts), (_unanswered(name, f"It took longer than {self._timeout:g} s."),)
        except (ServiceDown, BadInput) as error:
            return tuple(texts), (_unanswered(name, error.what),)
        return tuple(texts), (() if texts else (_nothing(name),))

    async def _read(self, name: str, address: str, texts: list[str]) -> None:
        """Add the pages' texts one by one, so that those that arrived before a timeout are kept."""
        asked = {"action": "query", "list": "search", "srsearch": name, "srlimit": MAX_PAGES, "format": "json"}
        found = _parsed(_Found, await self._get(f"{address}/w/api.php?{urlencode(asked)}"))
        for hit in found.query.search[:MAX_PAGES] if found else ():
            title = quote(hit.title.replace(" ", "_"), safe="")
            summary = _parsed(_Summary, await self._get(f"{address}/api/rest_v1/page/summary/{title}"))
            if summary and summary.type != "disambiguation" and (text := " ".join(summary.extract.split())):
                texts.append(text[:_LONGEST_PAGE])

    async def _get(self, url: str) -> WebPage | None:
        """Fetch a page; None if it does not exist."""
        page = await self._web.get(url)
        if page.status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
            return None
        if page.status == HTTPStatus.TOO_MANY_REQUESTS:
            raise ServiceDown("Too many requests for now.", remedy=_LATER)
        if page.status != HTTPStatus.OK:
            raise ServiceDown(f"It answers with status {page.status}.", remedy=_LATER)
        return page

    def _address(self, language: str) -> str:
        """The wiki's address for a language; an invalid language could name another host."""
        known = _LANGUAGE.match(language.casefold())
        return self._base_url.replace("{language}", known[0] if known and known[0] != "und" else "en")


def _parsed(kind: type[_Parsed], page: WebPage | None) -> _Parsed | None:
    if page is None:
        return None
    try:
        return kind.model_validate(load_json(page.data))
    except (UnreadableJson, ValidationError) as error:
        raise ServiceDown("It sent an unreadable response.", remedy=_LATER) from error


def _nothing(name: str) -> Finding:
    message = f"The encyclopedia has no page about {name}."
    return Finding(code="encyclopedia.nothing", severity=Severity.INFO, message=message)


def _unanswered(name: str, why: str) -> Finding:
    message = f"The encyclopedia could not be searched completely for {name}: {why} {_LATER}"
    return Finding(code="encyclopedia.unanswered", severity=Severity.WARNING, message=message)
