"""Reads the question and the answer out of a Markdown note.

Two shapes are read today::

    # Question (EN)            Q: What does OSPF flood?
    > What does OSPF flood?    A: Link-state advertisements.

    ## Answer (EN)
    Link-state advertisements.
"""

import re
from collections.abc import Iterable

from studium.domain.card import NoteContext, Section
from studium.domain.document import Document, Line
from studium.domain.finding import Finding, Locator, Severity
from studium.readers.markdown import split_frontmatter

_HEADING = re.compile(r"#{1,6}\s+(?P<words>.*?)\s*#*\s*$")
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_LABEL = re.compile(r"(?P<label>[QA]):\s+(?P<text>.*)$")
_LABELS = {"Q": "Question", "A": "Answer"}


def note_context(document: Document, *, name: str) -> NoteContext | Finding:
    """The note's frontmatter and sections, or the finding that says what is wrong with it."""
    header = split_frontmatter(document.text, document.path)
    if header.findings:
        return header.findings[0]
    sections = _sections(document.lines(header.body_line))
    note = NoteContext(slug=name, note_path=document.path, frontmatter=header.values, sections=sections)
    for wanted in ("Question", "Answer"):
        if not section(note, wanted):
            return Finding(
                code="note.incomplete",
                severity=Severity.ERROR,
                message=f"The note has no {wanted.lower()}: write `# Question` and `## Answer`, or `Q:` and `A:`.",
                where=Locator(path=document.path, line=1),
            )
    return note


def section(note: NoteContext, kind: str) -> Section | None:
    """The first section whose heading begins with this word and which has text."""
    return next((s for s in note.sections if s.heading.startswith(kind) and s.text), None)


def _sections(lines: Iterable[Line]) -> tuple[Section, ...]:
    """Cut the note at its headings and `Q:`/`A:` labels; what stands in a code fence is never a heading."""
    parts: list[tuple[str, int, list[str]]] = []
    fence = ""
    for line in lines:
        if opened := _FENCE.match(line.text):
            fence = "" if fence and opened[1].startswith(fence) else fence or opened[1]
        start = None if fence else _start(line.text)
        if start:
            parts.append((start[0], line.number, [start[1]]))
        elif parts:
            parts[-1][2].append(line.text)
    return tuple(Section(heading=heading, line=line, text=_unquoted(texts)) for heading, line, texts in parts)


def _start(line: str) -> tuple[str, str] | None:
    if found := _HEADING.match(line):
        return found["words"], ""
    if found := _LABEL.match(line):
        return _LABELS[found["label"]], found["text"]
    return None


def _unquoted(lines: list[str]) -> str:
    """The text of a section; a section that is one block quote loses the quote marks."""
    text = "\n".join(lines).strip()
    if text and all(line.startswith(">") or not line.strip() for line in text.splitlines()):
        return re.sub(r"^> ?", "", text, flags=re.MULTILINE).strip()
    return text
