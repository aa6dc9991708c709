"""What can be ordered of vocabulary."""

import asyncio
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from studium.bootstrap.house import open_ledger
from studium.core.config import Settings
from studium.domain.word import SongRequest
from studium.faculties import reading, vocabulary
from studium.service.kinds.kind import Errand, Flag, Kind, Line, Name, Place, Request, like


class Song(Request):
    """A song, or any text, whose words are to be learnt."""

    song: Name
    """Its title."""
    artist: Line = ""
    """Who sings it."""
    lyrics: Annotated[str, Field(max_length=1_000_000)] | None = None
    """Its lyrics, or the text."""
    file: Place | None = None
    """A text, an .lrc file or an audio file with lyrics; `upload:ID` names one that was brought."""
    count: Annotated[int, Field(ge=1, le=400)] | Literal["all"] = "all"
    """How many words."""
    known: Place | None = None
    """What you know already: a list (CSV, text) or a collection file."""
    online: Flag = False
    """Look for the lyrics on the network."""

    model_config = like(song="夜空の道", lyrics="夜空の星が光る")


async def _song(settings: Settings, request: Song, errand: Errand) -> dict[str, Any]:
    settings = vocabulary.looking_online(settings, online=request.online)
    asked = SongRequest(song=request.song, artist=request.artist, lyrics=request.lyrics, count=request.count)
    if request.file:
        asked = vocabulary.request_for(request.song, request.artist, Path(request.file), str(request.count))
    package = errand.folder / "words.apkg"
    learnt = await vocabulary.learn(settings, asked, request.known, package)
    return learnt.as_json()


class Prepare(Request):
    """Nothing needs to be said."""


class Package(Request):
    """Words of a kept song to be put on cards."""

    song: Name
    """The kept song's id."""
    words: Annotated[list[Name], Field(min_length=1, max_length=5_000)]
    """The words chosen, each with its reading."""

    model_config = like(song="3f2c8a", words=["歩く[あるく]", "道[みち]"])


async def _prepare(settings: Settings, _request: Prepare, _errand: Errand) -> dict[str, Any]:
    await asyncio.to_thread(vocabulary.prepare, settings)
    return {"prepared": True}


async def _package(settings: Settings, request: Package, errand: Errand) -> dict[str, Any]:
    def write() -> int:
        with closing(open_ledger(settings)) as ledger:
            song = reading.find_kept(ledger, request.song)
        return vocabulary.package(settings, song, frozenset(request.words), errand.folder / "words.apkg")

    return {"words": await asyncio.to_thread(write)}


KINDS = (
    Kind("vocabulary.song", "Find the words of a song or a text that are worth learning.", Song, _song),
    Kind("vocabulary.prepare", "Prepare the dictionary, which is done once.", Prepare, _prepare),
    Kind("vocabulary.package", "Make an Anki package of chosen words of a kept song.", Package, _package),
)
