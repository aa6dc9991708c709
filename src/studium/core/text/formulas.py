r"""Formulas: what a card writes as TeX is drawn as Anki draws it, with no script.

`\(\frac{a}{b}\)` becomes MathML; TeX that cannot be read stays as it is written, as it does in Anki.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html import escape, unescape
from pathlib import Path
from subprocess import PIPE
from typing import NamedTuple

from studium.core.text.html import split_html

_READER = Path(__file__).with_name("tex.py")
_SECONDS = 3
_REMEMBERED = 500
_LONGEST = 4_000
_MOST_STEPS = 600
"""Commands and groups can be nested, and each level takes about 1.6 KB of the stack."""
_DEEPEST = 60
"""A browser lays out every level of a formula several times."""

_STEP = re.compile(r"\\[A-Za-z]+|\{")
# A command that expands to others could grow without limit.
_DEFINITION = re.compile(r"\\[A-Za-z]*(?:[cC]ommand|def|let)(?![A-Za-z])")
_SPELLINGS = (
    # Anki numbers no equations.
    (re.compile(r"\\(begin|end)\{(align|equation|gather|multline)\}"), r"\\\1{\2*}"),
    (re.compile(r"\\(begin|end)\{split\}"), r"\\\1{aligned}"),
    (re.compile(r"\\(left|middle|big[lr]?|Big[lr]?|bigg[lr]?|Bigg[lr]?)\s*<"), r"\\\1\\langle "),
    (re.compile(r"\\(right|middle|big[lr]?|Big[lr]?|bigg[lr]?|Bigg[lr]?)\s*>"), r"\\\1\\rangle "),
    (re.compile(r"\\[mh]box(?![A-Za-z])"), r"\\text"),
    (re.compile("\xa0"), " "),
)

_TOKEN = re.compile(
    r"""<(?P<name>[a-z]+)(?P<attributes>(?:\ [a-z]+="[^"<>]*")*)(?P<empty>/?)>
      | </(?P<closed>[a-z]+)>
      | (?P<text>[^<>]+)
    """,
    re.VERBOSE,
)
_ATTRIBUTE = re.compile(r' ([a-z]+)="([^"]*)"')
_VALUE = re.compile(r"[\w.%+-]*")
_COLOUR = re.compile(r"color: ?(#[0-9A-Fa-f]{6})")
_ELEMENTS = {
    "math", "menclose", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded", "mphantom", "mprescripts",
    "mroot", "mrow", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup", "mtable", "mtd", "mtext", "mtr", "munder",
    "munderover", "b", "code", "em", "i", "s", "span", "u",
}  # fmt: skip
_ATTRIBUTES = {
    "accent", "accentunder", "depth", "display", "displaystyle", "form", "height", "linethickness", "lspace",
    "mathvariant", "maxsize", "minsize", "movablelimits", "notation", "rspace", "scriptlevel", "stretchy", "symmetric",
    "voffset", "width",
}  # fmt: skip
_BAR = ['<mo stretchy="true">', "\N{COMBINING LOW LINE}", "</mo>"]
_SIDES = {"</mover>": "top", "</munder>": "bottom"}
_CLASSES = {
    "text-align: left": "tex-left",
    "text-align: right": "tex-right",
    "padding-left: 0": "tex-no-left",
    "padding-right: 0": "tex-no-right",
    "padding-left:1em": "tex-apart",
    "border-top: 0.05em solid currentcolor": "tex-line-top",
    "border-left: 0.05em solid currentcolor": "tex-line-left",
    "border-right: 0.05em solid currentcolor": "tex-line-right",
    "border-top: 0.05em dashed currentcolor": "tex-line-top",
    "border-left: 0.05em dashed currentcolor": "tex-line-left",
    "border-right: 0.05em dashed currentcolor": "tex-line-right",
    "margin-left:-0.16666667em": "tex-back",
    "width: 100%": "tex-wide",
    "width: 50%": "tex-margin",
}
"""The styles that the library writes, with their classes in `formulas.css`; other styles are dropped."""


TexFormula = tuple[str, bool]
"""A formula, and whether it is displayed as a block."""
_read: dict[TexFormula, str | None] = {}
_late: set[TexFormula] = set()
"""Formulas that timed out once, perhaps because the machine was busy; after a second time-out they are skipped."""


def mathml(formulas: Sequence[TexFormula]) -> list[str | None]:
    """Formulas as MathML; `None` for one that cannot be read."""
    unread = [each for each in dict.fromkeys(formulas) if each not in _read]
    _remember((each, None) for each in unread if not _is_sane(each[0]))
    asked = [each for each in unread if _is_sane(each[0])]
    said = _said([(_respelled(tex), is_display) for tex, is_display in asked]) if asked else []
    _remember((each, _rebuilt(one) if one else None) for each, one in zip(asked, said, strict=False))
    if late := asked[len(said) : len(said) + 1]:
        _remember((each, None) for each in late if each in _late)
        _late.symmetric_difference_update(late)
    return [_read.get(each) for each in formulas]


def _remember(made: Iterable[tuple[TexFormula, str | None]]) -> None:
    _read.update(made)
    for old in list(_read)[:-_REMEMBERED]:
        _read.pop(old, None)
        _late.discard(old)


def _is_sane(tex: str) -> bool:
    return len(tex) <= _LONGEST and len(_STEP.findall(tex)) <= _MOST_STEPS and not _DEFINITION.search(tex)


def _respelled(tex: str) -> str:
    for theirs, ours in _SPELLINGS:
        tex = theirs.sub(ours, tex)
    return tex


def _said(formulas: list[TexFormula]) -> list[str | None]:
    """The library's output for the formulas, as far as it got before the time-out."""
    command = [sys.executable, "-I", str(_READER)]
    asked = json.dumps(formulas).encode()
    try:
        output = subprocess.run(command, input=asked, stdout=PIPE, timeout=_SECONDS, check=False).stdout  # noqa: S603 - our own program
    except subprocess.TimeoutExpired as late:
        output = late.stdout or b""
    return [json.loads(line) for line in output.splitlines(keepends=True) if line.endswith(b"\n")]


def _rebuilt(said: str) -> str | None:
    """The same MathML, rebuilt from known elements and attributes; `None` if it contains anything else."""
    made: list[str] = []
    opened: list[str] = []
    at = 0
    while token := _TOKEN.match(said, at):
        at = token.end()
        name, closed = token["name"], token["closed"]
        if token["text"]:
            made.append(escape(unescape(token["text"])))
        elif closed:
            if not opened or opened.pop() != closed:
                return None
            made.append(f"</{closed}>")
        elif name not in _ELEMENTS or len(opened) >= _DEEPEST:
            return None
        else:
            made.append(f"<{name}{_attributes(token['attributes'])}>")
            if token["empty"]:
                made.append(f"</{name}>")
            else:
                opened.append(name)
    return "".join(_with_bars(made)) if at == len(said) and not opened else None


def _with_bars(made: list[str]) -> list[str]:
    """The same tags and texts, with bars as wide as the content above or below them.

    A browser stretches a bar only in a font for formulas, and a short bar over a product says something else.
    """
    opened: list[int] = []
    for at, each in enumerate(made):
        if each.startswith("</"):
            begun = opened.pop()
            side = _SIDES.get(each)
            if side and made[at - 3 : at] == _BAR:
                made[begun], made[at] = f'<menclose notation="{side}">', "</menclose>"
                made[at - 3 : at] = ["", "", ""]
        elif each.startswith("<"):
            opened.append(at)
    return made


def _attributes(said: str) -> str:
    kept: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(said):
        if name == "style":
            kept |= _styled(value)
        elif name in _ATTRIBUTES and _VALUE.fullmatch(value):
            kept[name] = value
    return "".join(f' {name}="{value}"' for name, value in kept.items())


def _styled(style: str) -> dict[str, str]:
    """A style as one of our classes, and as MathML's own attribute for colours."""
    told = [each.strip() for each in style.split(";")]
    classes = " ".join(_CLASSES[each] for each in told if each in _CLASSES)
    colour = next((found[1] for each in told if (found := _COLOUR.fullmatch(each))), "")
    return ({"class": classes} if classes else {}) | ({"mathcolor": colour} if colour else {})


_MOST = 20_000
"""The most characters that all formulas on one side of a card may have."""

# As they are spelled in safe HTML. Anki's MathJax continues across a line break, but not across other elements.
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


def render_formulas(safe: str) -> str:
    """Safe HTML with its formulas as MathML; formulas in code stay code."""
    if "\\" not in safe and "[$" not in safe:
        return safe
    parts = list(_parts(safe))
    drawn = iter(mathml([(part.tex, part.is_display) for part in parts if isinstance(part, _Formula)]))
    return "".join(part if isinstance(part, str) else next(drawn) or part.written for part in parts)


@cache
def formula_style() -> str:
    """The style sheet of a page with formulas."""
    return Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


def strip_tags_in_formulas(html: str) -> str:
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
    if not found:  # `[latex]` contains more than formulas
        return written
    return _Formula(written, unescape(_BREAK.sub("\n", found[2])), found[1] in _DISPLAY)
