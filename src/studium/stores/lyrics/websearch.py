"""Searching the web for a page with the lyrics, and reading it."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from http import HTTPStatus
from typing import NamedTuple

from studium.core.domain.errors import MissingExtra, ServiceDown
from studium.stores.lyrics.finding import FoundText
from studium.stores.web.public import NotPublic, PublicWeb, UnusablePage

_RESULTS = 8
_PAGES = 3


class Hit(NamedTuple):
    """A page that a search engine found."""

    title: str
    url: str


Search = Callable[[str], Awaitable[Sequence[Hit]]]


class WebSearch:
    """Reads the first pages that a search finds; `extract` takes the lyrics out of a page, or says that it has none."""

    def __init__(self, web: PublicWeb, search: Search, extract: Callable[[bytes], str]) -> None:
        self._web = web
        self._search = search
        self._extract = extract

    async def find(self, song: str, artist: str) -> FoundText | None:
        """The text on the first page that has one."""
        hits = await self._search(f"{song} {artist} lyrics 歌詞".replace("  ", " "))
        # A page whose title names the song is likelier to be about it.
        likely = sorted(hits, key=lambda hit: song.casefold() not in hit.title.casefold())
        for hit in likely[:_PAGES]:
            if text := await self._read(hit.url):
                return FoundText(text, hit.url, song, artist)
        return None

    async def _read(self, url: str) -> str:
        try:
            page = await self._web.get(url)
        except (NotPublic, UnusablePage, ServiceDown):
            return ""
        if page.status != HTTPStatus.OK or not page.kind.endswith("html"):
            return ""
        # A large page takes a second or two, and others are being served meanwhile.
        return await asyncio.to_thread(self._extract, page.data)


def duckduckgo(timeout: float) -> Search:
    """The search of the package ddgs, which asks several engines."""

    async def search(query: str) -> Sequence[Hit]:
        return await _in_thread(lambda: _ask_engines(query, timeout))

    return search


def _ask_engines(query: str, timeout: float) -> Sequence[Hit]:
    try:
        from ddgs import DDGS
        from ddgs.exceptions import DDGSException
    except ImportError as error:
        raise MissingExtra(
            "Searching the web for lyrics needs the package ddgs.", remedy="pip install 'studium[lyrics]'"
        ) from error
    try:
        found = DDGS(timeout=max(1, int(timeout))).text(query, max_results=_RESULTS)
    except DDGSException as error:
        if "No results" in str(error):
            return ()
        raise ServiceDown(f"The web search failed: {error}", remedy="Try again later, or paste the lyrics.") from error
    return [Hit(hit.get("title", ""), hit["href"]) for hit in found if hit.get("href")]


async def _in_thread(work: Callable[[], Sequence[Hit]]) -> Sequence[Hit]:
    """Do blocking work in a thread that nobody waits for: a search that hangs must not keep the program from ending."""
    done: Future[Sequence[Hit]] = Future()
    done.set_running_or_notify_cancel()

    def run() -> None:
        try:
            done.set_result(work())
        except Exception as error:  # noqa: BLE001 - whatever it is, it is raised where the result is awaited
            done.set_exception(error)

    threading.Thread(target=run, name="lyrics-search", daemon=True).start()
    return await asyncio.wrap_future(done)
