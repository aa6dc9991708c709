"""The vocabulary page: bring a song, or read one (`?text=` for one that was brought, `?song=` for one that is kept)."""

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
from studium.core.jobs.file_types import SONG_TYPES
from studium.vocabulary import song_library
from studium.vocabulary import use_cases as vocabulary
from studium.vocabulary.domain import SavedSong
from studium.vocabulary.jobs import PrepareDictionaryRequest
from studium.vocabulary.song_library import OpenSong, SongDetails
from studium.vocabulary.web.reader_page import show_song
from studium.web.components.job_progress import active_jobs, show_job_progress
from studium.web.components.labels import counted
from studium.web.components.notices import empty_state, problem_notice
from studium.web.components.uploads import UploadedFile, upload_drop
from studium.web.frame import current_frame, page
from studium.web.service import service

_SAMPLE = Path(__file__).parents[2] / "app" / "sample_files" / "songs" / "yozora.txt"
_SAMPLE_TITLE, _SAMPLE_ARTIST = "夜空の道", "Studium"
_LANGUAGES = {"ja": "Japanese", "de": "German"}


class _LyricsField(Element, component="lyrics_field.js"):
    """Where lyrics are pasted."""


def import_song_form() -> None:
    """The ways to bring a song."""
    language = _LANGUAGES[service().settings.vocabulary.language]
    html.p(f"Bring a song in {language}. Every word gets its reading, its meaning and its place.").classes("s-muted")
    with ui.element("div").classes("s-columns"):
        with ui.element("section").classes("s-card"):
            html.h2("Paste lyrics")
            field = _LyricsField()
            field.props.update(url="/api/v1/uploads", keep=service().settings.vocabulary.keep_lyrics)
            field.on("brought", _read_pasted, args=None)
        with ui.element("section").classes("s-card v-card"):
            html.h2("Or bring a file")
            endings = sorted(f".{kind}" for kind in SONG_TYPES)
            upload_drop("Drop lyrics, or a recording whose tags hold them", endings, _read_file)
            ui.button("Read a sample song", icon="auto_awesome", on_click=_read_sample).props("outline")


def song_list(songs: Mapping[str, SavedSong]) -> None:
    """The songs that are kept, to open again."""
    html.h2("Your songs")
    if not songs:
        empty_state("No song was read yet", "Songs that you read are listed here.", icon="library_music")
        return
    with ui.element("ul").classes("s-card s-list"):
        for key, kept in songs.items():
            with ui.element("li").classes("s-row"):
                html.a(kept.song, href=f"/vocabulary?{urlencode({'song': key})}").classes("v-title")
                html.span(kept.artist).classes("s-muted s-grow")
                html.span(counted(len(kept.vocabulary), "word")).classes("s-muted s-small")


def _read_pasted(event: GenericEventArguments) -> None:
    _read(event.args["id"], event.args["title"], event.args["artist"], keep=event.args["keep"])


def _read_file(brought: UploadedFile) -> None:
    _read(brought.id)


async def _read_sample() -> None:
    async def whole() -> AsyncIterator[bytes]:
        yield await asyncio.to_thread(_SAMPLE.read_bytes)

    upload = await service().uploads.save("sample.txt", whole(), kinds=SONG_TYPES)
    _read(upload.id, _SAMPLE_TITLE, _SAMPLE_ARTIST, keep=True)


def _read(text: str, title: str = "", artist: str = "", *, keep: bool = False) -> None:
    """Open what was brought; the address says all of it, so that it can be reloaded."""
    said = {"text": text, "title": title[:300], "artist": artist[:300], "keep": "1" if keep else ""}
    ui.navigate.to(f"/vocabulary?{urlencode({name: value for name, value in said.items() if value})}")


async def wait_for_dictionary() -> None:
    """Show the dictionary being prepared, and the song when it is."""
    under_way = await active_jobs("vocabulary.prepare")
    job = under_way[0] if under_way else await service().start_job("vocabulary.prepare", PrepareDictionaryRequest())
    html.p("Before the first song, the dictionary is prepared. This is done once, and takes about half a minute.")
    show_job_progress(job, title="Preparing the dictionary", on_end=_ended)


def _ended(job: Job) -> None:
    if job.status == "done":
        ui.navigate.reload()
    else:
        ui.button("Try again", on_click=ui.navigate.reload)


_LOOKS = Path(__file__).with_name("vocabulary.css")


@page("/vocabulary", "Vocabulary")
async def show(song: str = "", text: str = "", title: str = "", artist: str = "", keep: str = "") -> None:
    """A song as a reader, or the place to bring one."""
    ui.add_css(_LOOKS)
    if not (song or text):
        await _bring()
        return
    with current_frame().actions:
        html.a("Another song", href="/vocabulary").classes("s-button")
    if not await asyncio.to_thread(vocabulary.is_dictionary_ready, service().settings):
        await wait_for_dictionary()
        return
    with _waiting():
        opened = await asyncio.to_thread(
            _opened, song, text, SongDetails(title[:300], artist[:300], keep_lyrics=bool(keep))
        )
    current_frame().rename(opened.kept.song)
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


def _opened(song: str, text: str, cover: SongDetails) -> OpenSong:
    app = service().app
    if text:
        return song_library.open_uploaded_song(app, service().uploads.find(text).path, cover)
    return song_library.open_saved_song(app, song)


async def _bring() -> None:
    import_song_form()
    try:
        songs = await asyncio.to_thread(song_library.saved_songs, service().database)
    except StudiumError as error:
        problem_notice(error)
    else:
        song_list(songs)
    background_tasks.create(
        asyncio.to_thread(song_library.preload_dictionary, service().app), name="warm up the dictionary"
    )
