"""What material was made from: source text with the quote marked, and foreign HTML behind glass."""

import re

from nicegui import html, ui

from studium.service.markup import SANDBOX, framed

_AROUND = 1_500
"""How many characters of the source are shown on each side of a quote."""


def evidence(text: str, quote: str, *, where: str = "") -> ui.element:
    """The source around a quote, with the quote marked; all of it as text, whatever it holds."""
    start, end = _span(text, quote)
    with ui.element("figure").classes("s-evidence") as figure:
        with ui.element("blockquote").props("tabindex=0"):
            html.span(text[max(0, start - _AROUND) : start])
            html.mark(text[start:end])
            html.span(text[end : end + _AROUND])
        if where:
            html.figcaption(where)
    return figure


def _span(text: str, quote: str) -> tuple[int, int]:
    """Where the quote stands, however its lines are broken; nowhere is the very beginning."""
    words = quote.split()
    found = re.search(r"\s+".join(map(re.escape, words)), text) if words else None
    return found.span() if found else (0, 0)


def sandboxed(
    body: str, *, css: str = "", dark: bool = False, title: str = "Preview", height: str = "16rem"
) -> ui.element:
    """HTML that is not ours, in a frame where no script runs, nothing is fetched and no form is sent."""
    made = ui.element("iframe").classes("s-sandbox").style(f"height: {height}")
    made.props["sandbox"] = SANDBOX
    made.props["srcdoc"] = framed(body, css, dark=dark)
    made.props["title"] = title
    return made
