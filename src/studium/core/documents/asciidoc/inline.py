"""The text of AsciiDoc lines without their markup: formatting, links, references, attributes and footnotes.

`*bold*`, link:guide.html[the guide], <<setup,Setup>> and linkgit:git-add[1]
bold, the guide, Setup and git-add(1)
"""

import re
from collections.abc import Mapping
from itertools import pairwise

_ATTRIBUTE = re.compile(r"\\?\{([A-Za-z0-9][\w-]{0,60})\}")
_LONGEST_VALUE = 500
_LONGEST_LINE = 20_000
BUILT_IN = {
    "nbsp": "\xa0",
    "zwsp": "",
    "wj": "",
    "amp": "&",
    "lt": "<",
    "gt": ">",
    "startsb": "[",
    "endsb": "]",
    "vbar": "|",
    "plus": "+",
    "asterisk": "*",
    "tilde": "~",
    "caret": "^",
    "backtick": "`",
    "backslash": "\\",
    "apos": "'",
    "quot": '"',
    "ldquo": "“",
    "rdquo": "”",
    "lsquo": "‘",
    "rsquo": "’",
    "deg": "°",
    "empty": "",
    "sp": " ",
    "blank": "",
    "two-colons": "::",
    "two-semicolons": ";;",
    "cpp": "C++",
    "pp": "++",
}
# Every part has a limit, so that a line full of half-written macros is not slow.
_TEXT = r"\[([^\[\]\n]{0,300})\]"
_FOOTNOTE = re.compile(r"footnote(?:ref)?:[\w-]{0,60}\[[^\[\]\n]{0,1000}\]")
_ANCHOR = re.compile(
    r"\[\[\[?[^\[\]\n]{1,120}\]\]\]?|anchor:[\w-]{1,60}\[[^\[\]\n]{0,200}\]|\(\(\(?[^()\n]{1,200}\)\)\)?"
)
_XREF = re.compile(r"<<([^<>,\n]{1,120})(?:,[ \t]?([^<>\n]{1,300}))?>>")
_URL = re.compile(
    rf"((?:https?|ftp|irc|mailto)://?[^\s\[\]<>]{{1,500}}){_TEXT}|\b(?:link|mailto|xref):([^\s\[\]]{{1,500}}){_TEXT}"
)
_KEYS = re.compile(rf"\b(?:kbd|btn|pass[:\w,]{{0,20}}|stem|latexmath|asciimath|indexterm2?):{_TEXT}")
_MENU = re.compile(rf"\bmenu:([^\s\[\]]{{1,60}}){_TEXT}")
_IMAGE = re.compile(rf"\b(?:image|icon):[^\s\[\]:][^\s\[\]]{{0,500}}{_TEXT}")
_MACRO = re.compile(r"\b[a-z]{2,20}:([\w.+/-]{1,100})\[(\d?[a-z]{0,3})\]")
_PASS = re.compile(r"\+\+\+?([^+\n]{1,500})\+\+\+?|\$\$([^$\n]{1,500})\$\$")
_UNCONSTRAINED = re.compile(r"(\*\*|__|``|##)([^\n*_`#]{1,500})\1")
_CURLY = (
    (re.compile(r"\"`([^`\"\n]{1,500})`\""), r"“\1”"),
    (re.compile(r"'`([^`'\n]{1,500})`'"), r"‘\1’"),
    (re.compile(r"``([^`'\n]{1,500})''"), r"“\1”"),
)
_ROLE = re.compile(r"\[[.\w#%-]{1,60}\](?=[#*_`])")
_CODE = re.compile(r"(?<![\w`])(`)(?=[^\s`])([^`\n]{1,500})(?<=\S)`(?![\w`])")
_CONSTRAINED = re.compile(r"(?<![\w*_+#])([*_+#])(?=\S)([^\n*_+#]{1,500})(?<=\S)\1(?![\w*_+#])")
_SPACES = re.compile(r"[ \t]{2,}")
_RAISED = re.compile(r"(?<=\w)([\^~])([^\s^~]{1,40})\1")
_SIGNS = (
    (re.compile(r"(?<=\w)--(?=\w)|(?<=\s)--(?=\s)"), "—"),
    (re.compile(r"\(C\)"), "©"),
    (re.compile(r"\(R\)"), "®"),
    (re.compile(r"\(TM\)"), "™"),
    (re.compile(r"(?<=[^.])\.\.\.(?!\.)"), "…"),
)


def plain_text(line: str, attributes: Mapping[str, str]) -> str:
    """The text of a line or paragraph without markup."""
    text = _with_attributes(line, attributes)
    for pattern in (_FOOTNOTE, _ANCHOR, _ROLE):
        text = pattern.sub("", text)
    text = _XREF.sub(lambda found: found[2] or found[1].lstrip("#").replace("_", " ").strip(), text)
    text = _URL.sub(_link_text, text)
    text = _MENU.sub(lambda found: f"{found[1]} > {found[2]}", text)
    for pattern in (_KEYS, _IMAGE):
        text = pattern.sub(lambda found: _label(found[1]), text)
    text = _MACRO.sub(lambda found: f"{found[1]}({found[2]})" if found[2] else found[1], text)
    text = _PASS.sub(lambda found: found[1] or found[2], text)
    for pattern, kept in _CURLY:
        text = pattern.sub(kept, text)
    for pattern in (_UNCONSTRAINED, _CONSTRAINED, _CODE, _CONSTRAINED):  # twice: one may be within another
        text = pattern.sub(r"\2", text)
    text = _RAISED.sub(r"\2", text)
    for pattern, sign in _SIGNS:
        text = pattern.sub(sign, text)
    return _SPACES.sub(" ", text).strip()


def _with_attributes(text: str, attributes: Mapping[str, str]) -> str:
    """The text with the values of attributes; their own attributes are not looked up, so that nothing grows."""
    if "{" not in text:
        return text
    found = list(_ATTRIBUTE.finditer(text))
    edges = [0, *(edge for match in found for edge in match.span()), len(text)]
    parts = [text[begin:end] for begin, end in pairwise(edges)]
    for place, match in enumerate(found):
        name = match[1].lower()
        if not match[0].startswith("\\"):
            parts[2 * place + 1] = attributes.get(name, BUILT_IN.get(name, match[0]))[:_LONGEST_VALUE]
    return "".join(parts)[: max(_LONGEST_LINE, len(text))]


def _link_text(found: re.Match[str]) -> str:
    target, label = (found[1], found[2]) if found[1] else (found[3], found[4])
    return _label(label) or target.removeprefix("#")


def _label(text: str) -> str:
    """The first value in the brackets of a macro: `the guide,window=_blank`."""
    if "=" not in text:
        return text.strip().rstrip("^").strip('"')
    first = text.split(",", 1)[0]
    return "" if "=" in first else first.strip().strip('"')
