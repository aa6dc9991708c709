"""Writes our ids into notes, and takes them out again; nothing else of the note changes."""

import re
from typing import Literal

from studium.core.domain.errors import BadInput
from studium.domain.card import CardSource
from studium.readers.notes.header import note_frontmatter
from studium.readers.notes.markers import question_key

MarkerStyle = Literal["comment", "block_id", "frontmatter"]

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
_OURS = re.compile(r"(?<![ \t])[ \t]*(?:<!--[ \t]*studium:[ \t]*[\w-]+[ \t]*-->|(?<!\S)\^st-[\w-]+(?=[ \t]*$))")
# A block id stands at the end of a paragraph or list item, but below a quote, table, code block, formula or END.
_TAKES_NO_ID = re.compile(r"[ \t]*(?:>|\||`{3}|~{3}|\$\$|#{1,6}[ \t]|END\s*$)|.*(?:\||\$\$)\s*$")
_BLOCK_ID = re.compile(r"(?<![ \t])[ \t]+\^[\w-]+[ \t]*(?=[\r\n]|\Z)")
_ITEM = re.compile(r"([ \t]*)- ")


def write_marker(text: str, card: CardSource, card_id: str, style: MarkerStyle) -> str:
    """The note with our id on this card, which must have been read from this very text.

    An id of ours that is there already is kept, or changed where it stands. Several cards are marked from the last to
    the first, since a marker may move the lines below it.
    """
    lines = _LINE.findall(text)
    if card.marker and card.marker.tool == "studium":
        at = card.marker.line - 1
        lines[at] = re.sub(rf"(studium:[ \t]*|\^st-){re.escape(card.marker.value)}", rf"\g<1>{card_id}", lines[at])
    elif style == "frontmatter":
        _list_in_frontmatter(lines, text, card, card_id)
    elif style == "block_id" and _may_have_block_id(lines, card.end_line):
        _add_block_id(lines, card.end_line, card_id)
    elif card.line == card.end_line:
        lines[card.end_line - 1] = _appended(lines[card.end_line - 1], f" <!--studium:{card_id}-->")
    else:
        _insert(lines, card.end_line, [f"<!--studium:{card_id}-->"])
    return "".join(lines)


def remove_markers(text: str) -> str:
    """The note without any id of ours."""
    lines = _LINE.findall(text)
    body = note_frontmatter(text).body_line - 1
    kept = _without_entries(lines[:body])
    for line in lines[body:]:
        bare = _OURS.sub("", line.rstrip("\r\n")) if "studium:" in line or "^st-" in line else None
        if bare is None or bare == line.rstrip("\r\n"):
            kept.append(line)
        elif bare.strip():
            kept.append(bare + _end_of(line))
        else:
            _close_gap(kept, line)
    return "".join(kept)


def _close_gap(kept: list[str], removed: str) -> None:
    """After a line with nothing but an id: the blank line we put above it goes too, and the note ends as it did."""
    if "^st-" in removed and kept and not kept[-1].strip():
        kept.pop()
    if kept and not _end_of(removed):
        kept[-1] = kept[-1].rstrip("\r\n")


def _may_have_block_id(lines: list[str], end: int) -> bool:
    """A line carries one block id; and where text follows at once, an id below the block would run into it."""
    below = _TAKES_NO_ID.match(lines[end - 1])
    return not _BLOCK_ID.search(lines[end - 1]) and (not below or end >= len(lines) or not lines[end].strip())


def _add_block_id(lines: list[str], end: int, card_id: str) -> None:
    if _TAKES_NO_ID.match(lines[end - 1]):
        _insert(lines, end, ["", f"^st-{card_id}"])
    else:
        lines[end - 1] = _appended(lines[end - 1], f" ^st-{card_id}")


def _list_in_frontmatter(lines: list[str], text: str, card: CardSource, card_id: str) -> None:
    """Add an entry to `anki_cards`, which says by the question which card it means."""
    front = note_frontmatter(text)
    if front.findings:
        raise BadInput(f"No id can be written: {front.findings[0].message}")
    entry = [f"- studium: {card_id}", f'  question: "{question_key(card.front)}"']
    entry += [f"  language: {card.language}"] if card.language else []
    if front.body_line == 1:
        _insert(lines, 0, ["---", "anki_cards:", *entry, "---"])
        return
    closing = front.body_line - 2
    key = next((at for at in range(1, closing) if lines[at].startswith("anki_cards:")), None)
    if key is None:
        _insert(lines, closing, ["anki_cards:", *entry])
        return
    if lines[key].partition(":")[2].strip() not in ("", "[]"):
        remedy = "Write the list with one `- ` line an entry, or choose another marker style."
        raise BadInput("No id can be written: `anki_cards` in the frontmatter stands on one line.", remedy=remedy)
    lines[key] = "anki_cards:" + _end_of(lines[key])
    end = next((at for at in range(key + 1, closing) if lines[at][:1] not in " \t-"), closing)
    item = _ITEM.match(lines[key + 1]) if end > key + 1 else None
    _insert(lines, end, [(item[1] if item else "") + line for line in entry])


def _without_entries(lines: list[str]) -> list[str]:
    """The frontmatter without our entries, without a list that held nothing else, and itself if that was all."""
    kept: list[str] = []
    indent: int | None = None
    for line in lines:
        item = _ITEM.match(line)
        if item and line[item.end() :].startswith("studium:"):
            indent = len(item[1])
        elif indent is None or item or len(line) - len(line.lstrip(" \t")) <= indent:
            indent = None
            kept.append(line)
    if len(kept) == len(lines):
        return lines
    emptied = [
        at
        for at, line in enumerate(kept)
        if line.rstrip() == "anki_cards:"
        and (at + 1 == len(kept) or kept[at + 1][:1] not in " \t-" or _fence(kept[at + 1]))
    ]
    kept = [line for at, line in enumerate(kept) if at not in emptied]
    return [] if all(_fence(line) for line in kept) else kept


def _fence(line: str) -> bool:
    return line.rstrip() == "---"


def _insert(lines: list[str], at: int, new: list[str]) -> None:
    """Put lines in, with the note's own line ends; the last line stays without one if it had none."""
    ends = next((end for line in lines if (end := _end_of(line))), "\n")
    if at and not _end_of(lines[at - 1]):
        lines[at - 1] += ends
        lines[at:at] = [line + ends for line in new[:-1]] + [new[-1]]
    else:
        lines[at:at] = [line + ends for line in new]


def _appended(line: str, addition: str) -> str:
    """The line with something behind its text, but before a block id, which must come last."""
    at = found.start() if (found := _BLOCK_ID.search(line)) else len(line.rstrip("\r\n"))
    return line[:at] + addition + line[at:]


def _end_of(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]
