"""A note as it lies in the vault, whoever wrote it: cut into frontmatter and sections, and put together again."""

import re
from dataclasses import dataclass

_HEADING = re.compile(r" {0,3}#{1,2}(?=[ \t]|$)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


@dataclass(eq=False)
class Part:
    """A heading of the first or second level with all below it; what stands before the first has no heading."""

    heading: str | None
    lines: list[str]

    @property
    def written(self) -> list[str]:
        """Its lines, with the heading."""
        return self.lines if self.heading is None else [self.heading, *self.lines]


@dataclass
class Page:
    """The lines of a note's frontmatter, without its fences, and its parts; `header` is `None` where it has none."""

    header: list[str] | None
    parts: list[Part]
    newline: str = "\n"
    mark: str = ""
    closing: str = "---"

    @property
    def text(self) -> str:
        """The file, with the newlines and the byte order mark that it had."""
        top = [] if self.header is None else ["---", *self.header, self.closing]
        lines = [*top, *(line for part in self.parts for line in part.written)]
        return self.mark + self.newline.join(lines)


def read_page(text: str) -> Page:
    """Cut a note into its parts."""
    mark, text = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
    newline = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    lines = text.replace("\r\n", "\n").split("\n")
    end = _header_end(lines)
    header = lines[1:end] if end else None
    closing = lines[end].rstrip() if end else "---"
    return Page(header, _parts(lines[end + 1 if end else 0 :]), newline, mark, closing)


def _header_end(lines: list[str]) -> int:
    if lines[0].rstrip() != "---":
        return 0
    return next((at for at, line in enumerate(lines) if at and line.rstrip() in ("---", "...")), 0)


def _parts(lines: list[str]) -> list[Part]:
    parts = [Part(None, [])]
    fence = ""
    for line in lines:
        if found := _FENCE.match(line):
            if not fence:
                fence = found[1]
            elif found[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        if not fence and _HEADING.match(line):
            parts.append(Part(line, []))
        else:
            parts[-1].lines.append(line)
    return parts
