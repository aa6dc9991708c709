"""Which HTML is let through: one list of tags, attributes, styles and addresses for pages and for cards."""

import re
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nh3 import Cleaner

AttributeFilter = Callable[[str, str, str], str | None]
"""What stays of an attribute, given its tag, its name and its value; `None` takes it out."""

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
"""Tags that are taken out together with what stands in them; of any other forbidden tag the text stays."""
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
    """A cleaner that lets through what every text may hold and what is added here.

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
    """Whether elements are nested as in no real text; a parser takes quadratic time for them."""
    depths = accumulate(-1 if tag[1] else 1 for tag in _OPENED_OR_CLOSED.finditer(html))
    return max(depths, default=0) > DEEPEST
