"""What Anki would read as an instruction in a field, and the author did not mean as one, is shown as text.

Anki reads a field's raw HTML: `{{c1::`, `::` and `}}` also inside tags, code and formulas; `[sound:…]`, which hands a
name to a media player; `[latex]` and `[anki:…]`. MathJax, which it brings along, reads macros that make links.
"""

import re
from html import escape

_TAG_WITH_CLOZE_MARK = re.compile(r"<[^<>]*(?:\{\{|\}\}|::)[^<>]*>")
_CLOZE_MARK = re.compile(r"\{(?=\{)|\}(?=\})|:(?=:)")
_CLOZE_MARK_IN_CODE = re.compile(r"\{\{c\d+::|\}\}|::")
_CLOZE_MARK_IN_MATHS = re.compile(r"\\.|\{\{c\d+::|\{|\}|::", re.DOTALL)

_COMMAND = re.compile(r"\[(?=sound:|/?latex\]|/?\${1,2}\]|/?anki:)", re.IGNORECASE)
# A name that Anki finds in its own media folder, and no player can take for an option or a path.
_PLAIN_SOUND = re.compile(r"\[sound:\w[\w .()-]*\.\w{2,4}\]")
_TAG = re.compile(r"<[^<>]*>")

_MACRO = r"\\(?=(?:class|cssId|data|href|html|mmlToken|require|style|unicode|url)(?![A-Za-z]))"
_MACROS = re.compile(_MACRO)
_TEX = re.compile(rf'<code[^>]*>[^<]*</code>|<span data-math-style="\w+">(?P<maths>[^<]*)</span>|\\(?=[(\[])|{_MACRO}')

_GAP = "<!-- -->"


def escape_text(text: str) -> str:
    """Text as Anki shows it as text: no markup, no formulas, no commands such as `[sound:…]`."""
    return escape_macros(escape(text)).replace("[", "&#91;").replace("\n", "<br>")


def escape_commands(html: str) -> str:
    """The HTML of a field with no commands to Anki in it but the sounds of plain files."""
    if "[" not in html or not _COMMAND.search(html):
        return html
    html = _TAG.sub(lambda tag: _COMMAND.sub("&#91;", tag[0]), html)
    return _COMMAND.sub(lambda found: "[" if _PLAIN_SOUND.match(found.string, found.start()) else "&#91;", html)


def escape_macros(html: str) -> str:
    r"""The HTML with no formulas but those written as such, and no links or styles in them.

    An open brace can stretch a formula over the text behind it, so `\href` counts there too; code MathJax leaves alone.
    """
    return _TEX.sub(_escape_macro, html) if "\\" in html else html


def escape_cloze_marks_in_tags(html: str) -> str:
    """The HTML of a field with clozes, in which no tag holds what would begin, split or end one."""
    return _TAG_WITH_CLOZE_MARK.sub(lambda tag: _CLOZE_MARK.sub(lambda mark: f"&#{ord(mark[0])};", tag[0]), html)


def escape_code_in_cloze(code: str) -> str:
    """Code whose own `}}` and `::` do not end or split the cloze around it; clozes within the code stay clozes."""
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
    r"""A formula in which only a cloze's own `}}` ends it: `{{c1::\frac{a}{\sqrt{b}}}}` has `} }` for its braces."""
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
    # Braces that do not match say nothing about where a cloze ends: the formula stays as it was written.
    return tex if any(mark != "{" for mark in opened) else "".join([*written, tex[at:]])


def _escape_macro(found: re.Match[str]) -> str:
    if found["maths"]:
        return _MACROS.sub(r"\\backslash ", found[0])
    # MathJax reads no command across an element's border, and nobody sees it.
    return r"\<span></span>" if found[0] == "\\" else found[0]
