"""Markdown of a card's field becomes the HTML that Anki shows; raw HTML of a note never gets through."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import comrak


def to_html(markdown: str) -> str:
    """Render GitHub-flavoured Markdown; HTML in it is left out, links to scripts are emptied."""
    from comrak import render_markdown

    return render_markdown(markdown, extension_options=_extensions()).strip()


@cache
def _extensions() -> "comrak.ExtensionOptions":
    from comrak import ExtensionOptions

    options = ExtensionOptions()
    options.table = options.strikethrough = options.tasklist = options.autolink = True
    return options
