"""Splits Markdown into headings, paragraphs, block quotes and list items."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]++(.*))?$")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_RULE = re.compile(r"[ \t]*(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_BULLET = re.compile(r"([ \t]*)(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)")
_QUOTED = re.compile(r"[ \t]{0,3}>[ \t]?")
_COMMENT = re.compile(r"[ \t]*(?:<!--.*-->|%%.*%%|!\[\[[^\]]*\]\]|!\[[^\]]*\]\([^)]*\))[ \t]*$")
_DEEPEST = 12

NumberedLine = tuple[int, str]


@dataclass
class MarkdownBlock:
    """A heading, a paragraph, a block quote, a fenced text or an item of a list, with the items under it."""

    kind: str
    line: int
    paragraphs: list[list[NumberedLine]] = field(default_factory=lambda: [[]])
    level: int = 0
    under: "list[MarkdownBlock]" = field(default_factory=list)

    def add(self, line: int, text: str) -> None:
        """Continue the last paragraph; an empty line starts another."""
        if text.strip():
            self.paragraphs[-1].append((line, text))
        elif self.paragraphs[-1]:
            self.paragraphs.append([])

    @property
    def words(self) -> str:
        """Its text on one line."""
        return " ".join(text.strip() for paragraph in self.paragraphs for _, text in paragraph)


def parse_blocks(lines: Sequence[str], first: int = 1) -> list[MarkdownBlock]:
    """The blocks of a text from a line on, with items nested under the items that they belong to."""
    return list(_nested(_flat(lines, first - 1)))


def _flat(lines: Sequence[str], at: int) -> Iterator[MarkdownBlock]:
    piece: MarkdownBlock | None = None
    parted = False
    while at < len(lines):
        text, number = lines[at], at + 1
        if fence := _FENCE.match(text):
            yield from _done(piece)
            piece, at = _fenced(lines, at, fence[1])
            yield piece
            piece, parted = None, False
            continue
        at += 1
        if not text.strip():
            parted = True
            continue
        following = _continued(piece, text, parted=parted)
        if following is not None and piece:
            if _is_underline(piece, text, parted=parted):
                yield MarkdownBlock("heading", piece.line, piece.paragraphs, 1 if "=" in text else 2)
                piece = None
                continue
            if parted:
                piece.add(number, "")
            piece.add(number, following)
        else:
            yield from _done(piece)
            piece = _opened(number, text)
        parted = False
    yield from _done(piece)


def _done(piece: MarkdownBlock | None) -> Iterator[MarkdownBlock]:
    if piece and piece.kind != "rule":
        piece.paragraphs = [paragraph for paragraph in piece.paragraphs if paragraph]
        yield piece


def _title(text: str) -> str:
    """The text of a heading without the `#` that may close it."""
    words = text.rstrip(" \t")
    opened = words.rstrip("#")
    return opened.rstrip(" \t") if opened != words and opened[-1:] in ("", " ", "\t") else words


def _opened(number: int, text: str) -> MarkdownBlock:
    """The block that a line starts."""
    if heading := _HEADING.match(text):
        return MarkdownBlock("heading", number, [[(number, _title(heading[2] or ""))]], len(heading[1]))
    if _RULE.match(text) or _COMMENT.match(text):
        return MarkdownBlock("rule", number)
    if bullet := _BULLET.match(text):
        piece = MarkdownBlock("item", number, level=len(bullet[1].expandtabs(4)))
        piece.add(number, _QUOTED.sub("", text[bullet.end() :]))
        return piece
    quoted = _QUOTED.match(text)
    piece = MarkdownBlock("quote" if quoted else "text", number)
    piece.add(number, text[quoted.end() :] if quoted else text)
    return piece


def _continued(piece: MarkdownBlock | None, text: str, *, parted: bool) -> str | None:
    """What a line adds to the block before it; nothing if it starts a block of its own."""
    if piece is None or piece.kind in {"heading", "rule"}:
        return None
    if piece.kind == "text" and not parted and _UNDERLINE.match(text):
        return text
    if quoted := _QUOTED.match(text):
        inside = piece.kind == "item" and text[0] in " \t"
        return text[quoted.end() :] if inside or (piece.kind == "quote" and not parted) else None
    if _HEADING.match(text) or _BULLET.match(text) or _RULE.match(text):
        return None
    if piece.kind == "item" and parted:
        return text if len(text.expandtabs(4)) - len(text.expandtabs(4).lstrip()) > max(piece.level, 1) else None
    return None if parted else text


def _is_underline(piece: MarkdownBlock, text: str, *, parted: bool) -> bool:
    return piece.kind == "text" and not parted and bool(_UNDERLINE.match(text)) and len(piece.paragraphs[-1]) == 1


def _fenced(lines: Sequence[str], at: int, fence: str) -> tuple[MarkdownBlock, int]:
    end = next((i for i in range(at + 1, len(lines)) if lines[i].strip().startswith(fence)), len(lines))
    inside = [(number + 1, lines[number]) for number in range(at + 1, end)]
    return MarkdownBlock("fenced", at + 1, [inside] if inside else []), end + 1


def _nested(pieces: Iterator[MarkdownBlock]) -> Iterator[MarkdownBlock]:
    """Items with more indentation belong to the item before them."""
    over: list[MarkdownBlock] = []
    for piece in pieces:
        if piece.kind != "item":
            over = []
            yield piece
            continue
        while over and (over[-1].level >= piece.level or len(over) > _DEEPEST):
            over.pop()
        if over:
            over[-1].under.append(piece)
        else:
            yield piece
        over.append(piece)
