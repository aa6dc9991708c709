"""What is wrong with a command; for one that was typed here, or elsewhere and pasted."""

import asyncio

from nicegui import html, ui

from studium.core.domain.errors import BadInput
from studium.tutor import use_cases as tutor
from studium.tutor.domain import Diagnosis
from studium.tutor.web.rich_text import rich_text
from studium.web.components.labels import Tone, chip
from studium.web.service import service

_TONES: dict[str, Tone] = {"error": "bad", "warning": "warn", "notice": "info"}
_LONGEST = 200_000


def show_diagnosis(found: Diagnosis) -> None:
    """What is wrong, why, and how to mend it."""
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
    """A place to paste a command and what a device said, wherever that was."""
    with ui.element("section").classes("s-card").props('aria-label="Diagnose"'):
        html.h2("Typed it elsewhere?")
        html.p("Paste the command and what the device said: what is wrong with it is explained.").classes("s-muted")
        command = ui.input("Command").props("outlined dense maxlength=1000")
        output = ui.textarea("What the device said").props(f"outlined dense autogrow maxlength={_LONGEST}")
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
                    html.p(complaint or "Nothing is wrong with it, as far as can be seen.")

        ui.button("Explain", icon="troubleshoot", on_click=explain).props("outline").classes("t-fit")
