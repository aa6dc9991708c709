"""Three-way merges of what a person may have edited in Anki while the note was edited too.

    base  what we last wrote        anki  what is there now        note  what the note says now

Edited only in Anki: kept. Edited only in the note: taken. Edited in both: merged where the changes do not touch,
otherwise a conflict, and Anki stays as it is. What is to be remembered as the next base is always what the *note*
says, never the merged text: else the next run would take the person's edit for ours and overwrite it.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple
from unicodedata import normalize

from studium.anki.clozes import find_clozes
from studium.core.text.html import HtmlToken, is_balanced, same_html, token_keys, tokenize_html, visible_text
from studium.core.text.three_way_merge import merge_tokens

__all__ = [
    "CardMerge",
    "FieldConflict",
    "FieldMerge",
    "merge_card",
    "merge_deck",
    "merge_field",
    "merge_tags",
    "remembered_tags",
    "same_html",
    "visible_text",
]

MergeOutcome = Literal["same", "keep_anki", "take_note", "merged", "conflict"]


@dataclass(frozen=True)
class FieldMerge:
    """What a field should hold, how that came about, and the base to remember once it holds it."""

    text: str
    outcome: MergeOutcome
    base: str | None


@dataclass(frozen=True)
class FieldConflict:
    """The sides of a field that a person has to decide."""

    base: str | None
    anki: str
    note: str


@dataclass(frozen=True)
class CardMerge:
    """What to write to a card, what a person must decide, and whose edits were kept.

    `bases` is what to remember for every field once the writes are done; a field in conflict keeps the base it had.
    """

    writes: dict[str, str] = field(default_factory=dict)
    conflicts: dict[str, FieldConflict] = field(default_factory=dict)
    kept: tuple[str, ...] = ()
    outcomes: dict[str, MergeOutcome] = field(default_factory=dict)
    bases: dict[str, str] = field(default_factory=dict)


class TagMerge(NamedTuple):
    """The tags to add and to remove."""

    add: tuple[str, ...]
    remove: tuple[str, ...]


def merge_field(base: str | None, anki: str, note: str) -> FieldMerge:
    """Merge one field; a conflict leaves Anki's side as it is, byte for byte."""
    if anki == note:
        return FieldMerge(anki, "same", note)
    here, new = tokenize_html(anki), tokenize_html(note)
    if token_keys(here) == token_keys(new):
        return FieldMerge(anki, "same", note)
    if base is None:
        return _merged_without_base(anki, note, here, new)
    old = here if base == anki else new if base == note else tokenize_html(base)
    if token_keys(old) == token_keys(here):
        return FieldMerge(note, "take_note", note)
    if token_keys(old) == token_keys(new):
        return FieldMerge(anki, "keep_anki", note)
    return _merged(FieldConflict(base, anki, note), old, here, new)


def _merged(sides: FieldConflict, old: list[HtmlToken], here: list[HtmlToken], new: list[HtmlToken]) -> FieldMerge:
    """Both edited it, and not alike."""
    merged = merge_tokens(old, here, new)
    text = "".join(token.text for token in merged or ())
    if merged is None or not (_is_sound(merged, text, sides) and _has_nothing_twice(merged, old, here, new)):
        return FieldMerge(sides.anki, "conflict", sides.base)
    return FieldMerge(sides.anki if token_keys(merged) == token_keys(here) else text, "merged", sides.note)


def _merged_without_base(anki: str, note: str, here: list[HtmlToken], new: list[HtmlToken]) -> FieldMerge:
    """Nobody knows who edited what: only an empty side gives way, for nothing that was typed is lost by it."""
    if not here:
        return FieldMerge(note, "take_note", note)
    if not new:
        return FieldMerge(anki, "keep_anki", note)
    return FieldMerge(anki, "conflict", None)


def _is_sound(merged: list[HtmlToken], text: str, sides: FieldConflict) -> bool:
    """Whether a merged field reads as it was put together, nests as its sides do, and numbers no two clozes alike."""
    return (
        token_keys(tokenize_html(text)) == token_keys(merged)
        and (is_balanced(text) or not (is_balanced(sides.anki) and is_balanced(sides.note)))
        and not _new_numbers_twice(sides)
    )


def _has_nothing_twice(
    merged: list[HtmlToken], old: list[HtmlToken], here: list[HtmlToken], new: list[HtmlToken]
) -> bool:
    """Whether no word was added by both sides in two places, as it seems after a merge that was not remembered."""
    known, in_anki, in_note = set(token_keys(old)), Counter(token_keys(here)), Counter(token_keys(new))
    return not any(
        count > max(in_anki[key], in_note[key]) and key not in known and key[0].isalnum()
        for key, count in Counter(token_keys(merged)).items()
    )


def _new_numbers_twice(sides: FieldConflict) -> bool:
    """Whether both sides gave one new cloze number to different things."""
    old, here, new = (
        {(cloze.number, cloze.hidden) for cloze in find_clozes(side)}
        for side in (sides.base or "", sides.anki, sides.note)
    )
    known = {number for number, _ in old}
    added_here, added_there = ({number for number, _ in added} for added in (here - old - new, new - old - here))
    return bool((added_here & added_there) - known)


def merge_card(
    base: Mapping[str, str] | None, anki: Mapping[str, str], note: Mapping[str, str], *, ours: Collection[str]
) -> CardMerge:
    """Merge those fields of a card that are ours and that the card has; no other field is ever written."""
    merge = CardMerge()
    written = base or {}
    kept = []
    for name in ours:
        if name not in anki or (name not in note and name not in written):
            continue
        old, here, new = written.get(name), anki[name], note.get(name, "")
        result = merge_field(old, here, new)
        merge.outcomes[name] = result.outcome
        if result.base is not None:
            merge.bases[name] = result.base
        if result.outcome == "conflict":
            merge.conflicts[name] = FieldConflict(old, here, new)
        elif result.text != here:
            merge.writes[name] = result.text
        if result.outcome in ("keep_anki", "merged"):
            kept.append(name)
    return CardMerge(merge.writes, merge.conflicts, tuple(kept), merge.outcomes, merge.bases)


def merge_tags(base: Iterable[str] | None, anki: Iterable[str], note: Iterable[str]) -> TagMerge:
    """Which tags to add and remove: what a person removed stays away, what a person added stays.

    `base` are the tags that we once wrote (`remembered_tags`); no other tag is ever removed.
    """
    ours, there, wanted = _tags(base or ()), _tags(anki), _tags(note)
    add = tuple(tag for key, tag in wanted.items() if key not in there and key not in ours)
    remove = tuple(tag for key, tag in there.items() if key in ours and key not in wanted)
    return TagMerge(add, remove)


def remembered_tags(base: Iterable[str] | None, anki: Iterable[str], note: Iterable[str]) -> tuple[str, ...]:
    """The tags to remember as ours after `merge_tags`: those of the note, but for what a person had set before us."""
    ours, there = _tags(base or ()), _tags(anki)
    return tuple(tag for key, tag in _tags(note).items() if key in ours or key not in there)


def merge_deck(base: str | None, anki: str, note: str) -> str | None:
    """The deck to move a card to; `None` where it stays, as it does once a person has moved it."""
    if base is None or _folded(base) != _folded(anki) or _folded(note) == _folded(anki):
        return None
    return note


def _tags(tags: Iterable[str]) -> dict[str, str]:
    """Tags by what Anki compares them by."""
    return {_folded(tag): tag for tag in tags}


def _folded(name: str) -> str:
    return normalize("NFC", name).casefold()
