"""Hides what cannot start a card: code, formulas, comments and URLs become NULs of the same length."""

import re
from collections.abc import Sequence

MASK = "\0"

# Both patterns check one character first: most lines have none of these characters and are skipped quickly.
_SPECIAL = re.compile(r"[`~$%\\<:\]](?:(?<=[`~$%\\])|(?<=<)!--|(?<=:)//|(?<=\])\()")
_FENCE = re.compile(r"[ \t]*((?:>[ \t]*)*)(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})([^`]*)")
# Every repetition is bounded, so that no line is slow.
_INLINE = re.compile(
    r"(?=[\\`<%$\]h])(?:\\."
    r"|(?<!`)(?P<ticks>`+)(?!`).{0,2000}?(?<!`)(?P=ticks)(?!`)"
    r"|<!--.{0,2000}?-->"
    r"|%%.{0,2000}?%%"
    r"|\$\$.{1,2000}?\$\$"
    r"|\$(?=[^\s$])[^$]*(?<=\S)\$(?!\d)"
    r"|\]\([^)]{0,2000}\)"
    r"|https?://[^\s<>)\]]+)"
)
_REGIONS = (("<!--", "-->"), ("%%", "%%"), ("$$", "$$"))
_INDENTED = re.compile(r"(?: {4}|\t)[ \t]*(?![-*+>\d\s])")
_BLANKS = frozenset(["", " ", "\t"])
_BULLETS = frozenset("-*+0123456789")


class Masker:
    """Goes through the lines of a note once and tracks the code block, formula or comment it is in."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.fence_line: int | None = None
        self._closing = ""
        self._quoted = False
        self._after_blank = True
        self._indented = False
        self._in_list = False
        self._last: dict[str, int] = {}

    def masked(self, start: int) -> list[str]:
        """The lines from `start` with hidden parts; a fully hidden line does not count as blank."""
        shown = []
        for index in range(start, len(self.lines)):
            line = self.lines[index]
            if self._closing or line[:1] in _BLANKS:
                line = self._line(index, line)
            else:
                self._in_list = line[0] in _BULLETS
                self._after_blank = self._indented = False
                line = self._special(index, line) if _SPECIAL.search(line) else line
            shown.append(line)
        if self._closing[:1] not in ("`", "~"):
            self.fence_line = None
        return shown

    def _line(self, index: int, line: str) -> str:
        if self._closing:
            return self._inside(index, line)
        if not line or line.isspace():
            self._after_blank = True
            return line
        if self._is_indented_code(line):
            return _hide(line)
        self._after_blank = False
        return self._special(index, line) if _SPECIAL.search(line) else line

    def _is_indented_code(self, line: str) -> bool:
        may_begin = self._indented or (self._after_blank and not self._in_list)
        self._indented = may_begin and _INDENTED.match(line) is not None
        return self._indented

    def _inside(self, index: int, line: str) -> str:
        if self._closing[0] in "`~":
            return self._in_fence(index, line)
        end = line.find(self._closing)
        if end < 0:
            return _hide(line)
        end += len(self._closing)
        self._closing = ""
        return _hide(line[:end]) + self._special(index, line[end:])

    def _in_fence(self, index: int, line: str) -> str:
        text = line.strip()
        if self._quoted:
            if not text.startswith(">"):  # the quote ends, and the code block with it
                self._closing = ""
                return self._line(index, line)
            text = text.lstrip("> \t")
        if text.startswith(self._closing) and not text.strip(self._closing[0]):
            self._closing = ""
        return _hide(line)

    def _special(self, index: int, line: str) -> str:
        if fence := _FENCE.fullmatch(line):
            self._quoted, self._closing, self.fence_line = bool(fence[1]), fence[2], index
            return _hide(line)
        shown = _INLINE.sub(_hide_match, line)
        for opening, closing in _REGIONS:
            at = shown.find(opening)
            if at >= 0 and self._closes_after(index, closing):
                self._closing = closing
                return shown[:at] + _hide(shown[at:])
        return shown

    def _closes_after(self, index: int, closing: str) -> bool:
        if closing not in self._last:
            found = (at for at in range(len(self.lines) - 1, -1, -1) if closing in self.lines[at])
            self._last[closing] = next(found, -1)
        return self._last[closing] > index


def masked_lines(lines: Sequence[str]) -> list[str]:
    """The lines with everything hidden that cannot start a card."""
    return Masker(lines).masked(0)


def _hide(text: str) -> str:
    return MASK * max(len(text), 1)


def _hide_match(match: re.Match[str]) -> str:
    found = match[0]
    return found if found[0] == "\\" else MASK * len(found)
