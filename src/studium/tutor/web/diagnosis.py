"""Show the diagnosis of a typed or pasted command."""

import asyncio
import re
from collections.abc import Iterator
from itertools import groupby

from nicegui import html, ui

from studium.core.domain.errors import BadInput
from studium.tutor import use_cases as tutor
from studium.tutor.domain import Diagnosis
from studium.web.components.labels import Tone, chip
from studium.web.service import service

_FENCE = re.compile(r"^[ \t]*```[^\n]*\n(.*?)(?:^[ \t]*```[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_ITEM = re.compile(r"\s*(?:[-*•]|(\d+)[.)])\s+(.*)")
_HEADING = re.compile(r"#{1,6}\s+(.*)")
_SPAN = re.compile(r"(`[^`\n]+`|\*\*[^*\n]+\*\*)")


def rich_text(text: str) -> None:
    """Show text with its paragraphs, lists, `code` and **emphasis**."""
    at = 0
    for fenced in _FENCE.finditer(text):
        _blocks(text[at : fenced.start()])
        _code(fenced[1])
        at = fenced.end()
    _blocks(text[at:])


def _code(text: str) -> None:
    with ui.element("pre").classes("t-code").props("tabindex=0"):
        html.code(text.strip("\n"))


def _blocks(text: str) -> None:
    for kind, lines in _grouped(text):
        if kind == "table":
            _code("\n".join(lines))
        elif kind == "item":
            _items(lines)
        elif kind == "heading":
            with html.p(), html.strong():
                _spans(lines[0])
        else:
            with html.p():
                _spans(" ".join(line.strip() for line in lines))


def _grouped(text: str) -> Iterator[tuple[str, list[str]]]:
    """Group the lines of a text into blocks of one kind."""
    for number, line in enumerate(groupby(text.splitlines(), key=_kind)):
        kind, lines = line[0], list(line[1])
        if kind == "heading":
            yield from (("heading", [_HEADING.sub(r"\1", each)]) for each in lines)
        elif kind != "blank" or not number:
            yield from ([(kind, lines)] if kind != "blank" else [])


def _kind(line: str) -> str:
    if not line.strip():
        return "blank"
    if line.startswith(("    ", "|")):
        return "table"
    if _ITEM.match(line):
        return "item"
    return "heading" if _HEADING.match(line) else "words"


def _items(lines: list[str]) -> None:
    found = [item for line in lines if (item := _ITEM.match(line))]
    with ui.element("ol" if found[0][1] else "ul"):
        for item in found:
            with html.li():
                _spans(item[2])


def _spans(text: str) -> None:
    for part in _SPAN.split(text):
        if part.startswith("`") and part.endswith("`") and len(part) > 1:
            html.code(part[1:-1])
        elif part.startswith("**") and part.endswith("**") and len(part) > 4:  # noqa: PLR2004 - the stars
            html.strong(part[2:-2])
        elif part:
            html.span(part)


_TONES: dict[str, Tone] = {"error": "bad", "warning": "warn", "notice": "info"}
_LONGEST = 200_000


def show_diagnosis(found: Diagnosis) -> None:
    """Show what is wrong, why, and how to fix it."""
    severity = str(found.metadata.get("severity", "error"))
    with ui.element("div").classes("t-diagnosis"):
        with ui.element("div").classes("s-row s-tight"):
            chip(severity, _TONES.get(severity, "bad"))
            html.strong(found.error_type.replace("_", " ").capitalize())
        rich_text(found.diagnosis)
        rich_text(found.fix)
        if found.commands:
            with ui.element("pre").classes("t-code").props("tabindex=0"):
                html.code("\n".join(found.commands))


def diagnose_form() -> None:
    """A form to paste a command and its output."""
    with ui.element("section").classes("s-card").props('aria-label="Diagnose"'):
        html.h2("Typed it elsewhere?")
        html.p("Paste the command and its output to see what is wrong with it.").classes("s-muted")
        command = ui.input("Command").props("outlined dense maxlength=1000")
        output = ui.textarea("Output").props(f"outlined dense autogrow maxlength={_LONGEST}")
        place = ui.element("div").classes("s-stack").props("aria-live=polite")

        async def explain() -> None:
            if not command.value.strip():
                raise BadInput("The command is missing.", remedy="Paste what was typed, too.")
            given = (service().settings, command.value, output.value)
            found, complaint = await asyncio.to_thread(tutor.diagnose, *given)
            place.clear()
            with place:
                if found:
                    show_diagnosis(found)
                else:
                    html.p(complaint or "No mistake found.")

        ui.button("Explain", icon="troubleshoot", on_click=explain).props("outline").classes("t-fit")
