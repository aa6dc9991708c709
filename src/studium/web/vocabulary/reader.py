"""The song as it is read: its lines, the word that is open, how much is known, and the words to choose."""

import asyncio
import json
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from nicegui import html, ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from studium.core.domain.job import Job
from studium.faculties.reading import OpenSong
from studium.faculties.vocabulary import familiar_words
from studium.running.vocabulary.familiar import FamiliarWords
from studium.web.frame import here
from studium.web.house import service
from studium.web.parts.figures import noun, stat
from studium.web.vocabulary.details import show_word
from studium.web.vocabulary.legend import legend
from studium.web.vocabulary.packing import pack, packages_under_way
from studium.web.vocabulary.telling import lines_told, marks_told, remarks_on, words_told


class _SongReader(Element, component="song_reader.js"):
    """The lines."""


class _WordList(Element, component="word_list.js"):
    """The words."""


@dataclass
class Desk:
    """One song on one page: what is known, what is open, what is chosen."""

    opened: OpenSong
    familiar: FamiliarWords
    known: set[str]
    open: str = ""
    chosen: list[str] = field(default_factory=list)

    def is_known(self, key: str) -> bool:
        """Whether the learner knows this word."""
        written, _, reading = key.rstrip("]").rpartition("[")
        return written in self.known or reading in self.known


async def show_song(opened: OpenSong) -> None:
    """Everything about a song."""
    familiar = familiar_words(service().settings)
    desk = Desk(opened, familiar, await asyncio.to_thread(familiar.all))
    packages = await packages_under_way(opened.id)
    # Nothing is waited for from here on: a page goes to the browser as far as it is built.
    if opened.kept.artist:
        html.p(opened.kept.artist).classes("s-muted")
    for remark in remarks_on(opened):
        html.p(remark).classes("v-remark").props("role=note")
    _Pieces(desk).build(packages)


class _Pieces:
    """The pieces of the page that change while it is read."""

    def __init__(self, desk: Desk) -> None:
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
                    song=json.dumps(lines_told(self._desk.opened.reader)),
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
            pack(self._desk, packages)
        here().keys.on("k", "Mark the open word as known, or not", self.toggle_known)
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
        return {"marks": marks_told(desk.opened.reader, desk.is_known), "open": desk.open}

    def _order(self) -> list[dict[str, Any]]:
        return words_told(self._desk.opened.reader, self._desk.known, self._desk.is_known)

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


def _figures(desk: Desk) -> None:
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
