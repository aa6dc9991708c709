"""LRCLIB: lyrics with times, free and without a key."""

import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any
from unicodedata import normalize
from urllib.parse import urlencode

import orjson

from studium.core.domain.errors import ServiceDown
from studium.stores.lyrics.finding import FoundText
from studium.stores.web.public import PublicWeb, UnusablePage

ADDRESS = "https://lrclib.net"

_ADDITION = re.compile(r"(?<=\S)\s*(?:[(\uff08\[\u3010].*|\s[-–~/]\s.*|\s(?:feat|ft)\b.*)", re.IGNORECASE | re.DOTALL)


class Lrclib:
    """Asks for the very song first, then for songs that are called so."""

    def __init__(self, web: PublicWeb, address: str = ADDRESS) -> None:
        self._web = web
        self._address = address.rstrip("/")

    async def find(self, song: str, artist: str) -> FoundText | None:
        """The text of this song, with times if there are any."""
        named = {"track_name": song} | ({"artist_name": artist} if artist else {})
        if artist and (found := self._text(await self._ask("get", named))):
            return found
        records = await self._ask("search", named)
        return self._best(records, song, artist) if isinstance(records, list) else None

    async def _ask(self, what: str, named: Mapping[str, str]) -> Any:
        """The answer; `None` if there is no such song."""
        page = await self._web.get(f"{self._address}/api/{what}?{urlencode(named)}")
        if page.status in (HTTPStatus.NOT_FOUND, HTTPStatus.BAD_REQUEST):
            return None
        if page.status != HTTPStatus.OK:
            raise ServiceDown(f"LRCLIB answers with status {page.status}.", remedy="Try again later.")
        try:
            return orjson.loads(page.data)
        except orjson.JSONDecodeError as error:
            raise UnusablePage("LRCLIB sent something that is not JSON.") from error

    def _best(self, records: Sequence[Any], song: str, artist: str) -> FoundText | None:
        """Of the songs that are called so, the one whose names are most like what was asked for."""
        texts = [text for record in records if (text := self._text(record)) and _alike(text.title, song)]
        return max(texts, key=lambda text: _alike(text.title, song) + _alike(text.artist, artist), default=None)

    def _text(self, record: Any) -> FoundText | None:
        if not isinstance(record, dict):
            return None
        text = record.get("syncedLyrics") or record.get("plainLyrics")
        title, artist, number = (record.get(key) for key in ("trackName", "artistName", "id"))
        if not (isinstance(text, str) and isinstance(title, str) and isinstance(artist, str)):
            return None
        return FoundText(text, f"{self._address}/api/get/{number}", title, artist)


def _alike(one: str, other: str) -> int:
    """2 for the same name, 1 for the same but for an addition (`Lemon (Live)`, `Lemon - Remastered`), 0 for another."""
    if _letters(one) == _letters(other):
        return 2
    return int(_letters(_ADDITION.sub("", one)) == _letters(_ADDITION.sub("", other)))


def _letters(name: str) -> str:
    folded = normalize("NFKC", name).casefold()
    return "".join(filter(str.isalnum, folded)) or folded
