"""The words of an element on one line, as plain text has them: no markup, and no number changed by losing it."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from studium.readers.markup.formulas import formula, raised

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

# An element that is not to be read is given this name.
GONE = "gone"
# Stands for a forced line end until the paragraph is written; no XML can hold it, and HTML's is taken for a space.
BREAK = "\x1e"

# Before and after these a line ends, in HTML and in the JATS elements that are left as they are.
BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "body", "caption", "center", "col", "colgroup", "dd", "details"}
    | {"dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "hr", "legend", "li", "main", "menu", "nav", "ol", "optgroup", "option"}
    | {"p", "pre", "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "ul"}
)

_SPACES = re.compile(r"[ \t\n\r\f\v\x1c\x1d\x1f\x85\u2028\u2029]+")
_SOFT_HYPHEN = "\u00ad"
_WORD = re.compile(r"\w")


def words(element: "Element") -> str:
    """All that an element says, on one line."""
    from lxml import etree

    pieces: list[str] = []
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, node in walk:
        if event == "end":
            pieces += [" " if node.tag in BLOCKS else "", (node.tail or "") if node is not element else ""]
        elif node is not element and (instead := replacement(node)) is not None:
            pieces.append(instead)
            walk.skip_subtree()
        else:
            pieces += [" " if node.tag in BLOCKS else "", typed(node.text)]
    return " ".join(squeezed("".join(pieces)).replace(BREAK, " ").split(" ")).strip()


def replacement(node: "Element") -> str | None:
    """What stands for an element that is not read through: a line end, a formula, a raised number, or nothing."""
    match node.tag:
        case "gone" | "wbr" | "br":
            return BREAK if node.tag == "br" else ""
        case "math":
            return formula(node)
        case "img":
            return typed(node.get("alt"))
        case "sup":
            return "" if _is_reference(node, _refers) else _raised(node)
        case "a" | "xref":
            return "" if _refers(node) and _is_reference(node, lambda child: child.tag == "sup") else None
    return None


def _raised(sup: "Element") -> str | None:
    said = "".join(sup.itertext())
    return up if (up := raised(said)) != said else None


def _is_reference(node: "Element", holds_it: Callable[["Element"], bool]) -> bool:
    """Whether an element is no more than the raised sign of a note or source: `1989³` must not become a number."""
    around = "".join([node.text or "", *(child.tail or "" for child in node)])
    return len(node) > 0 and not _WORD.search(around) and all(holds_it(child) for child in node)


def _refers(node: "Element") -> bool:
    """Whether an element leads to another place in the same document."""
    return node.tag == "xref" or (node.tag == "a" and "#" in node.get("href", ""))


def typed(text: str | None) -> str:
    """Text as the file has it, without the sign that we use ourselves."""
    return (text or "").replace(BREAK, " ")


def squeezed(text: str) -> str:
    """Text with its white space as one space each, and without the places where a word may be parted."""
    return _SPACES.sub(" ", text.replace(_SOFT_HYPHEN, ""))


def as_written(element: "Element") -> str:
    """The text of an element with its spaces and line ends, as code has it."""
    from lxml import etree

    pieces: list[str] = []
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, node in walk:
        if event == "end":
            pieces.append((node.tail or "") if node is not element else "")
        elif node.tag in (GONE, "br"):
            pieces.append("\n" if node.tag == "br" else "")
            walk.skip_subtree()
        else:
            pieces.append(node.text or "")
    return "".join(pieces)
