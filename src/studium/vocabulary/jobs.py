"""What jobs can do for vocabulary."""

import asyncio
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from studium.core.app import open_database
from studium.core.config import Settings
from studium.core.jobs.job_types import Flag, InputPath, JobContext, JobRequest, JobType, ShortText, TextLine, example
from studium.vocabulary import song_library
from studium.vocabulary import use_cases as vocabulary
from studium.vocabulary.domain import SongRequest


class StudySongRequest(JobRequest):
    """A song, or any text, whose words are to be learnt."""

    song: ShortText
    """Its title."""
    artist: TextLine = ""
    """Who sings it."""
    lyrics: Annotated[str, Field(max_length=1_000_000)] | None = None
    """Its lyrics, or the text."""
    file: InputPath | None = None
    """A text, an .lrc file or an audio file with lyrics; `upload:ID` names one that was brought."""
    count: Annotated[int, Field(ge=1, le=400)] | Literal["all"] = "all"
    """How many words."""
    known: InputPath | None = None
    """What you know already: a list (CSV, text) or a collection file."""
    online: Flag = False
    """Look for the lyrics on the network."""

    model_config = example(song="夜空の道", lyrics="夜空の星が光る")


async def _song(settings: Settings, request: StudySongRequest, context: JobContext) -> dict[str, Any]:
    settings = vocabulary.with_online_lookup(settings, online=request.online)
    asked = SongRequest(song=request.song, artist=request.artist, lyrics=request.lyrics, count=request.count)
    if request.file:
        asked = vocabulary.song_request(request.song, request.artist, Path(request.file), str(request.count))
    package = context.folder / "words.apkg"
    learnt = await vocabulary.analyse_song(settings, asked, request.known, package)
    return learnt.as_json()


class PrepareDictionaryRequest(JobRequest):
    """Nothing needs to be said."""


class PackageRequest(JobRequest):
    """Words of a kept song to be put on cards."""

    song: ShortText
    """The kept song's id."""
    words: Annotated[list[ShortText], Field(min_length=1, max_length=5_000)]
    """The words chosen, each with its reading."""

    model_config = example(song="3f2c8a", words=["歩く[あるく]", "道[みち]"])


async def _prepare(settings: Settings, _request: PrepareDictionaryRequest, _context: JobContext) -> dict[str, Any]:
    await asyncio.to_thread(vocabulary.ensure_dictionary, settings)
    return {"prepared": True}


async def _package(settings: Settings, request: PackageRequest, context: JobContext) -> dict[str, Any]:
    def write() -> int:
        with closing(open_database(settings)) as database:
            song = song_library.find_saved_song(database, request.song)
        return vocabulary.export_words(settings, song, frozenset(request.words), context.folder / "words.apkg")

    return {"words": await asyncio.to_thread(write)}


JOB_TYPES = (
    JobType("vocabulary.song", "Find the words of a song or a text that are worth learning.", StudySongRequest, _song),
    JobType("vocabulary.prepare", "Prepare the dictionary, which is done once.", PrepareDictionaryRequest, _prepare),
    JobType("vocabulary.package", "Make an Anki package of chosen words of a kept song.", PackageRequest, _package),
)
