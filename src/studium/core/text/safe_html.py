"""Markup: what documents, models and Anki's cards hold, made safe to show in a page."""

import re
from functools import cache
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from studium.core.text.formulas import formula_style, render_formulas
from studium.core.text.html_policy import FORM_ATTRIBUTES, build_cleaner, is_deeply_nested

if TYPE_CHECKING:
    from nh3 import Cleaner

MEDIA_URL = "/api/v1/media/"
"""Where the pictures of cards are served; a card names them by their file name alone."""
SANDBOX = "allow-same-origin allow-popups allow-popups-to-escape-sandbox"
"""What a frame with `framed` content may do: load our pictures and open links beside it; never run a script."""

# Those of our own cards; a class of the page's style sheets could lay a text over its buttons.
_CLASS = re.compile(
    r"(?:callout|cloze|language)(?:-[\w+#-]+)?|cm|fn|kw|nu|st|missing|footnotes|task-list-item|text|question|hint|extra"
    r"|word|reading|romaji|pitch|high|fall|meanings?|parts?|line|chip"
)
_PICTURE = re.compile(r"data:image/(?:avif|bmp|gif|jpeg|png|webp);base64,[A-Za-z0-9+/=\s]+")
_LINK = re.compile(r"(?!data:)[a-z]+:", re.IGNORECASE)
_FILE_NAME = re.compile(r"[^/\\:\x00-\x1f]+\.\w{2,5}")
_POLICY = "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def safe_html(html: str) -> str:
    """The HTML with nothing in it that runs, asks, or is fetched from elsewhere; its text stays."""
    return f"<pre>{escape(html)}</pre>" if is_deeply_nested(html) else _cleaner().clean(html)


def sandboxed_document(html: str, css: str = "", *, dark: bool = False) -> str:
    """A document for the `srcdoc` of a frame with `sandbox=SANDBOX`: safe HTML under a style and policy of its own.

    Formulas in it are drawn.
    """
    night = " nightMode night_mode" if dark else ""
    scheme = "dark" if dark else "light"
    body = render_formulas(safe_html(html))
    style = (formula_style() if "<math" in body else "") + css.replace("<", "\\3c ")  # a `</style>` ends nothing
    return (
        f'<!doctype html><html class="{night.strip()}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">'
        f'<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="{scheme}">'
        f'<base target="_blank"><style>{style}</style></head>'
        f'<body class="card{night}">{body}</body></html>'
    )


@cache
def _cleaner() -> "Cleaner":
    return build_cleaner(
        extra_tags={"footer"},
        form_attributes=FORM_ATTRIBUTES | {"class"},
        extra_schemes={"data"},
        extra_emptied_tags={"svg", "math"},
        attribute_filter=_kept,
        link_rel="noopener noreferrer nofollow",
    )


def _kept(_tag: str, name: str, value: str) -> str | None:
    """What stays of an attribute."""
    if name == "class":
        return " ".join(each for each in value.split() if _CLASS.fullmatch(each)) or None
    if name == "src":
        return _source(value.strip())
    if name == "href":
        return value if _LINK.match(value) else None
    return value


def _source(address: str) -> str | None:
    """Where a picture comes from: out of the text itself, or from our own media."""
    if _PICTURE.fullmatch(address):
        return address
    name = unquote(address.removeprefix(MEDIA_URL))
    return MEDIA_URL + quote(name) if _FILE_NAME.fullmatch(name) and not name.startswith(".") else None
