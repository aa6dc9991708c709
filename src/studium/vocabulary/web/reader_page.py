"""The reader: the lines of a song, the selected word, how much is known, and the words to choose."""

import asyncio
import json
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NotRequired, TypedDict

from nicegui import html, ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from studium.core.domain.errors import BadInput
from studium.core.domain.job import Job
from studium.vocabulary.jobs import PackageRequest
from studium.vocabulary.known_words import KnownWordList
from studium.vocabulary.song_reader import MAX_CHARACTERS, OpenSong, ReaderLine, ReaderSpan, SongReader, word_key
from studium.vocabulary.use_cases import known_word_list
from studium.vocabulary.web.word_details import show_hint, show_word
from studium.web.components.job_progress import active_jobs, show_job_progress
from studium.web.components.labels import counted, noun, stat
from studium.web.frame import current_frame
from studium.web.service import service

_LEVELS = (("v-n5", "N5"), ("v-n4", "N4"), ("v-n3", "N3"), ("v-n2", "N2"), ("v-n1", "N1"), ("v-n0", "no level"))
_STATES = (("v-known", "known"), ("v-unknown", "not known yet"))
_CHOICES = {"level": "By level", "known": "By what I know"}


@dataclass
class ReaderState:
    """One song on one page: which words are known, selected and chosen for cards."""

    opened: OpenSong
    known_list: KnownWordList
    known: set[str]
    selected: str = ""
    chosen: list[str] = field(default_factory=list)

    def is_known(self, key: str) -> bool:
        """Tell whether the learner knows a word."""
        written, _, reading = key.rstrip("]").rpartition("[")
        return written in self.known or reading in self.known


async def show_song(opened: OpenSong) -> None:
    """Show a song as a reader."""
    known_list = known_word_list(service().settings)
    state = ReaderState(opened, known_list, await asyncio.to_thread(known_list.all))
    packages = await running_packages(opened.id)
    # No awaiting from here on: what is built before an await is sent to the browser at once.
    if opened.saved.artist:
        html.p(opened.saved.artist).classes("s-muted")
    for remark in song_remarks(opened):
        html.p(remark).classes("v-remark").props("role=note")
    _Reader(state).build(packages)


class _SongLines(Element, component="song_reader.js"):
    """The lines."""


class _WordList(Element, component="word_list.js"):
    """The words to choose from."""


class _Reader:
    """The elements of the page that change while it is used."""

    def __init__(self, state: ReaderState) -> None:
        self._state = state
        self._language = service().settings.vocabulary.language

    def build(self, packages: list[Job]) -> None:
        """Add the elements to the page."""
        self._figures = ui.element("div").classes("v-figures")
        has_levels = any(item.jlpt for item in self._state.opened.reader.items.values())
        with ui.element("div").classes("v-layout"):
            with ui.element("section").classes("s-card v-sheet").props('aria-label="The song"'):
                legend(self._colour_by, has_levels=has_levels)
                self._song = _SongLines()
                self._song.props.update(
                    song=json.dumps(render_lines(self._state.opened.reader)),
                    given=json.dumps({"mode": "level" if has_levels else "known"} | self._marks()),
                    lang=self._language,
                )
                self._song.on("word", self._on_word, args=None)
            self._details = ui.element("aside").classes("v-details").props('aria-label="The word" aria-live=polite')
        html.h2("Words to learn")
        html.p("Sorted by how many lines each word unlocks.").classes("s-muted")
        with ui.element("section").classes("s-card v-card").props('aria-label="Words to learn"'):
            self._words = _WordList()
            self._words.props.update(
                given=json.dumps(self._word_rows()), song=self._state.opened.id, lang=self._language
            )
            self._words.on("open", self._on_word, args=None)
            self._words.on("chosen", self._on_choice, args=None)
            package_panel(self._state, packages)
        current_frame().keys.on("k", "Mark the selected word as known, or not", self.toggle_known)
        self._show_figures()
        self._show_details()

    async def toggle_known(self) -> None:
        """Mark the selected word as known, or as unknown if it was known."""
        state = self._state
        if not state.selected:
            return
        written, _, reading = state.selected.rstrip("]").rpartition("[")
        if state.is_known(state.selected):
            await asyncio.to_thread(state.known_list.remove, written)
            await asyncio.to_thread(state.known_list.remove, reading)
        else:
            await asyncio.to_thread(state.known_list.add, written)
        state.known = await asyncio.to_thread(state.known_list.all)
        _update(self._song, self._marks())
        _update(self._words, self._word_rows())
        self._show_figures()
        self._show_details()

    def _marks(self) -> dict[str, Any]:
        state = self._state
        return {"marks": render_marks(state.opened.reader, state.is_known), "open": state.selected}

    def _word_rows(self) -> "list[WordRow]":
        return render_words(self._state.opened.reader, self._state.known, self._state.is_known)

    def _show_figures(self) -> None:
        self._figures.clear()
        with self._figures:
            _show_figures(self._state)

    def _show_details(self) -> None:
        state = self._state
        self._details.clear()
        with self._details:
            if state.selected:
                show_word(
                    state.opened.reader,
                    state.selected,
                    is_known=state.is_known(state.selected),
                    on_known=self.toggle_known,
                    on_close=partial(self._select, ""),
                )
            else:
                show_hint()
        self._details.classes(add="v-is-open" if state.selected else "", remove="" if state.selected else "v-is-open")

    def _select(self, key: str) -> None:
        self._state.selected = key
        _update(self._song, {"open": key})
        self._show_details()

    def _on_word(self, event: GenericEventArguments) -> None:
        self._select(str(event.args))

    def _on_choice(self, event: GenericEventArguments) -> None:
        self._state.chosen = [str(key) for key in event.args]

    def _colour_by(self, mode: str) -> None:
        _update(self._song, {"mode": mode})


def _update(element: Element, change: object) -> None:
    """Send a change to an element, instead of all its data."""
    element.run_method("update", json.dumps(change))


def _show_figures(state: ReaderState) -> None:
    reader = state.opened.reader
    covered, difficulty = reader.coverage(state.known), reader.difficulty
    order = reader.unlock_order(state.known)
    readable = order[0].readable - order[0].unlocks if order else None
    lines = order[0].lines if order else len({word.line for word in reader.words if word.is_content})
    stat("difficulty", difficulty.level or "–", note=f"{difficulty.score:g} of 100")
    share = f"{int(covered.share * 100)} %"
    stat("of the song you know", share, note=f"{covered.distinct_known} of {covered.distinct} words")
    stat("lines you can read", lines if readable is None else readable, note=f"of {lines}")
    stat(noun(len(reader.items), "word to learn", "words to learn"), len(reader.items))


def legend(on_choice: Callable[[str], None], *, has_levels: bool) -> None:
    """Show what the colours mean, and a switch between levels and known words."""
    samples = ui.element("div").classes("v-legend")

    def show(mode: str) -> None:
        samples.clear()
        with samples, ui.element("div").classes(f"s-row s-tight v-by-{mode}"):
            for look, name in _LEVELS if mode == "level" else _STATES:
                html.span(name).classes(f"v-word v-sample {look}")
            html.span("か?").classes("v-doubt")
            html.span("reading not in the dictionary").classes("s-muted s-small")

    def choose(mode: str) -> None:
        show(mode)
        on_choice(mode)

    if has_levels:
        toggle = ui.toggle(_CHOICES, value="level", on_change=lambda event: choose(event.value))
        toggle.props('unelevated no-caps aria-label="Colour words"').classes("v-toggle")
        toggle.move(target_index=0)
    show("level" if has_levels else "known")


def package_panel(state: ReaderState, running: Iterable[Job]) -> None:
    """Show the button that makes a package, and the packages being made."""
    place = ui.element("div").classes("s-stack")
    make = ui.button("Make Anki cards of the chosen words", icon="style", on_click=lambda: _make_cards(state, place))
    make.classes("v-make").move(target_index=1)
    for job in running:
        _show_package(job, place)


async def running_packages(song: str) -> list[Job]:
    """Return the jobs that are making packages of a song."""
    return [job for job in await active_jobs("vocabulary.package") if job.request.get("song") == song]


async def _make_cards(state: ReaderState, place: ui.element) -> None:
    if not state.chosen:
        raise BadInput("No words are chosen.", remedy="Tick the words you want on cards.")
    request = PackageRequest(song=state.opened.id, words=state.chosen)
    _show_package(await service().start_job("vocabulary.package", request), place)


def _show_package(job: Job, place: ui.element) -> None:
    place.clear()
    with place:
        show_job_progress(job, title="Making the cards", on_end=_show_download)


def _show_download(job: Job) -> None:
    if job.status != "done":
        return
    words = (job.result or {}).get("words", 0)
    address = f"/api/v1/jobs/{job.id}/files/words.apkg"
    with ui.element("div").classes("s-row"):
        link = html.a(f"Download the cards of {counted(words, 'word')}", href=address)
        link.props("download=words.apkg").classes("s-button")
        html.span("Open the file with Anki to add them.").classes("s-muted s-small")


class WordMark(TypedDict):
    """How a word of the song is coloured."""

    level: int | None
    known: bool


class WordRow(TypedDict):
    """A row of the word list."""

    key: str
    written: str
    reading: str
    english: str
    level: int | None
    count: int
    known: bool
    unlocks: int
    readable: str


class SpanData(TypedDict):
    """A word in its line (`w` is its key), or the text between two words."""

    signs: tuple[tuple[str, str], ...]
    w: NotRequired[str]
    unsure: NotRequired[bool]


class LineData(TypedDict):
    """A line: its number, its time, whether it is sung, and its spans."""

    n: int
    t: str
    sung: bool
    parts: list[SpanData]


def render_lines(reader: SongReader) -> list[LineData]:
    """Render the lines for the browser."""
    return [_line(line) for line in reader.lines]


def render_marks(reader: SongReader, is_known: Callable[[str], bool]) -> dict[str, WordMark]:
    """Render each word's level, and whether it is known."""
    keys = {word_key(word.lemma, word.lemma_reading) for word in reader.words if word.is_content}
    return {
        key: {"level": reader.items[key].jlpt if key in reader.items else None, "known": is_known(key)} for key in keys
    }


def render_words(reader: SongReader, known: AbstractSet[str], is_known: Callable[[str], bool]) -> list[WordRow]:
    """Render the words to choose from: those that unlock most first, known ones last."""
    turns = {word_key(each.word, each.reading): (turn, each) for turn, each in enumerate(reader.unlock_order(known))}
    keys = sorted(reader.items, key=lambda key: turns[key][0] if key in turns else len(turns))
    rows: list[WordRow] = []
    for key in keys:
        item = reader.items[key]
        step = turns[key][1] if key in turns else None
        rows.append(
            {
                "key": key,
                "written": item.kanji,
                "reading": item.reading,
                "english": item.english,
                "level": item.jlpt,
                "count": item.count,
                "known": is_known(key),
                "unlocks": step.unlocks if step else 0,
                "readable": f"{step.readable} of {step.lines} lines by then" if step else "",
            }
        )
    return rows


def song_remarks(opened: OpenSong) -> list[str]:
    """List what to know about this song before trusting it."""
    remarks = list(opened.remarks)
    if opened.is_cut:
        remarks.append(f"This text is long: only its first {MAX_CHARACTERS:,} characters were read.")
    if not opened.is_whole:
        remarks.append("The lyrics were not saved: only the first line of each word is shown.")
    if opened.reader.is_translated:
        remarks.append("This song is in another language: its words are shown with their translations.")
    if opened.reader.may_be_chinese:
        remarks.append("There is no kana in this text. If it is not Japanese, its readings are wrong.")
    return remarks


def _line(each: ReaderLine) -> LineData:
    line = each.line
    return {"n": line.number, "t": line.clock, "sung": line.is_sung, "parts": [_span(span) for span in each.spans]}


def _span(span: ReaderSpan) -> SpanData:
    data: SpanData = {"signs": span.signs}
    if span.word:
        data["w"] = span.word
    if not span.is_sure:
        data["unsure"] = True
    return data
