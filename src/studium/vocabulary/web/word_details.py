"""One word, looked at: what it means, how it is read, spoken and pitched, what it is made of, and where it is sung."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from nicegui import html, ui
from nicegui.events import GenericEventArguments

from studium.vocabulary.domain import VocabularyItem
from studium.vocabulary.japanese.speech import pitch_pattern
from studium.vocabulary.web.render import format_time
from studium.web.components.labels import chip, counted
from studium.web.service import service

if TYPE_CHECKING:
    from studium.vocabulary.web.reader_page import ReaderState

_MOST_LINES = 12
# From which Zipf frequency on a word is called so.
_COMMON = ((5.0, "very common"), (4.0, "common"), (3.0, "less common"), (0.0, "rare"))

# Fetched before it is played, so that the server can say why it has no sound.
_PLAY = """async () => {
  const answer = await fetch(%s);
  if (!answer.ok) {
    const told = await answer.json().catch(() => ({}));
    emit([told.detail, told.remedy].filter(Boolean).join(" ") || "It cannot be played.");
    return;
  }
  const sound = new Audio(URL.createObjectURL(await answer.blob()));
  sound.onended = () => URL.revokeObjectURL(sound.src);
  await sound.play().catch((error) => emit(error.message));
}"""


def show_word(desk: "ReaderState", *, on_known: Callable[[], Any], on_close: Callable[[], Any]) -> None:
    """The open word, or what to do to open one."""
    if not desk.open:
        html.p("Tap a word of the song to look it up.").classes("s-muted v-hint")
        return
    item = desk.opened.reader.items.get(desk.open)
    with ui.element("div").classes("s-card"):
        with ui.element("div").classes("s-row s-between v-head"):
            html.h2(item.kanji if item else desk.open.rpartition("[")[0]).props(f"lang={_language()}")
            close = ui.button(icon="close", on_click=on_close)
            close.props('flat round dense aria-label="Close the word"')
        if item:
            _meaning(item)
            _reading(item)
            _signs(item)
        else:
            html.p("The dictionary does not have this word; its reading may be wrong.")
        _knowing(is_known=desk.is_known(desk.open), on_known=on_known)
        _lines(desk)


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
        html.p(_pitch_told(item.pitch)).classes("s-muted s-small")


def _pitch(reading: str, nucleus: int) -> None:
    """The melody, drawn: a line over what is high, and a step down where the voice falls."""
    with ui.element("span").classes("v-pitch").props("lang=ja"):
        for place, (beat, is_high) in enumerate(pitch_pattern(reading, nucleus), start=1):
            mora = html.span(beat).classes("v-high" if is_high else "v-low")
            if place == nucleus:
                mora.classes("v-fall")


def _pitch_told(nucleus: int) -> str:
    return f"The voice falls after beat {nucleus}." if nucleus else "The voice does not fall."


def _sound(item: VocabularyItem) -> None:
    address = f"/api/v1/vocabulary/sound?{urlencode({'word': item.kanji, 'reading': item.reading})}"
    button = ui.button(icon="volume_up").props('flat round dense aria-label="Hear the word"')
    button.on("click", _cannot_be_heard, js_handler=_PLAY % json.dumps(address))


def _cannot_be_heard(event: GenericEventArguments) -> None:
    ui.notify(str(event.args), type="negative", position="top", timeout=12_000, close_button="Close")


def _signs(item: VocabularyItem) -> None:
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


def _knowing(*, is_known: bool, on_known: Callable[[], Any]) -> None:
    text, icon = ("Not known after all", "undo") if is_known else ("I know this word", "check")
    ui.button(text, icon=icon, on_click=on_known).props("outline" if is_known else "")


def _lines(desk: "ReaderState") -> None:
    lines = desk.opened.reader.lines_with(desk.open)
    if not lines:
        return
    html.h3("Where it is sung")
    with ui.element("ul").classes("v-where"):
        for line in lines[:_MOST_LINES]:
            with ui.element("li"):
                when = format_time(line.time) or str(line.number)
                html.a(when, href=f"#line-{line.number}").props(f'aria-label="Line {line.number}"')
                html.span(line.text).props(f"lang={_language()}")
        if len(lines) > _MOST_LINES:
            html.li(f"and in {counted(len(lines) - _MOST_LINES, 'more line')}").classes("s-muted s-small")


def _language() -> str:
    return service().settings.vocabulary.language
