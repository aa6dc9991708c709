"""Empty states, errors and short messages."""

from nicegui import html, ui

from studium.core.domain.errors import StudiumError
from studium.core.redaction import redact


def empty_state(title: str, what_to_do: str, *, icon: str = "auto_stories") -> ui.element:
    """Shown where there is nothing yet, with what to do; use it with `with` to add buttons."""
    with ui.element("div").classes("s-empty") as place:
        ui.icon(icon).props("aria-hidden=true")
        html.h2(title)
        html.p(what_to_do)
    return place


def problem_notice(error: StudiumError) -> ui.element:
    """What went wrong and what to do about it, as a part of the page."""
    with ui.element("div").classes("s-problem").props("role=alert") as notice:
        ui.icon("error_outline").props("aria-hidden=true")
        with ui.element("div"):
            html.strong(redact(error.what))
            html.p(redact(error.remedy))
    return notice


def show_error(error: Exception) -> None:
    """Show a handler's error over the page; the details of an unexpected one are in the server log."""
    if isinstance(error, StudiumError):
        what, remedy = redact(error.what), redact(error.remedy)
    else:
        what, remedy = "That did not work.", "Nothing was changed. The server log says why; try again."
    ui.notify(
        what, caption=remedy, type="negative", position="top", multi_line=True, timeout=12_000, close_button="Close"
    )


def show_message(what: str) -> None:
    """Show for a moment, over the page, what was done."""
    ui.notify(what, type="positive", position="bottom", timeout=3_000)
