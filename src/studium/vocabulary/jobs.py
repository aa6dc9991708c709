"""The background jobs of vocabulary."""

import asyncio
from contextlib import closing
from pathlib import Path
from typing import Annotated

from pydantic import Field

from studium.core.app import open_database
from studium.core.config import Settings
from studium.core.jobs.job_types import Flag, InputPath, JobContext, JobRequest, JobResult, JobType, ShortText, example
from studium.vocabulary import use_cases as vocabulary
from studium.vocabulary.domain import ArtistName, LyricsText, SongRequest, SongTitle, WordCount
from studium.vocabulary.song_repository import find_saved_song


class StudySongRequest(JobRequest):
    """A song, or any text, whose words to learn."""

    song: SongTitle
    """Its title."""
    artist: ArtistName = ""
    """Who sings it."""
    lyrics: LyricsText | None = None
    """Its lyrics, or the text."""
    file: InputPath | None = None
    """A text, an .lrc file or an audio file with lyrics; `upload:ID` names an uploaded one."""
    count: WordCount = "all"
    """How many words."""
    known: InputPath | None = None
    """Words you already know: a list (CSV, text) or a collection file."""
    online: Flag = False
    """Look up the lyrics online."""

    model_config = example(song="夜空の道", lyrics="夜空の星が光る")


async def _song(settings: Settings, request: StudySongRequest, context: JobContext) -> JobResult:
    settings = vocabulary.with_online_lookup(settings, online=request.online)
    if request.file:
        song = vocabulary.song_request(request.song, request.artist, Path(request.file), str(request.count))
    else:
        song = SongRequest(song=request.song, artist=request.artist, lyrics=request.lyrics, count=request.count)
    package = context.folder / "words.apkg"
    report = await vocabulary.analyse_song(settings, song, request.known, package)
    return report.as_json()


class PrepareDictionaryRequest(JobRequest):
    """Preparing the dictionary takes no options."""


class PackageRequest(JobRequest):
    """Words of a saved song to put on cards."""

    song: ShortText
    """The id of the saved song."""
    words: Annotated[list[ShortText], Field(min_length=1, max_length=5_000)]
    """The chosen words, each with its reading."""

    model_config = example(song="3f2c8a", words=["歩く[あるく]", "道[みち]"])


async def _prepare(settings: Settings, _request: PrepareDictionaryRequest, _context: JobContext) -> JobResult:
    await asyncio.to_thread(vocabulary.ensure_dictionary, settings)
    return {"prepared": True}


async def _package(settings: Settings, request: PackageRequest, context: JobContext) -> JobResult:
    def write() -> int:
        with closing(open_database(settings)) as database:
            song = find_saved_song(database, request.song)
        return vocabulary.export_words(settings, song, frozenset(request.words), context.folder / "words.apkg")

    return {"words": await asyncio.to_thread(write)}


JOB_TYPES = (
    JobType("vocabulary.song", "Find the words worth learning in a song or a text.", StudySongRequest, _song),
    JobType("vocabulary.prepare", "Prepare the dictionary (needed once).", PrepareDictionaryRequest, _prepare),
    JobType("vocabulary.package", "Make an Anki package of chosen words of a saved song.", PackageRequest, _package),
)
