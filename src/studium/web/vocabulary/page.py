"""The vocabulary page: bring a song, or read one (`?text=` for one that was brought, `?song=` for one that is kept)."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nicegui import background_tasks, html, ui

from studium.core.domain.errors import StudiumError
from studium.faculties import reading, vocabulary
from studium.faculties.reading import Cover, OpenSong
from studium.web.frame import here, page
from studium.web.house import service
from studium.web.parts.notices import problem_notice
from studium.web.vocabulary.bringing import bring, kept_list
from studium.web.vocabulary.preparing import prepare_first
from studium.web.vocabulary.reader import show_song

_LOOKS = Path(__file__).with_name("vocabulary.css")


@page("/vocabulary", "Vocabulary")
async def show(song: str = "", text: str = "", title: str = "", artist: str = "", keep: str = "") -> None:
    """A song as a reader, or the place to bring one."""
    ui.add_css(_LOOKS)
    if not (song or text):
        await _bring()
        return
    with here().actions:
        html.a("Another song", href="/vocabulary").classes("s-button")
    if not await asyncio.to_thread(vocabulary.is_prepared, service().settings):
        await prepare_first()
        return
    with _waiting():
        opened = await asyncio.to_thread(_opened, song, text, Cover(title[:300], artist[:300], keep_lyrics=bool(keep)))
    here().rename(opened.kept.song)
    await show_song(opened)


@contextmanager
def _waiting() -> Iterator[None]:
    """Say that the song is being read, for as long as it is."""
    with ui.element("div").classes("s-row").props("role=status") as sign:
        ui.spinner()
        html.span("Reading the song …")
    try:
        yield
    finally:
        sign.delete()


def _opened(song: str, text: str, cover: Cover) -> OpenSong:
    house = service().house
    if text:
        return reading.read_brought(house, service().uploads.find(text).path, cover)
    return reading.read_kept(house, song)


async def _bring() -> None:
    bring()
    try:
        songs = await asyncio.to_thread(reading.kept_songs, service().ledger)
    except StudiumError as error:
        problem_notice(error)
    else:
        kept_list(songs)
    background_tasks.create(asyncio.to_thread(reading.warm_up, service().house), name="warm up the dictionary")
