"""Escapes what Anki would read as a command in a field and the author did not mean as one.

Anki reads the raw HTML of a field: `{{c1::`, `::` and `}}` also inside tags, code and formulas; `[sound:…]`, which
passes a name to a media player; `[latex]` and `[anki:…]`. Its MathJax reads macros that make links.
"""

import re
from html import escape

_TAG_WITH_CLOZE_MARK = re.compile(r"<(?=[^<>]*+>)[^<>]*?(?:\{\{|\}\}|::)[^<>]*>")
_CLOZE_MARK = re.compile(r"\{(?=\{)|\}(?=\})|:(?=:)")
_CLOZE_MARK_IN_CODE = re.compile(r"\{\{c\d+::|\}\}|::")
_CLOZE_MARK_IN_MATHS = re.compile(r"\\.|\{\{c\d+::|\{|\}|::", re.DOTALL)

_COMMAND = re.compile(r"\[(?=sound:|/?latex\]|/?\${1,2}\]|/?anki:)", re.IGNORECASE)
# A name in Anki's own media folder that no player can take for an option or a path.
_PLAIN_SOUND = re.compile(r"\[sound:\w[\w .()-]*\.\w{2,4}\]")
_TAG = re.compile(r"<[^<>]*>")

_MACRO = r"\\(?=(?:class|cssId|data|href|html|mmlToken|require|style|unicode|url)(?![A-Za-z]))"
_MACROS = re.compile(_MACRO)
_TEX = re.compile(rf'<code[^>]*>[^<]*</code>|<span data-math-style="\w+">(?P<maths>[^<]*)</span>|\\(?=[(\[])|{_MACRO}')

_GAP = "<!-- -->"


def escape_text(text: str) -> str:
    """Escape plain text: no markup, no formulas, no commands such as `[sound:…]`."""
    return escape_macros(escape(text)).replace("[", "&#91;").replace("\n", "<br>")


def escape_commands(html: str) -> str:
    """Escape the commands to Anki in HTML, except sounds of plain files."""
    if "[" not in html or not _COMMAND.search(html):
        return html
    html = _TAG.sub(lambda tag: _COMMAND.sub("&#91;", tag[0]), html)
    return _COMMAND.sub(lambda found: "[" if _PLAIN_SOUND.match(found.string, found.start()) else "&#91;", html)


def escape_macros(html: str) -> str:
    r"""Escape formulas that were not written as such, and links and styles in formulas.

    An open brace can stretch a formula over the text after it, so `\href` is escaped there too; MathJax ignores code.
    """
    return _TEX.sub(_escape_macro, html) if "\\" in html else html


def escape_cloze_marks_in_tags(html: str) -> str:
    """Escape what would begin, split or end a cloze inside of tags."""
    return _TAG_WITH_CLOZE_MARK.sub(lambda tag: _CLOZE_MARK.sub(lambda mark: f"&#{ord(mark[0])};", tag[0]), html)


def escape_code_in_cloze(code: str) -> str:
    """Escape `}}` and `::` in code so that they do not end or split the cloze around it; clozes in code stay."""
    depth = 0

    def mark(found: re.Match[str]) -> str:
        nonlocal depth
        if found[0].startswith("{"):
            depth += 1
            return found[0]
        if not depth:
            return found[0][0] + _GAP + found[0][1]
        depth -= found[0] == "}}"
        return found[0]

    return _CLOZE_MARK_IN_CODE.sub(mark, code)


def escape_maths_in_cloze(tex: str) -> str:
    r"""Escape braces in a formula so that only the cloze's `}}` ends it: `{{c1::\frac{a}{\sqrt{b}}}}` gets `} }`."""
    written: list[str] = []
    opened: list[str] = []
    at = 0
    while found := _CLOZE_MARK_IN_MATHS.search(tex, at):
        mark, end = found[0], found.end()
        written.append(tex[at : found.start()])
        inside = bool(opened) and opened[-1] != "{"
        if mark.startswith("{"):
            opened.append(mark)
        elif mark == "::":
            mark = mark if inside else ": :"
        elif mark == "}" and inside and tex.startswith("}}", found.start()):
            opened.pop()
            mark, end = "}}", end + 1
        elif mark == "}":
            del opened[-1:]
            mark = "} " if tex.startswith("}", end) else "}"
        written.append(mark)
        at = end
    # If the braces do not match, it is not known where a cloze ends: the formula stays unchanged.
    return tex if any(mark != "{" for mark in opened) else "".join([*written, tex[at:]])


def _escape_macro(found: re.Match[str]) -> str:
    if found["maths"]:
        return _MACROS.sub(r"\\backslash ", found[0])
    # MathJax does not read a command across an element, and the empty element is invisible.
    return r"\<span></span>" if found[0] == "\\" else found[0]
