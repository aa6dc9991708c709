r"""Formulas as text: the TeX that comes with them, else MathML on one line.

<msup><mi>x</mi><mn>2</mn></msup>        x²
<mfrac><mi>a</mi><mi>b</mi></mfrac>      a/b
"""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_RAISED = str.maketrans("0123456789+-\u2212n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ")
_RAISABLE = re.compile(r"[+\-\u2212]?[0-9]+(?:[,–-][0-9]+)*|[0-9]*[+\-\u2212]|n")
_TEX_BODY = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)
_DISPLAY_STYLE = re.compile(r"\{\\(?:display|text)style\s*(.*)\}", re.DOTALL)
# Deeper than any formula that is written; beyond it only the signs are read, in order.
_DEEPEST = 40


def raised(text: str) -> str:
    """A superscript as one: 10 to the minus 3 must not become `10-3`, nor a footnote's number part of another.

    What has no raised form (`1st`, `[3]`) stays on the line.
    """
    text = text.strip()
    return text.translate(_RAISED) if _RAISABLE.fullmatch(text) else text


def tex(source: str) -> str:
    """TeX without the document, the dollars and the style around it."""
    body = _TEX_BODY.search(source)
    text = " ".join((body[1] if body else source).split()).strip("$").strip()
    text = text.removeprefix("\\(").removesuffix("\\)").removeprefix("\\[").removesuffix("\\]").strip()
    styled = _DISPLAY_STYLE.fullmatch(text)
    return styled[1].strip() if styled else text


def formula(math: "Element") -> str:
    """A `math` element as text."""
    if said := math.get("alttext"):
        return tex(said)
    for note in math.iter("annotation"):
        if "tex" in (note.get("encoding") or "").lower() and note.text:
            return tex(note.text)
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
    up = raised(text)
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
