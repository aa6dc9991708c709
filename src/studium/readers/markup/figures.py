"""Figures and images: what they are said to show, and the file that shows it."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Literal

from studium.readers.markup.words import squeezed, words

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_FORMULA_CLASS = re.compile(r"math|tex|formula|equation", re.IGNORECASE)
_ICON_SIZE = 32


@dataclass(frozen=True)
class Figure:
    """A figure as its page has it; `name` is its caption, or what its image is called where it has none."""

    kind: Literal["figure", "table"]
    caption: str
    name: str
    source: str
    is_shown: bool


def figure_in(node: "Element") -> Figure:
    """What a `figure` element shows; one that holds only text, or only other figures, shows nothing itself."""
    caption = next((words(each) for each in node.iter("figcaption") if figure_around(each) is node), "")
    images = [image for image in node.iter("img") if figure_around(image) is node]
    is_table = node.get("role") == "table" or next(node.iter("table"), None) is not None
    is_text = next(node.iterdescendants("pre", "blockquote", "figure"), None) is not None
    return Figure(
        kind="table" if is_table else "figure",
        caption=caption,
        name=caption or next((name for image in images if (name := image_name(image))), ""),
        source=images[0].get("src", "") if images else "",
        is_shown=is_table or bool(images) or (bool(caption) and not is_text),
    )


def figure_around(node: "Element") -> "Element | None":
    """The figure that an element belongs to."""
    return next(node.iterancestors("figure"), None)


def image_name(image: "Element") -> str:
    """What an image is said to show, else what its file is called."""
    said = squeezed(image.get("alt") or image.get("title") or "").strip()
    source = image.get("src") or ""
    return said or ("" if source.startswith("data:") else PurePosixPath(source.partition("?")[0]).name)


def is_formula(image: "Element") -> bool:
    """Whether an image stands for a formula, which its text says."""
    return bool(_FORMULA_CLASS.search(image.get("class", "")))


def is_icon(image: "Element") -> bool:
    """Whether an image is too small to show anything, or only decorates."""
    sizes = [whole_number(image.get(side), _ICON_SIZE + 1) for side in ("width", "height")]
    return min(sizes) <= _ICON_SIZE or image.get("role") in ("presentation", "none")


def whole_number(text: str | None, default: int) -> int:
    """An attribute's number, if it is one of a sensible size."""
    found = re.fullmatch(r"\s*(\d{1,8})\s*", text or "")
    return int(found[1]) if found else default
