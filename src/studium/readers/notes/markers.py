"""The ids that tools leave in notes, and whose they are."""

import re
from collections.abc import Container, Iterator, Sequence
from itertools import islice
from typing import Any, Literal

from studium.domain.card import Marker
from studium.readers.notes.bookkeeping import is_marker_line
from studium.readers.notes.page import Draft, NotePage

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


def markers_of(page: NotePage, drafts: Sequence[Draft]) -> dict[int, Marker]:
    """The ids that stand at the cards, by the card's place; of a card inside another, they are the inner one's."""
    if not any(sign in page.source for sign in ("<!--", "^", "ID:")):
        return {}
    found: dict[int, Marker] = {}
    claimed: set[int] = set()
    for place in sorted(range(len(drafts)), key=lambda place: drafts[place].end - drafts[place].start):
        if marker := _marker_of(page, drafts[place], claimed):
            found[place] = marker
            claimed.add(marker.line)
    return found


def _marker_of(page: NotePage, draft: Draft, claimed: Container[int]) -> Marker | None:
    """The id of a card: within it, on the line below it or, as inka writes it, on the line above. Ours comes first."""
    inside = range(draft.start if draft.tail is None else draft.tail, draft.end)
    found = [marker for index in (*inside, *_below(page, draft.end)) for marker in _on(page.lines[index], index)]
    if draft.start and draft.tail is None and is_marker_line(page.lines[draft.start - 1]):
        found += [each for each in _on(page.lines[draft.start - 1], draft.start - 1) if each.tool == "inka"]
    free = [each for each in found if each.line not in claimed]
    return next((each for each in free if each.tool == "studium"), free[0] if free else None)


def assign_listed(values: dict[str, Any], lines: Sequence[str], cards: Sequence[Draft]) -> dict[int, Marker]:
    """The ids that the frontmatter lists under `anki_cards` or `anki_slugs`, by the card's place in the note.

    Where a card has an id of ours and of another tool, ours comes first.
    """
    entries = _entries(values)
    ours = [entry for entry in entries if entry.get("studium")]
    theirs = [entry for entry in entries if not entry.get("studium")]
    return _assigned(theirs, lines, cards) | _assigned(ours, lines, cards)


def _assigned(entries: list[dict[str, Any]], lines: Sequence[str], cards: Sequence[Draft]) -> dict[int, Marker]:
    assigned: dict[int, Marker] = {}
    for entry in entries[: len(cards)]:
        place = _place(entry, cards, assigned)
        if place is not None:
            assigned[place] = _listed(entry, lines)
    return assigned


def note_id(page: NotePage) -> Marker | None:
    """The id that yanki has written into the frontmatter."""
    found = page.header.values.get("noteId")
    return Marker(tool="yanki", value=str(found), line=_line_with("noteId", page.lines)) if found else None


def _below(page: NotePage, end: int) -> Iterator[int]:
    """The line right below a card, or the one after a blank line, if it holds nothing but ids."""
    at = end + 1 if end < len(page.lines) and not page.lines[end].strip() else end
    if at < len(page.lines) and is_marker_line(page.lines[at]) and not _INKA.fullmatch(page.lines[at]):
        yield at


def _on(line: str, index: int) -> list[Marker]:
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


def _entries(values: dict[str, Any]) -> list[dict[str, Any]]:
    cards, slugs = values.get("anki_cards"), values.get("anki_slugs")
    listed = [entry for entry in cards if isinstance(entry, dict)] if isinstance(cards, list) else []
    if listed or not isinstance(slugs, list):
        return listed
    return [{"slug": slug} for slug in slugs if isinstance(slug, str)]


def _place(entry: dict[str, Any], cards: Sequence[Draft], taken: Container[int]) -> int | None:
    """Which card an entry means: by its question, else by the number and language of its slug, else the next one."""
    if question := entry.get("question"):
        return _first(place for place, card in enumerate(cards) if _means(question, card) and place not in taken)
    slug = _SLUG.fullmatch(str(entry.get("slug", "")))
    language = entry.get("language") or (slug["language"] if slug else None)
    same = (place for place, card in enumerate(cards) if card.language == language or not (language and card.language))
    if slug and language:
        wanted = _first(islice(same, int(slug["number"]), None))
        return None if wanted in taken else wanted
    return _first(place for place in same if place not in taken)


def _first(places: Iterator[int]) -> int | None:
    return next(places, None)


def _means(question: object, card: Draft) -> bool:
    return question_key(card.front) == str(question)


def question_key(front: str) -> str:
    """How a question is named in the frontmatter: the beginning of its first line, quotes and escapes apart."""
    return "".join(sign for sign in front.split("\n", 1)[0] if sign.isprintable() and sign not in '"\\')[:80].strip()


def _listed(entry: dict[str, Any], lines: Sequence[str]) -> Marker:
    ours = entry.get("studium")
    value = str(ours or entry.get("anki_id") or entry.get("slug") or "")
    line = _line_with(str(ours or entry.get("slug") or value), lines)
    return Marker(tool="studium" if ours else "anki_cards", value=value, line=line)


def _line_with(word: str, lines: Sequence[str]) -> int:
    return next((number for number, text in enumerate(lines, 1) if word in text), 1)
