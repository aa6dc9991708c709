"""The details of a word: meaning, reading, pitch accent, sound, parts, and the lines it is in."""

import json
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

from nicegui import html, ui
from nicegui.events import GenericEventArguments

from studium.vocabulary.domain import LyricLine, VocabularyItem
from studium.vocabulary.japanese.speech import pitch_pattern
from studium.vocabulary.song_reader import SongReader
from studium.web.components.labels import chip, counted
from studium.web.service import service

_MAX_LINES = 12
# The least Zipf frequency for each name.
_COMMON = ((5.0, "very common"), (4.0, "common"), (3.0, "less common"), (0.0, "rare"))

# Fetched first, so that the server's error can be shown.
_PLAY = """async () => {
  const answer = await fetch(%s);
  if (!answer.ok) {
    const problem = await answer.json().catch(() => ({}));
    emit([problem.detail, problem.remedy].filter(Boolean).join(" ") || "The word cannot be played.");
    return;
  }
  const sound = new Audio(URL.createObjectURL(await answer.blob()));
  sound.onended = () => URL.revokeObjectURL(sound.src);
  await sound.play().catch((error) => emit(error.message));
}"""


def show_hint() -> None:
    """Say how to select a word."""
    html.p("Tap a word of the song to look it up.").classes("s-muted v-hint")


def show_word(
    reader: SongReader, key: str, *, is_known: bool, on_known: Callable[[], Any], on_close: Callable[[], Any]
) -> None:
    """Show a word of a song."""
    item = reader.items.get(key)
    with ui.element("div").classes("s-card"):
        with ui.element("div").classes("s-row s-between v-head"):
            html.h2(item.kanji if item else key.rpartition("[")[0]).props(f"lang={_language()}")
            close = ui.button(icon="close", on_click=on_close)
            close.props('flat round dense aria-label="Close the word"')
        if item:
            _meaning(item)
            _reading(item)
            _labels(item)
        else:
            html.p("This word is not in the dictionary; its reading may be wrong.")
        _known_button(is_known=is_known, on_known=on_known)
        _lines(reader.lines_with(key))


def _meaning(item: VocabularyItem) -> None:
    html.p(item.english).classes("v-gloss")
    others = [meaning for meaning in item.meanings if meaning != item.english]
    if others:
        html.p("; ".join(others)).classes("s-muted s-small")


def _reading(item: VocabularyItem) -> None:
    with ui.element("div").classes("s-row"):
        if item.reading and item.pitch is not None:
            _pitch(item.reading, item.pitch)
        elif item.reading:
            html.span(item.reading).classes("v-reading").props(f"lang={_language()}")
        if item.romaji != item.kanji:
            html.span(item.romaji).classes("s-muted")
        if _language() == "ja":
            _sound(item)
    if item.pitch is not None:
        html.p(_pitch_text(item.pitch)).classes("s-muted s-small")


def _pitch(reading: str, nucleus: int) -> None:
    """Draw the pitch: a line above high beats, and a step down where the voice falls."""
    with ui.element("span").classes("v-pitch").props("lang=ja"):
        for place, (beat, is_high) in enumerate(pitch_pattern(reading, nucleus), start=1):
            mora = html.span(beat).classes("v-high" if is_high else "v-low")
            if place == nucleus:
                mora.classes("v-fall")


def _pitch_text(nucleus: int) -> str:
    return f"The voice falls after beat {nucleus}." if nucleus else "The voice does not fall."


def _sound(item: VocabularyItem) -> None:
    address = f"/api/v1/vocabulary/sound?{urlencode({'word': item.kanji, 'reading': item.reading})}"
    button = ui.button(icon="volume_up").props('flat round dense aria-label="Hear the word"')
    button.on("click", _show_error, js_handler=_PLAY % json.dumps(address))


def _show_error(event: GenericEventArguments) -> None:
    ui.notify(str(event.args), type="negative", position="top", timeout=12_000, close_button="Close")


def _labels(item: VocabularyItem) -> None:
    with ui.element("div").classes("s-row s-tight"):
        chip(item.part_of_speech)
        if item.jlpt:
            chip(f"JLPT N{item.jlpt}", "accent")
        if item.frequency is not None:
            frequency = item.frequency
            chip(next(name for least, name in _COMMON if frequency >= least), "info")
        chip(f"sung {item.count}×")
    if len(item.parts) > 1 or any(part.kanji != item.kanji for part in item.parts):
        with ui.element("dl").classes("v-parts"):
            for part in item.parts:
                with ui.element("div"):
                    html.dt(part.kanji).props("lang=ja")
                    html.dd(" / ".join(part.romaji))


def _known_button(*, is_known: bool, on_known: Callable[[], Any]) -> None:
    text, icon = ("Not known after all", "undo") if is_known else ("I know this word", "check")
    ui.button(text, icon=icon, on_click=on_known).props("outline" if is_known else "")


def _lines(lines: Sequence[LyricLine]) -> None:
    if not lines:
        return
    html.h3("Lines with this word")
    with ui.element("ul").classes("v-where"):
        for line in lines[:_MAX_LINES]:
            with ui.element("li"):
                when = line.clock or str(line.number)
                html.a(when, href=f"#line-{line.number}").props(f'aria-label="Line {line.number}"')
                html.span(line.text).props(f"lang={_language()}")
        if len(lines) > _MAX_LINES:
            html.li(f"and in {counted(len(lines) - _MAX_LINES, 'more line')}").classes("s-muted s-small")


def _language() -> str:
    return service().settings.vocabulary.language
