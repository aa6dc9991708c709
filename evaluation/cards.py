"""Scores the cards: notes written for other programs, and a first sync of a whole vault."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from evaluation.material import Material, Score
from studium.cards.models import CardSource
from studium.cards.notes import NoteOptions, ParsedNote, read_note
from studium.cards.use_cases import SyncOptions, plan_json, sync
from studium.core.documents import read_document

_CLOZE = re.compile(r"\{\{c(\d+)::(.*?)(?:::.*?)?\}\}", re.DOTALL)
_FENCE = re.compile(r"^```.*$", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_RULE = re.compile(r"([-*_])(?:\s*\1){2,}")
_TITLE = re.compile(r"(?P<marks>#{1,6})\s+\S.*|(?P<number>\d+[.)]\s+)?(?P<bold>\*\*|__)(?P<text>.+?)(?P=bold)\s*:?")
_BOLD, _NUMBERED_BOLD = 7, 8


def score_syntaxes(material: Material) -> Score:
    """How many notes give exactly the cards that their own program makes of them."""
    folder = material.find("syntaxes")
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    right, wrong = 0, []
    for case in expected:
        document = read_document(folder / case["note"]).document
        options = _options(case.get("setting", ""))
        note = read_note(document, name=case["note"], options=options) if document else None
        found = list(_differences(case, note)) if note else ["could not be read"]
        right += not found
        wrong += [f"{case['note']}: {difference}" for difference in found]
    return Score({"right": right, "of": len(expected)}, wrong)


def score_vault(material: Material) -> Score:
    """The first plan for a vault: notes with a new card, reviews, and incomplete backs."""
    settings, vault = material.settings("vault"), material.find("vault")
    target = str(material.home / "vault.apkg")
    synced = asyncio.run(sync(settings, SyncOptions(vault, target, apply=False)))
    plan = plan_json(synced, target)
    cards = [each for each in plan["decisions"] if each["card"] and each["action"] != "skip"]
    empty = [each for each in cards if is_empty(each["card"]["fields"].get("Back"))]
    figures = {
        "notes": len(plan["notes"]),
        "with_card": len({each["note"] for each in cards if each["action"] == "create"}),
        "reviews": plan["counts"]["manual_review"],
        "empty_backs": len(empty),
    }
    waiting = [f"{each['note']}: {' '.join(each['reasons'])}" for each in cards if each["action"] == "manual_review"]
    return Score(figures, [*waiting, *(f"{each['note']}: a back is empty, or a title in it" for each in empty)])


def is_empty(back: str | None) -> bool:
    """Whether a back is empty, or has a heading or a bold title with nothing below it; a cloze has no back."""
    if back is None:
        return False
    is_said, title, in_code = False, 0, False
    for line in [*map(str.strip, back.splitlines()), "---"]:
        if line.startswith("```"):
            in_code = not in_code
            is_said, title = True, 0
        elif in_code or not line:
            continue
        elif _RULE.fullmatch(line):
            if title:
                return True
        elif not (level := _title_level(line)):
            is_said, title = True, 0
        elif level <= title:
            return True
        else:
            title = level
    return not is_said


def _title_level(line: str) -> int:
    """The level of a title: `#` is 1, a bold line is below every heading; 0 is not a title."""
    found = _TITLE.fullmatch(line)
    if not found or (found["bold"] and found["bold"] in found["text"]):
        return 0
    if found["marks"]:
        return len(found["marks"])
    return _NUMBERED_BOLD if found["number"] else _BOLD


def _options(setting: str) -> NoteOptions:
    """The options that must be on for such a note."""
    return NoteOptions(
        one_note_one_card="one note, one card" in setting,
        bare_clozes="always" if "CurlyCloze" in setting else "marked",
    )


def _differences(case: dict[str, Any], note: ParsedNote) -> Iterator[str]:
    """The differences between the expected cards of a note and those that were read."""
    left = list(note.cards)
    for want in case["cards"]:
        have = next((card for card in left if _is_same(want, card)), None)
        if have is None:
            yield f"lost {want['kind']} {want['front']!r}"
            continue
        left.remove(have)
        is_cloze = want["kind"] == "cloze"
        if is_cloze and _plain(have.front) != _plain(want["front"]):
            yield f"text {have.front!r}, expected {want['front']!r}"
        back = have.back or have.extra if is_cloze else have.back
        if _plain(back) != _plain(want["back"]):
            yield f"back {back!r}, expected {want['back']!r}"
        deck = have.deck or note.deck or "::".join(PurePosixPath(case["note"]).parts[:-1])
        if want["deck"] and not f"::{deck}".endswith(f"::{want['deck']}"):
            yield f"deck {deck}, expected {want['deck']}"
        if not {*want["tags"]} <= {*have.tags, *note.tags}:
            yield f"tags {have.tags}, expected {want['tags']}"
    yield from (f"extra {card.kind} {card.front!r}" for card in left)


def _is_same(want: dict[str, Any], have: CardSource) -> bool:
    """Whether this is the expected card; headings before its question and its other fields are compared separately."""
    if want["kind"] == "cloze":
        return have.kind == "cloze" and _hidden(have.front) == _hidden(want["front"])
    return want["kind"] in (have.kind, "spaced") and _plain(have.front).endswith(_plain(want["front"]))


def _hidden(text: str) -> list[tuple[str, str]]:
    """What a cloze hides, by group."""
    return sorted((number, _plain(hidden)) for number, hidden in _CLOZE.findall(text))


def _plain(text: str) -> str:
    """A side as plain text: no emphasis, fences or comments, and single spaces."""
    bare = _COMMENT.sub("", _FENCE.sub("", text))
    return " ".join(re.sub(r"[*_`]", "", bare).split())


SETS = {"syntaxes": score_syntaxes, "vault": score_vault}
