"""Lyrics on web pages: of all that stands on a page, the part that is set like verses."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, islice
from typing import TYPE_CHECKING, NamedTuple

from studium.core.documents.html import parse_html
from studium.core.documents.markup.page_builder import UnreadableDocument

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_INLINE = frozenset(
    {
        "a",
        "abbr",
        "b",
        "bdi",
        "bdo",
        "cite",
        "code",
        "data",
        "em",
        "font",
        "i",
        "ins",
        "kbd",
        "label",
        "mark",
        "q",
        "rb",
    }
    | {"ruby", "s", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr"}
)
_UNREAD = frozenset(
    {"head", "script", "style", "noscript", "template", "iframe", "rt", "rp", "rtc", "svg", "canvas", "audio", "video"}
    | {"button", "select", "textarea", "input", "form", "nav", "header", "footer", "aside"}
)
_UNREAD_CLASSES = frozenset({"rt", "furigana", "romaji"})
_NAMED = re.compile(r"lyric|kashi|songtext", re.IGNORECASE)
_KEEPS_LINES = re.compile(r"white-space\s*:\s*pre")
_SPACE = re.compile(r"\s+")
_LONGEST = 100
_FEWEST = 4
# What a line of verse, of a heading or menu, and of prose says for the element it stands in.
_VERSE, _OTHER, _PROSE = 2, -1, -6


class _Line(NamedTuple):
    """A line as a browser would set it, the element it stands in, and whether a `<br>` ends it."""

    text: str
    block: "Element"
    broken: bool


def extract_lyrics(data: bytes) -> str:
    """The lyrics on a page, verses parted by blank lines; empty if nothing on it is set like verses."""
    lines: list[_Line] = []
    try:
        root = parse_html(data)
        body = next(root.iter("body"), root)
        _collect_lines(body, lines)
    except (UnreadableDocument, RecursionError):  # a page that nests its elements that deep was not made to be read
        return ""
    inside = {element for part in _verses(body, lines) for element in part.iter()}
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.text for line in lines if line.block in inside)).strip()


def _verses(body: "Element", lines: list[_Line]) -> "set[Element]":
    """The element with the most verse in it and the least of anything else, and those beside it that are like it."""
    worth = _worth_of_blocks(lines)
    inside_out = list(body.iter("*"))[::-1]
    for element in inside_out:
        if (parent := element.getparent()) is not None:
            worth[parent] += worth[element]
    # Of equals the innermost is wanted, which comes first.
    best = max(inside_out, key=worth.__getitem__)
    tag, kind = str(best.tag), best.get("class")
    beside = *best.itersiblings(tag, preceding=True), *best.itersiblings(tag)
    like = {best, *(each for each in beside if each.get("class") == kind and worth[each] > 0)}
    return like if sum(worth[each] for each in like) >= _FEWEST * _VERSE else set()


def _worth_of_blocks(lines: list[_Line]) -> "Counter[Element]":
    """How much the lines that stand in each element itself look like verse."""
    broken = {line.block for line in lines if line.broken}
    worth: Counter[Element] = Counter()
    for block, group in groupby((line for line in lines if line.text), key=lambda line: line.block):
        usual = _VERSE if block in broken or _is_named(block) else _OTHER
        worth[block] += sum(_PROSE if len(line.text) > _LONGEST else usual for line in group)
    return worth


def _is_named(block: "Element") -> bool:
    """Whether an element or one close around it is called lyrics; a page that calls its body so says nothing."""
    around = islice(block.iterancestors("div", "section", "p", "pre"), 2)
    return any(_NAMED.search(f"{each.get('class')} {each.get('id')}") for each in (block, *around))


def _collect_lines(block: "Element", lines: list[_Line]) -> None:
    """Add the lines in an element, in order; a blank one where a paragraph ends."""
    pieces: list[str | Element] = []
    _collect_pieces(block, pieces)
    text: list[str] = []
    for piece in pieces:
        if isinstance(piece, str):
            text.append(piece)
            continue
        broken = piece.tag == "br"
        lines += _set("".join(text), block, broken=broken)
        text.clear()
        if not broken:
            _collect_lines(piece, lines)
            lines.append(_Line("", block, broken=False))
    lines += _set("".join(text), block, broken=False)


def _collect_pieces(element: "Element", pieces: "list[str | Element]") -> None:
    """Add the text of an element and of what is in line with it, the breaks, and the blocks inside."""
    pieces.append(element.text or "")
    for child in element:
        if isinstance(child.tag, str) and not _is_unread(child):
            if child.tag in _INLINE:
                _collect_pieces(child, pieces)
            else:
                pieces.append(child)
        pieces.append(child.tail or "")


def _set(text: str, block: "Element", *, broken: bool) -> Iterator[_Line]:
    """A text in lines: one, unless its element keeps the line ends of the source."""
    if block.tag == "pre" or _KEEPS_LINES.search(block.get("style") or ""):
        yield from (_Line(line.strip(), block, broken=True) for line in text.strip("\n").split("\n"))
    elif broken or text.strip():
        yield _Line(_SPACE.sub(" ", text).strip(), block, broken)


def _is_unread(element: "Element") -> bool:
    classes = (element.get("class") or "").lower().split()
    return element.tag in _UNREAD or bool(_UNREAD_CLASSES.intersection(classes)) or element.get("hidden") is not None
