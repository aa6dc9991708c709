"""What material was made from: source text with the quote marked, and foreign HTML behind glass."""

from nicegui import html, ui

from studium.domain.locating import locate
from studium.service.markup import SANDBOX, framed

_AROUND = 1_500
"""How many characters of the source are shown on each side of a quote."""


def evidence(text: str, quote: str, *, where: str = "") -> ui.element:
    """The source around a quote, with the quote marked; all of it as text, whatever it holds."""
    start, end = locate(text, quote) or (0, 0)
    with ui.element("figure").classes("s-evidence") as figure:
        with ui.element("blockquote").props("tabindex=0"):
            html.span(text[max(0, start - _AROUND) : start])
            html.mark(text[start:end])
            html.span(text[end : end + _AROUND])
        if where:
            html.figcaption(where)
    return figure


def sandboxed(
    body: str, *, css: str = "", dark: bool = False, title: str = "Preview", height: str = "16rem"
) -> ui.element:
    """HTML that is not ours, in a frame where no script runs, nothing is fetched and no form is sent."""
    made = ui.element("iframe").classes("s-sandbox").style(f"height: {height}")
    made.props["sandbox"] = SANDBOX
    made.props["srcdoc"] = framed(body, css, dark=dark)
    made.props["title"] = title
    return made
