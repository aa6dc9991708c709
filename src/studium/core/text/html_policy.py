"""Which HTML is allowed: one list of tags, attributes, styles and addresses for pages and for cards."""

import re
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from html import escape
from itertools import accumulate
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from studium.core.text.formulas import formula_style, render_formulas

if TYPE_CHECKING:
    from nh3 import Cleaner


AttributeFilter = Callable[[str, str, str], str | None]
"""The allowed value of an attribute, given its tag, name and value; `None` removes it."""

TAGS = frozenset({
    "a", "abbr", "b", "bdi", "bdo", "blockquote", "br", "caption", "center", "cite", "code", "col", "colgroup",
    "dd", "del", "details", "dfn", "div", "dl", "dt", "em", "figcaption", "figure", "font", "h1", "h2", "h3",
    "h4", "h5", "h6", "hr", "i", "img", "ins", "kbd", "li", "mark", "ol", "p", "pre", "q", "rp", "rt", "ruby",
    "s", "samp", "section", "small", "span", "strike", "strong", "sub", "summary", "sup", "table", "tbody", "td",
    "tfoot", "th", "thead", "tr", "tt", "u", "ul", "var",
})  # fmt: skip
STYLES = frozenset(
    {"background-color", "color", "font-style", "font-weight", "text-align", "text-decoration", "vertical-align"}
)
SCHEMES = frozenset({"http", "https", "mailto", "obsidian", "tel", "zotero"})
EMPTIED_TAGS = frozenset({"script", "style", "iframe", "object", "noscript", "template", "textarea", "title"})
"""Tags that are removed with their content; of any other forbidden tag the text stays."""
FORM_ATTRIBUTES = frozenset({"dir", "lang", "style"})
DEEPEST = 500

_UNFORMED_TAGS = frozenset({"font", "img"})
_CELL = frozenset({"align", "colspan", "rowspan"})
_TAG_ATTRIBUTES: Mapping[str, frozenset[str]] = {
    "a": frozenset({"href"}),
    "details": frozenset({"open"}),
    "font": frozenset({"color"}),
    "img": frozenset({"src", "alt", "width", "height"}),
    "ol": frozenset({"start"}),
    "td": _CELL,
    "th": _CELL,
}
# Paragraphs, list items and cells are often left open, and the next one closes them.
_OPENED_OR_CLOSED = re.compile(r"<(/?)(?!br|hr|img|col|(?:p|li|td|th|tr|dd|dt|rt|rp)\b)[a-z]", re.IGNORECASE)


def build_cleaner(  # noqa: PLR0913 - every parameter is one way in which a page and a card differ
    *,
    extra_tags: AbstractSet[str] = frozenset(),
    extra_attributes: Mapping[str, AbstractSet[str]] | None = None,
    form_attributes: AbstractSet[str] = FORM_ATTRIBUTES,
    unformed_tags: AbstractSet[str] = frozenset(),
    classes: Mapping[str, AbstractSet[str]] | None = None,
    extra_schemes: AbstractSet[str] = frozenset(),
    extra_emptied_tags: AbstractSet[str] = frozenset(),
    attribute_filter: AttributeFilter | None = None,
    link_rel: str | None = None,
) -> "Cleaner":
    """A cleaner that allows what every text may contain, and what is added here.

    Every tag but the `unformed_tags` may have the `form_attributes`; `classes` are the only classes a tag may have,
    where `class` is none of its attributes.
    """
    from nh3 import Cleaner

    tags = TAGS | extra_tags
    unformed = _UNFORMED_TAGS | unformed_tags
    added = extra_attributes or {}
    attributes = {
        tag: {*(() if tag in unformed else form_attributes), *_TAG_ATTRIBUTES.get(tag, ()), *added.get(tag, ())}
        for tag in tags
    }
    return Cleaner(
        tags=set(tags),
        attributes=attributes,
        allowed_classes={tag: set(allowed) for tag, allowed in (classes or {}).items()},
        attribute_filter=attribute_filter,
        filter_style_properties=set(STYLES),
        url_schemes=set(SCHEMES | extra_schemes),
        clean_content_tags=set(EMPTIED_TAGS | extra_emptied_tags),
        link_rel=link_rel,
    )


def is_deeply_nested(html: str) -> bool:
    """Whether elements are nested deeper than in real texts; a parser takes quadratic time for them."""
    depths = accumulate(-1 if tag[1] else 1 for tag in _OPENED_OR_CLOSED.finditer(html))
    return max(depths, default=0) > DEEPEST


MEDIA_URL = "/api/v1/media/"
"""The path where pictures of cards are served; a card has only their file names."""
SANDBOX = "allow-same-origin allow-popups allow-popups-to-escape-sandbox"
"""What a frame with `framed` content may do: load our pictures and open links in a new tab; never run a script."""

# Only those of our own cards; a class of the page's style sheets could cover its buttons with text.
_CLASS = re.compile(
    r"(?:callout|cloze|language)(?:-[\w+#-]+)?|cm|fn|kw|nu|st|missing|footnotes|task-list-item|text|question|hint|extra"
    r"|word|reading|romaji|pitch|high|fall|meanings?|parts?|line|chip"
)
_PICTURE = re.compile(r"data:image/(?:avif|bmp|gif|jpeg|png|webp);base64,[A-Za-z0-9+/=\s]+")
_LINK = re.compile(r"(?!data:)[a-z]+:", re.IGNORECASE)
_FILE_NAME = re.compile(r"[^/\\:\x00-\x1f]+\.\w{2,5}")
_POLICY = "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def safe_html(html: str) -> str:
    """The HTML without scripts, forms and anything loaded from elsewhere; its text stays."""
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
    """The allowed value of an attribute."""
    if name == "class":
        return " ".join(each for each in value.split() if _CLASS.fullmatch(each)) or None
    if name == "src":
        return _source(value.strip())
    if name == "href":
        return value if _LINK.match(value) else None
    return value


def _source(address: str) -> str | None:
    """The source of a picture: embedded in the text, or from our own media."""
    if _PICTURE.fullmatch(address):
        return address
    name = unquote(address.removeprefix(MEDIA_URL))
    return MEDIA_URL + quote(name) if _FILE_NAME.fullmatch(name) and not name.startswith(".") else None
