"""The song as it is read: its lines, the word that is open, how much is known, and the words to choose."""

import asyncio
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from nicegui import html, ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from studium.core.domain.errors import BadInput
from studium.core.domain.job import Job
from studium.vocabulary.jobs import PackageRequest
from studium.vocabulary.known_words import KnownWordList
from studium.vocabulary.song_library import OpenSong
from studium.vocabulary.use_cases import known_word_list
from studium.vocabulary.web.render import render_lines, render_marks, render_words, song_remarks
from studium.vocabulary.web.word_details import show_word
from studium.web.components.job_progress import active_jobs, show_job_progress
from studium.web.components.labels import counted, noun, stat
from studium.web.frame import current_frame
from studium.web.service import service

_LEVELS = (("v-n5", "N5"), ("v-n4", "N4"), ("v-n3", "N3"), ("v-n2", "N2"), ("v-n1", "N1"), ("v-n0", "no level"))
_STATES = (("v-known", "known"), ("v-unknown", "not known yet"))
_CHOICES = {"level": "By level", "known": "By what I know"}


def legend(on_choice: Callable[[str], None], *, has_levels: bool) -> None:
    """The switch, and the signs that belong to it."""
    signs = ui.element("div").classes("v-legend")

    def show(mode: str) -> None:
        signs.clear()
        with signs, ui.element("div").classes(f"s-row s-tight v-by-{mode}"):
            for look, name in _LEVELS if mode == "level" else _STATES:
                html.span(name).classes(f"v-word v-sample {look}")
            html.span("か?").classes("v-doubt")
            html.span("a reading the dictionary does not have").classes("s-muted s-small")

    def choose(mode: str) -> None:
        show(mode)
        on_choice(mode)

    if has_levels:
        toggle = ui.toggle(_CHOICES, value="level", on_change=lambda event: choose(event.value))
        toggle.props('unelevated no-caps aria-label="Colour words"').classes("v-toggle")
        toggle.move(target_index=0)
    show("level" if has_levels else "known")


def package_panel(desk: "ReaderState", under_way: Iterable[Job]) -> None:
    """The button that makes the package, and the package being made."""
    place = ui.element("div").classes("s-stack")
    make = ui.button("Make Anki cards of the chosen words", icon="style", on_click=lambda: _make_package(desk, place))
    make.classes("v-make").move(target_index=1)
    for job in under_way:
        _follow(job, place)


async def running_packages(song: str) -> list[Job]:
    """The packages of this song that are being made."""
    return [job for job in await active_jobs("vocabulary.package") if job.request.get("song") == song]


async def _make_package(desk: "ReaderState", place: ui.element) -> None:
    if not desk.chosen:
        raise BadInput("No word is chosen.", remedy="Tick the words that you want on cards.")
    _follow(
        await service().start_job("vocabulary.package", PackageRequest(song=desk.opened.id, words=desk.chosen)), place
    )


def _follow(job: Job, place: ui.element) -> None:
    place.clear()
    with place:
        show_job_progress(job, title="Making the cards", on_end=_made)


def _made(job: Job) -> None:
    if job.status != "done":
        return
    words = (job.result or {}).get("words", 0)
    address = f"/api/v1/jobs/{job.id}/files/words.apkg"
    with ui.element("div").classes("s-row"):
        html.a(f"Download the cards of {counted(words, 'word')}", href=address).props("download=words.apkg").classes(
            "s-button"
        )
        html.span("Open the file with Anki to add them.").classes("s-muted s-small")


class _SongReader(Element, component="song_reader.js"):
    """The lines."""


class _WordList(Element, component="word_list.js"):
    """The words."""


@dataclass
class ReaderState:
    """One song on one page: what is known, what is open, what is chosen."""

    opened: OpenSong
    familiar: KnownWordList
    known: set[str]
    open: str = ""
    chosen: list[str] = field(default_factory=list)

    def is_known(self, key: str) -> bool:
        """Whether the learner knows this word."""
        written, _, reading = key.rstrip("]").rpartition("[")
        return written in self.known or reading in self.known


async def show_song(opened: OpenSong) -> None:
    """Everything about a song."""
    familiar = known_word_list(service().settings)
    desk = ReaderState(opened, familiar, await asyncio.to_thread(familiar.all))
    packages = await running_packages(opened.id)
    # Nothing is waited for from here on: a page goes to the browser as far as it is built.
    if opened.kept.artist:
        html.p(opened.kept.artist).classes("s-muted")
    for remark in song_remarks(opened):
        html.p(remark).classes("v-remark").props("role=note")
    _Pieces(desk).build(packages)


class _Pieces:
    """The pieces of the page that change while it is read."""

    def __init__(self, desk: ReaderState) -> None:
        self._desk = desk
        self._language = service().settings.vocabulary.language

    def build(self, packages: list[Job]) -> None:
        """Put the pieces on the page."""
        self._figures = ui.element("div").classes("v-figures")
        has_levels = any(item.jlpt for item in self._desk.opened.reader.items.values())
        with ui.element("div").classes("v-desk"):
            with ui.element("section").classes("s-card v-sheet").props('aria-label="The song"'):
                legend(self._colour_by, has_levels=has_levels)
                self._song = _SongReader()
                self._song.props.update(
                    song=json.dumps(render_lines(self._desk.opened.reader)),
                    given=json.dumps({"mode": "level" if has_levels else "known"} | self._marks()),
                    lang=self._language,
                )
                self._song.on("word", self._tapped, args=None)
            self._details = ui.element("aside").classes("v-details").props('aria-label="The word" aria-live=polite')
        html.h2("Words to learn")
        html.p("Those come first that make the most lines readable.").classes("s-muted")
        with ui.element("section").classes("s-card v-card").props('aria-label="Words to learn"'):
            self._words = _WordList()
            self._words.props.update(given=json.dumps(self._order()), song=self._desk.opened.id, lang=self._language)
            self._words.on("open", self._tapped, args=None)
            self._words.on("chosen", self._chose, args=None)
            package_panel(self._desk, packages)
        current_frame().keys.on("k", "Mark the open word as known, or not", self.toggle_known)
        self._show_figures()
        self._show_details()

    async def toggle_known(self) -> None:
        """The open word is known from now on; or is not, if it was."""
        desk = self._desk
        if not desk.open:
            return
        written, _, reading = desk.open.rstrip("]").rpartition("[")
        if desk.is_known(desk.open):
            await asyncio.to_thread(desk.familiar.forget, written)
            await asyncio.to_thread(desk.familiar.forget, reading)
        else:
            await asyncio.to_thread(desk.familiar.learn, written)
        desk.known = await asyncio.to_thread(desk.familiar.all)
        _tell(self._song, self._marks())
        _tell(self._words, self._order())
        self._show_figures()
        self._show_details()

    def _marks(self) -> dict[str, Any]:
        desk = self._desk
        return {"marks": render_marks(desk.opened.reader, desk.is_known), "open": desk.open}

    def _order(self) -> list[dict[str, Any]]:
        return render_words(self._desk.opened.reader, self._desk.known, self._desk.is_known)

    def _show_figures(self) -> None:
        self._figures.clear()
        with self._figures:
            _figures(self._desk)

    def _show_details(self) -> None:
        self._details.clear()
        with self._details:
            show_word(self._desk, on_known=self.toggle_known, on_close=partial(self._open, ""))
        self._details.classes(add="v-is-open" if self._desk.open else "", remove="" if self._desk.open else "v-is-open")

    def _open(self, key: str) -> None:
        self._desk.open = key
        _tell(self._song, {"open": key})
        self._show_details()

    def _tapped(self, event: GenericEventArguments) -> None:
        self._open(str(event.args))

    def _chose(self, event: GenericEventArguments) -> None:
        self._desk.chosen = [str(key) for key in event.args]

    def _colour_by(self, mode: str) -> None:
        _tell(self._song, {"mode": mode})


def _tell(element: Element, what: object) -> None:
    """Tell a piece of the page something new, without sending all of it again."""
    element.run_method("tell", json.dumps(what))


def _figures(desk: ReaderState) -> None:
    reader = desk.opened.reader
    covered, hard = reader.coverage(desk.known), reader.difficulty
    order = reader.unlocking(desk.known)
    readable = order[0].readable - order[0].unlocks if order else None
    lines = order[0].lines if order else len({word.line for word in reader.words if word.is_content})
    stat("difficulty", hard.level or "–", note=f"{hard.score:g} of 100")
    share = f"{int(covered.share * 100)} %"
    stat("of what is sung you know", share, note=f"{covered.distinct_known} of {covered.distinct} words")
    stat("lines you can read", lines if readable is None else readable, note=f"of {lines}")
    stat(noun(len(reader.items), "word to learn", "words to learn"), len(reader.items))
