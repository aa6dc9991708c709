"""Finds the ids that tools leave in notes, and writes and removes our own."""

import re
from collections.abc import Container, Iterator, Sequence
from itertools import islice
from typing import Any, Literal, NamedTuple

from studium.cards.models import CardSource, Marker
from studium.cards.notes.page import FoundCard, NotePage, is_marker_line, read_frontmatter
from studium.core.domain.errors import BadInput

_ID = re.compile(
    r"<!--[ \t]*studium:[ \t]*(?P<ours>[\w-]+)[ \t]*-->"
    r"|(?<!\S)\^st-(?P<block>[\w-]+)(?=\s*$)"
    r"|<!--ID:(?P<after>[ \t]+)?(?P<comment>\d+)[ \t]*-->"
    r"|(?<!\S)\^(?P<digits>\d{13})(?=\s*$)"
    r"|^ID: ?(?P<bare>\d+)[ \t]*$",
    re.MULTILINE,
)
_INKA = re.compile(r"[ \t]*<!--ID:\d+-->[ \t]*")
_SLUG = re.compile(r"(?:.*-)?(?P<number>\d{1,4})-(?P<language>[a-z]{2,3})")


def find_markers(page: NotePage, drafts: Sequence[FoundCard]) -> dict[int, Marker]:
    """The ids at the cards, by the position of the card; inside nested cards they belong to the inner one."""
    if not any(hint in page.source for hint in ("<!--", "^", "ID:")):
        return {}
    found: dict[int, Marker] = {}
    claimed: set[int] = set()
    for place in sorted(range(len(drafts)), key=lambda place: drafts[place].end - drafts[place].start):
        if marker := _find_marker(page, drafts[place], claimed):
            found[place] = marker
            claimed.add(marker.line)
    return found


def _find_marker(page: NotePage, draft: FoundCard, claimed: Container[int]) -> Marker | None:
    """The id of a card: inside it, below it or, as inka writes it, above it. Ours comes first."""
    inside = range(draft.start if draft.tail is None else draft.tail, draft.end)
    found = [
        marker
        for index in (*inside, *_marker_below(page, draft.end))
        for marker in _marker_on_line(page.lines[index], index)
    ]
    if draft.start and draft.tail is None and is_marker_line(page.lines[draft.start - 1]):
        found += [each for each in _marker_on_line(page.lines[draft.start - 1], draft.start - 1) if each.tool == "inka"]
    free = [each for each in found if each.line not in claimed]
    return next((each for each in free if each.tool == "studium"), free[0] if free else None)


class _ListedCard(NamedTuple):
    """An entry of `anki_cards` or `anki_slugs` in the frontmatter, each value empty where it has none."""

    studium: str
    anki_id: str
    slug: str
    question: str
    language: str


def assign_listed(values: dict[str, Any], lines: Sequence[str], cards: Sequence[FoundCard]) -> dict[int, Marker]:
    """The ids that the frontmatter lists under `anki_cards` or `anki_slugs`, by the position of the card.

    If a card has an id of ours and of another tool, ours comes first.
    """
    entries = _entries(values)
    ours = [entry for entry in entries if entry.studium]
    theirs = [entry for entry in entries if not entry.studium]
    return _assigned(theirs, lines, cards) | _assigned(ours, lines, cards)


def _assigned(entries: list[_ListedCard], lines: Sequence[str], cards: Sequence[FoundCard]) -> dict[int, Marker]:
    assigned: dict[int, Marker] = {}
    for entry in entries[: len(cards)]:
        place = _place(entry, cards, assigned)
        if place is not None:
            assigned[place] = _listed(entry, lines)
    return assigned


def note_id(page: NotePage) -> Marker | None:
    """The id that yanki wrote into the frontmatter."""
    found = page.header.values.get("noteId")
    return Marker(tool="yanki", value=str(found), line=_line_with("noteId", page.lines)) if found else None


def _marker_below(page: NotePage, end: int) -> Iterator[int]:
    """The line below a card, or the one after a blank line, if it has only ids."""
    at = end + 1 if end < len(page.lines) and not page.lines[end].strip() else end
    if at < len(page.lines) and is_marker_line(page.lines[at]) and not _INKA.fullmatch(page.lines[at]):
        yield at


def _marker_on_line(line: str, index: int) -> list[Marker]:
    if "<!--" not in line and "^" not in line and not line.startswith("ID:"):
        return []
    return [Marker(tool=_tool(match), value=_value(match), line=index + 1) for match in _ID.finditer(line)]


def _tool(match: re.Match[str]) -> Literal["studium", "obsidian_to_anki", "flashcards_obsidian", "inka"]:
    if match["ours"] or match["block"]:
        return "studium"
    if match["digits"]:
        return "flashcards_obsidian"
    return "inka" if match["comment"] and not match["after"] else "obsidian_to_anki"


def _value(match: re.Match[str]) -> str:
    return str(match["ours"] or match["block"] or match["comment"] or match["digits"] or match["bare"])


def _entries(values: dict[str, Any]) -> list[_ListedCard]:
    cards, slugs = values.get("anki_cards"), values.get("anki_slugs")
    listed = [entry for entry in cards if isinstance(entry, dict)] if isinstance(cards, list) else []
    if not listed and isinstance(slugs, list):
        listed = [{"slug": slug} for slug in slugs if isinstance(slug, str)]
    return [_ListedCard(*(str(entry.get(name) or "") for name in _ListedCard._fields)) for entry in listed]


def _place(entry: _ListedCard, cards: Sequence[FoundCard], taken: Container[int]) -> int | None:
    """The card that an entry means: by its question, by the number and language of its slug, or the next one."""
    if question := entry.question:
        asked = (place for place, card in enumerate(cards) if question_key(card.front) == question)
        return _first(place for place in asked if place not in taken)
    slug = _SLUG.fullmatch(entry.slug)
    language = entry.language or (slug["language"] if slug else None)
    same = (place for place, card in enumerate(cards) if card.language == language or not (language and card.language))
    if slug and language:
        wanted = _first(islice(same, int(slug["number"]), None))
        return None if wanted in taken else wanted
    return _first(place for place in same if place not in taken)


def _first(places: Iterator[int]) -> int | None:
    return next(places, None)


def question_key(front: str) -> str:
    """How the frontmatter names a question: the start of its first line, without quotes and escapes."""
    return "".join(char for char in front.split("\n", 1)[0] if char.isprintable() and char not in '"\\')[:80].strip()


def _listed(entry: _ListedCard, lines: Sequence[str]) -> Marker:
    value = entry.studium or entry.anki_id or entry.slug
    line = _line_with(entry.studium or entry.slug or value, lines)
    return Marker(tool="studium" if entry.studium else "anki_cards", value=value, line=line)


def _line_with(word: str, lines: Sequence[str]) -> int:
    return next((number for number, text in enumerate(lines, 1) if word in text), 1)


MarkerStyle = Literal["comment", "block_id", "frontmatter"]

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
_OURS = re.compile(r"(?<![ \t])[ \t]*(?:<!--[ \t]*studium:[ \t]*[\w-]+[ \t]*-->|(?<!\S)\^st-[\w-]+(?=[ \t]*$))")
# A block id goes to the end of a paragraph or list item, but below a quote, table, code block, formula or END.
_TAKES_NO_ID = re.compile(r"[ \t]*(?:>|\||`{3}|~{3}|\$\$|#{1,6}[ \t]|END\s*$)|.*(?:\||\$\$)\s*$")
_BLOCK_ID = re.compile(r"(?<![ \t])[ \t]+\^[\w-]+[ \t]*(?=[\r\n]|\Z)")
_ITEM = re.compile(r"([ \t]*)- ")


def write_marker(text: str, card: CardSource, card_id: str, style: MarkerStyle) -> str:
    """The note with our id at this card, which must have been read from this text.

    An id of ours that is already there is replaced. Mark several cards from the last to the first, since a marker may
    move the lines below it.
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
    body = read_frontmatter(text).body_line - 1
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
    """After removing a line with only an id, remove the blank line we put above it and keep the end of the note."""
    if "^st-" in removed and kept and not kept[-1].strip():
        kept.pop()
    if kept and not _end_of(removed):
        kept[-1] = kept[-1].rstrip("\r\n")


def _may_have_block_id(lines: list[str], end: int) -> bool:
    """Whether a block id can be added: a line has only one, and text right after the block would join it."""
    below = _TAKES_NO_ID.match(lines[end - 1])
    return not _BLOCK_ID.search(lines[end - 1]) and (not below or end >= len(lines) or not lines[end].strip())


def _add_block_id(lines: list[str], end: int, card_id: str) -> None:
    if _TAKES_NO_ID.match(lines[end - 1]):
        _insert(lines, end, ["", f"^st-{card_id}"])
    else:
        lines[end - 1] = _appended(lines[end - 1], f" ^st-{card_id}")


def _list_in_frontmatter(lines: list[str], text: str, card: CardSource, card_id: str) -> None:
    """Add an entry to `anki_cards` that names the card by its question."""
    front = read_frontmatter(text)
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
        remedy = "Write the list with one `- ` line for each entry, or choose another marker style."
        raise BadInput("No id can be written: `anki_cards` in the frontmatter is on one line.", remedy=remedy)
    lines[key] = "anki_cards:" + _end_of(lines[key])
    end = next((at for at in range(key + 1, closing) if lines[at][:1] not in " \t-"), closing)
    item = _ITEM.match(lines[key + 1]) if end > key + 1 else None
    _insert(lines, end, [(item[1] if item else "") + line for line in entry])


def _without_entries(lines: list[str]) -> list[str]:
    """The frontmatter without our entries; a list or frontmatter that becomes empty is removed too."""
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
    """Insert lines with the line ending of the note; a last line without one keeps none."""
    ends = next((end for line in lines if (end := _end_of(line))), "\n")
    if at and not _end_of(lines[at - 1]):
        lines[at - 1] += ends
        lines[at:at] = [line + ends for line in new[:-1]] + [new[-1]]
    else:
        lines[at:at] = [line + ends for line in new]


def _appended(line: str, addition: str) -> str:
    """The line with an addition after its text, before a block id, which must come last."""
    at = found.start() if (found := _BLOCK_ID.search(line)) else len(line.rstrip("\r\n"))
    return line[:at] + addition + line[at:]


def _end_of(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]
