"""Bringing a song: pasted, dropped, or opened again."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from urllib.parse import urlencode

from nicegui import html, ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from studium.core.jobs.file_types import SONG_TYPES
from studium.domain.word import KeptSong
from studium.web.house import service
from studium.web.parts.figures import counted
from studium.web.parts.notices import empty_state
from studium.web.parts.uploads import Brought, upload_drop

_SAMPLE = Path(__file__).parents[2] / "data" / "samples" / "songs" / "yozora.txt"
_SAMPLE_TITLE, _SAMPLE_ARTIST = "夜空の道", "Studium"
_LANGUAGES = {"ja": "Japanese", "de": "German"}


class _LyricsField(Element, component="lyrics_field.js"):
    """Where lyrics are pasted."""


def bring() -> None:
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


def kept_list(songs: Mapping[str, KeptSong]) -> None:
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


def _read_file(brought: Brought) -> None:
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
