r"""Formulas: what a card writes as TeX is drawn as Anki draws it, with no script.

`\(\frac{a}{b}\)` becomes MathML; TeX that cannot be read stays as it is written, as it does in Anki.
"""

import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from typing import NamedTuple

from studium.core.text.html import split_html
from studium.service.mathml import mathml

_MOST = 20_000
"""So many characters all formulas of one side of a card may have."""

# As safe HTML spells them. Anki's MathJax reads on over a line's end, but over no other element.
_ELEMENT = re.compile(r'(<(?!br\b)/?[a-z](?:[^"<>]|"[^"]*")*+>)')
_VERBATIM = re.compile(r"<(/?)(?:code|pre)\b")
_BREAK = re.compile(r"<br[^<>]*>")
_TAG = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)
_FORMULA = re.compile(r"(\\[(\[]|\[\$\$?\])(.*)(?:\\[)\]]|\[/\$\$?\])", re.DOTALL)
_DISPLAY = ("\\[", "[$$]")


class _Formula(NamedTuple):
    written: str
    tex: str
    is_display: bool


def with_formulas(safe: str) -> str:
    """HTML that was made safe, with MathML for the formulas in its text; those in code stay code."""
    if "\\" not in safe and "[$" not in safe:
        return safe
    parts = list(_parts(safe))
    drawn = iter(mathml([(part.tex, part.is_display) for part in parts if isinstance(part, _Formula)]))
    return "".join(part if isinstance(part, str) else next(drawn) or part.written for part in parts)


@cache
def formula_style() -> str:
    """The style sheet of a page with formulas."""
    return Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


def whole_formulas(html: str) -> str:
    r"""The HTML of a field with no elements inside its formulas; Anki takes out those that a cloze puts there.

    >>> whole_formulas(r'<b>\(x = <span class="cloze">[...]</span>\)</b>')
    '<b>\\(x = [...]\\)</b>'
    """
    parts = split_html(html, clozes=False)
    return "".join(_TAG.sub("", part.text) if part.kind == "span" else part.text for part in parts)


def _parts(safe: str) -> Iterator[str | _Formula]:
    left = _MOST
    verbatim = 0
    for at, part in enumerate(_ELEMENT.split(safe)):
        if at % 2:
            if found := _VERBATIM.match(part):
                verbatim += -1 if found[1] else 1
            yield part
        elif verbatim > 0 or left <= 0:
            yield part
        else:
            for piece in split_html(part, clozes=False):
                is_formula = piece.kind == "span" and len(piece.text) <= left
                left -= len(piece.text) if is_formula else 0
                yield _formula(piece.text) if is_formula else piece.text


def _formula(written: str) -> str | _Formula:
    found = _FORMULA.fullmatch(written)
    if not found:  # `[latex]` holds more than formulas
        return written
    return _Formula(written, unescape(_BREAK.sub("\n", found[2])), found[1] in _DISPLAY)
