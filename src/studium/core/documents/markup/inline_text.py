r"""Formulas as text: the TeX that comes with them, else MathML on one line.

<msup><mi>x</mi><mn>2</mn></msup>        x²
<mfrac><mi>a</mi><mi>b</mi></mfrac>      a/b
"""

import re
from collections.abc import Callable, Mapping
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


_RAISED = str.maketrans("0123456789+-\u2212n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ")
_RAISABLE = re.compile(r"[+\-\u2212]?[0-9]+(?:[,–-][0-9]+)*|[0-9]*[+\-\u2212]|n")
_TEX_BODY = re.compile(r"\\begin\{document\}((?:(?!\\begin\{document\}).)*?)\\end\{document\}", re.DOTALL)
_DISPLAY_STYLE = re.compile(r"\{\\(?:display|text)style\s*+(.*)\}", re.DOTALL)
# Deeper than any real formula; below it only the characters are read, in order.
_DEEPEST = 40


def to_superscript(text: str) -> str:
    """A superscript as one: 10 to the minus 3 must not become `10-3`, nor a footnote's number part of another.

    What has no raised form (`1st`, `[3]`) stays on the line.
    """
    text = text.strip()
    return text.translate(_RAISED) if _RAISABLE.fullmatch(text) else text


def strip_tex(source: str) -> str:
    """TeX without its document, dollar signs and style."""
    body = _TEX_BODY.search(source)
    text = " ".join((body[1] if body else source).split()).strip("$").strip()
    text = text.removeprefix("\\(").removesuffix("\\)").removeprefix("\\[").removesuffix("\\]").strip()
    styled = _DISPLAY_STYLE.fullmatch(text)
    return styled[1].strip() if styled else text


def formula_text(math: "Element") -> str:
    """A `math` element as text."""
    if said := math.get("alttext"):
        return strip_tex(said)
    for note in math.iter("annotation"):
        if "tex" in (note.get("encoding") or "").lower() and note.text:
            return strip_tex(note.text)
    return _line(math, 0)


def _line(node: "Element", depth: int) -> str:
    """MathML on one line."""
    if depth > _DEEPEST:
        return "".join(text.strip() for text in node.itertext())
    if not len(node):
        return (node.text or "").strip()
    parts = [_line(child, depth + 1) for child in node if child.tag not in ("annotation", "annotation-xml")]
    count, arranged = _ARRANGED.get(str(node.tag), (0, None))
    if arranged and len(parts) == count:
        return arranged(*parts)
    return _BETWEEN.get(str(node.tag), "").join(parts)


def _fraction(over: str, under: str) -> str:
    return f"{_grouped(over)}/{_grouped(under)}"


def _raise(what: str, power: str) -> str:
    return what + _power(power)


def _lower(what: str, index: str) -> str:
    return f"{what}_{_grouped(index)}"


def _lower_and_raise(what: str, index: str, power: str) -> str:
    return _lower(what, index) + _power(power)


def _root(what: str) -> str:
    return f"√{_grouped(what)}"


def _power(text: str) -> str:
    up = to_superscript(text)
    return up if up != text or not text else f"^{_grouped(text)}"


def _grouped(text: str) -> str:
    return text if re.fullmatch(r"[\w.,]*", text) else f"({text})"


_ARRANGED: Mapping[str, tuple[int, Callable[..., str]]] = {
    "mfrac": (2, _fraction),
    "msup": (2, _raise),
    "mover": (2, _raise),
    "msub": (2, _lower),
    "munder": (2, _lower),
    "msubsup": (3, _lower_and_raise),
    "munderover": (3, _lower_and_raise),
    "msqrt": (1, _root),
}
_BETWEEN = {"mtable": "; ", "mtr": ", "}


# The tag of elements to ignore.
IGNORED_TAG = "gone"
# Marks a forced line end until the paragraph is written; XML cannot contain it, and in HTML it becomes a space.
BREAK = "\x1e"

# Block elements of HTML and JATS: a line ends before and after them.
BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "body", "caption", "center", "col", "colgroup", "dd", "details"}
    | {"dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "hr", "legend", "li", "main", "menu", "nav", "ol", "optgroup", "option"}
    | {"p", "pre", "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "ul"}
)

_SPACES = re.compile(r"[ \t\n\r\f\v\x1c\x1d\x1f\x85\u2028\u2029]+")
# A superscript of more parts is not a number.
_RAISED_PARTS = 20
_LONGEST_WORD = 60
_SOFT_HYPHEN = "\u00ad"
_WORD = re.compile(r"\w")


def inline_text(element: "Element") -> str:
    """The text of an element on one line."""
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
            pieces += [" " if node.tag in BLOCKS else "", without_break_marks(node.text)]
    return " ".join(collapse_spaces("".join(pieces)).replace(BREAK, " ").split(" ")).strip()


def replacement(node: "Element") -> str | None:
    """The text for a special element: a line end, a formula, a superscript, or nothing; None for others."""
    match node.tag:
        case "gone" | "wbr" | "br":
            return BREAK if node.tag == "br" else ""
        case "math":
            return formula_text(node)
        case "img":
            return without_break_marks(node.get("alt"))
        case "sup":
            return "" if _is_reference(node, _refers) or _is_footnote_mark(node) else _raised(node)
        case "a" | "xref":
            is_mark = _refers(node) and _is_reference(node, lambda child: child.tag == "sup")
            return "" if is_mark or _is_named_reference(node) else None
    return None


def _raised(sup: "Element") -> str | None:
    said = "".join(islice(sup.itertext(), _RAISED_PARTS))
    return up if (up := to_superscript(said)) != said else None


def _is_reference(node: "Element", holds_it: Callable[["Element"], bool]) -> bool:
    """Whether an element is only the superscript of a note: `1989³` must not become a number."""
    around = "".join([node.text or "", *(child.tail or "" for child in node)])
    return len(node) > 0 and not _WORD.search(around) and all(holds_it(child) for child in node)


def _refers(node: "Element") -> bool:
    """Whether an element links to another place in the document."""
    return node.tag == "xref" or (node.tag == "a" and "#" in node.get("href", ""))


# A mark of a note that is no link: behind a word or a sentence, and not behind a unit or a formula's letter.
_MARK = re.compile(r"\(?\[?(?:\d{1,2}|[*†‡§]{1,3})\]?\)?")
_BEFORE_MARK = re.compile(r"[^\W\d_]{4,}[.,;:!?)\]\"”’]{0,2}$|[^\W\d_]{2}[.,;:!?)\]\"”’]{1,2}$")
_REFERENCE_TYPES = ("role", "epub:type", "{http://www.idpf.org/2007/ops}type")
_NOTE_REFERENCES = frozenset({"footnote-reference", "footnote-ref", "footnoteref", "noteref", "doc-noteref"})


def _is_footnote_mark(sup: "Element") -> bool:
    if not _MARK.fullmatch("".join(islice(sup.itertext(), _RAISED_PARTS)).strip()):
        return False
    before, parent = sup.getprevious(), sup.getparent()
    text = (before.tail if before is not None else parent.text if parent is not None else "") or ""
    return bool(_BEFORE_MARK.search(text[-_LONGEST_WORD:]))


def _is_named_reference(link: "Element") -> bool:
    """Whether a link is marked as a reference to a note."""
    named = [link.get(name) or "" for name in _REFERENCE_TYPES] + (link.get("class") or "").split()
    return not _NOTE_REFERENCES.isdisjoint(named)


def without_break_marks(text: str | None) -> str:
    """Text from the file, without our own line-end mark."""
    return (text or "").replace(BREAK, " ")


def collapse_spaces(text: str) -> str:
    """Text with white space collapsed, and without soft hyphens."""
    return _SPACES.sub(" ", text.replace(_SOFT_HYPHEN, ""))


def verbatim_text(element: "Element") -> str:
    """The text of an element with its white space, as for code."""
    from lxml import etree

    pieces: list[str] = []
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, node in walk:
        if event == "end":
            pieces.append((node.tail or "") if node is not element else "")
        elif node.tag in (IGNORED_TAG, "br"):
            pieces.append("\n" if node.tag == "br" else "")
            walk.skip_subtree()
        else:
            pieces.append(node.text or "")
    return "".join(pieces)
