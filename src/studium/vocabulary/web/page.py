"""The vocabulary page: add a song, or read one (`?text=` for an upload, `?song=` for a saved song)."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from nicegui import background_tasks, html, ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from studium.core.domain.errors import StudiumError
from studium.core.domain.job import Job
from studium.core.jobs.uploads import SONG_TYPES
from studium.vocabulary.domain import SavedSong
from studium.vocabulary.jobs import PrepareDictionaryRequest
from studium.vocabulary.samples import ARTIST, LYRICS, TITLE
from studium.vocabulary.setup import is_dictionary_ready
from studium.vocabulary.song_reader import (
    OpenSong,
    SongDetails,
    open_saved_song,
    open_uploaded_song,
    preload_dictionary,
)
from studium.vocabulary.song_repository import saved_songs
from studium.vocabulary.web.reader_page import show_song
from studium.web.components.job_progress import active_jobs, show_job_progress
from studium.web.components.labels import counted
from studium.web.components.notices import empty_state, problem_notice
from studium.web.components.uploads import UploadedFile, upload_drop
from studium.web.frame import current_frame, page
from studium.web.service import service

_LANGUAGES = {"ja": "Japanese", "de": "German"}


class _LyricsField(Element, component="lyrics_field.js"):
    """The form to paste lyrics into."""


def import_song_form() -> None:
    """Show the ways to add a song."""
    language = _LANGUAGES[service().settings.vocabulary.language]
    html.p(f"Add a song in {language}: every word gets its reading and its meaning.").classes("s-muted")
    with ui.element("div").classes("s-columns"):
        with ui.element("section").classes("s-card"):
            html.h2("Paste lyrics")
            field = _LyricsField()
            field.props.update(url="/api/v1/uploads", keep=service().settings.vocabulary.keep_lyrics)
            field.on("uploaded", _read_pasted, args=None)
        with ui.element("section").classes("s-card v-card"):
            html.h2("Or upload a file")
            endings = sorted(f".{kind}" for kind in SONG_TYPES)
            upload_drop("Drop lyrics, or an audio file with lyrics in its tags", endings, _read_file)
            ui.button("Read a sample song", icon="auto_awesome", on_click=_read_sample).props("outline")


def song_list(songs: Mapping[str, SavedSong]) -> None:
    """List the saved songs."""
    html.h2("Your songs")
    if not songs:
        empty_state("No songs yet", "Songs you read are listed here.", icon="library_music")
        return
    with ui.element("ul").classes("s-card s-list"):
        for key, song in songs.items():
            with ui.element("li").classes("s-row"):
                html.a(song.song, href=f"/vocabulary?{urlencode({'song': key})}").classes("v-title")
                html.span(song.artist).classes("s-muted s-grow")
                html.span(counted(len(song.vocabulary), "word")).classes("s-muted s-small")


def _read_pasted(event: GenericEventArguments) -> None:
    _read(event.args["id"], event.args["title"], event.args["artist"], keep=event.args["keep"])


def _read_file(file: UploadedFile) -> None:
    _read(file.id)


async def _read_sample() -> None:
    async def whole() -> AsyncIterator[bytes]:
        yield await asyncio.to_thread(LYRICS.read_bytes)

    upload = await service().uploads.save("sample.txt", whole(), kinds=SONG_TYPES)
    _read(upload.id, TITLE, ARTIST, keep=True)


def _read(text: str, title: str = "", artist: str = "", *, keep: bool = False) -> None:
    """Open an upload; everything is in the address, so that the page can be reloaded."""
    query = {"text": text, "title": title[:300], "artist": artist[:300], "keep": "1" if keep else ""}
    ui.navigate.to(f"/vocabulary?{urlencode({name: value for name, value in query.items() if value})}")


async def wait_for_dictionary() -> None:
    """Show the dictionary being prepared, then the song."""
    running = await active_jobs("vocabulary.prepare")
    job = running[0] if running else await service().start_job("vocabulary.prepare", PrepareDictionaryRequest())
    html.p("The dictionary is prepared before the first song. This happens once and takes about half a minute.")
    show_job_progress(job, title="Preparing the dictionary", on_end=_ended)


def _ended(job: Job) -> None:
    if job.status == "done":
        ui.navigate.reload()
    else:
        ui.button("Try again", on_click=ui.navigate.reload)


_STYLES = Path(__file__).with_name("vocabulary.css")


@page("/vocabulary", "Vocabulary")
async def show(song: str = "", text: str = "", title: str = "", artist: str = "", keep: str = "") -> None:
    """Show a song as a reader, or the form to add one."""
    ui.add_css(_STYLES)
    if not (song or text):
        await _show_start()
        return
    with current_frame().actions:
        html.a("Another song", href="/vocabulary").classes("s-button")
    if not await asyncio.to_thread(is_dictionary_ready, service().settings):
        await wait_for_dictionary()
        return
    with _waiting():
        opened = await asyncio.to_thread(
            _open_song, song, text, SongDetails(title[:300], artist[:300], keep_lyrics=bool(keep))
        )
    current_frame().rename(opened.saved.song)
    await show_song(opened)


@contextmanager
def _waiting() -> Iterator[None]:
    """Show a spinner while the song is being read."""
    with ui.element("div").classes("s-row").props("role=status") as spinner:
        ui.spinner()
        html.span("Reading the song …")
    try:
        yield
    finally:
        spinner.delete()


def _open_song(song: str, text: str, details: SongDetails) -> OpenSong:
    app = service().app
    if text:
        return open_uploaded_song(app, service().uploads.find(text).path, details)
    return open_saved_song(app, song)


async def _show_start() -> None:
    import_song_form()
    try:
        songs = await asyncio.to_thread(saved_songs, service().database)
    except StudiumError as error:
        problem_notice(error)
    else:
        song_list(songs)
    background_tasks.create(asyncio.to_thread(preload_dictionary, service().app), name="preload the dictionary")
