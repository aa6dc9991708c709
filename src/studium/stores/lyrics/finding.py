"""Finding the lyrics of a song: one source after the other, until one has them."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from studium.core.domain.errors import NotFound, ServiceDown
from studium.domain.word import Lyrics
from studium.stores.web.public import NotPublic, UnusablePage

TIMEOUT = 20.0

_PASTE = "Check the spelling of title and artist, paste the lyrics, or name a file that holds them."
_LATER = "Try again later, or paste the lyrics."


class FoundText(NamedTuple):
    """The text of a song as a source has it, and what the source calls the song."""

    text: str
    url: str
    title: str
    artist: str


class LyricsSource(Protocol):
    """Somewhere that lyrics can be had."""

    async def find(self, song: str, artist: str) -> FoundText | None:
        """The text of this song, if it is there."""
        ...


@dataclass(frozen=True)
class FoundLyrics:
    """The lyrics of a song, where they stand, and what the song is called there."""

    lyrics: Lyrics
    source: str
    title: str
    artist: str


class LyricsFinder:
    """Asks the sources in their order; `parse` makes lyrics of the text that one has."""

    def __init__(
        self, sources: Sequence[LyricsSource], parse: Callable[[str], Lyrics], *, timeout: float = TIMEOUT
    ) -> None:
        self._sources = sources
        self._parse = parse
        self._timeout = timeout

    async def find(self, song: str, artist: str = "") -> FoundLyrics:
        """The lyrics of a song; NotFound if nobody has them, ServiceDown if somebody could not be asked."""
        name = f"“{song}”" + (f" by {artist}" if artist else "")
        if not song.strip():
            raise NotFound("A song without a title cannot be looked up.", remedy=_PASTE)
        try:
            async with asyncio.timeout(self._timeout):
                return await self._ask_all(song.strip(), artist.strip(), name)
        except TimeoutError as error:
            what = f"Looking up {name} took longer than {self._timeout:g} s."
            raise ServiceDown(what, remedy=_LATER) from error

    async def _ask_all(self, song: str, artist: str, name: str) -> FoundLyrics:
        down: ServiceDown | None = None
        for source in self._sources:
            try:
                found = await source.find(song, artist)
            except ServiceDown as error:
                down = error
                continue
            except (NotPublic, UnusablePage):
                continue
            if found and (lyrics := self._parse(found.text)).text:
                known = replace(lyrics, title=found.title, artist=found.artist, source=found.url)
                return FoundLyrics(known, found.url, found.title, found.artist)
        if down:
            raise ServiceDown(f"The lyrics of {name} could not be looked up: {down.what}", remedy=_LATER)
        raise NotFound(f"No lyrics of {name} were found.", remedy=_PASTE)
