"""Three-way merges of a card that may have been edited in Anki and in its note, and how severe a change is.

    base  what we last wrote        anki  what Anki holds now        note  what the note says now

Edited only in Anki: kept. Edited only in the note: taken. Edited in both: merged if the changes do not touch, otherwise
a conflict, and Anki stays as it is. The next base is always what the *note* says, never the merged text: otherwise the
next run would take the person's edit for ours and overwrite it.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple
from unicodedata import normalize

from studium.anki.clozes import find_clozes
from studium.cards.models import CardDiffResult, FieldChange
from studium.core.domain.ports import Similarity
from studium.core.text.html import HtmlToken, is_balanced, same_html, token_keys, tokenize_html, visible_text
from studium.core.text.three_way_merge import merge_tokens
from studium.core.text.tokens import split_words

MergeOutcome = Literal["same", "keep_anki", "take_note", "merged", "conflict"]
Severity = Literal["cosmetic", "content", "structural"]
Risk = Literal["low", "medium", "high"]

_RISKS: dict[Severity, Risk] = {"cosmetic": "low", "content": "medium", "structural": "high"}
_SEVERITIES: tuple[Severity, ...] = ("cosmetic", "content", "structural")
_MEDIA = re.compile(
    r"""\[sound:[^\]<\n]{0,500}\]|<(?:img|source|audio|video|object)\b[^<>]*?(?:src|data)\s*=\s*["']?[^"'\s>]+"""
)
_REPLACED = 0.2
_REWORDED = 0.8


@dataclass(frozen=True)
class FieldMerge:
    """The merged text of a field, how it was merged, and the base to remember once it is written."""

    text: str
    outcome: MergeOutcome
    base: str | None


@dataclass(frozen=True)
class FieldConflict:
    """The three sides of a field that a person has to decide about."""

    base: str | None
    anki: str
    note: str


@dataclass(frozen=True)
class CardMerge:
    """The fields to write, the conflicts, and the fields whose edits in Anki were kept.

    `bases` is what to remember of each field once the writes are done; a field in conflict keeps its base.
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
    """Merge a field that both sides edited differently."""
    merged = merge_tokens(old, here, new)
    text = "".join(token.text for token in merged or ())
    if merged is None or not (_is_sound(merged, text, sides) and _has_no_duplicates(merged, old, here, new)):
        return FieldMerge(sides.anki, "conflict", sides.base)
    return FieldMerge(sides.anki if token_keys(merged) == token_keys(here) else text, "merged", sides.note)


def _merged_without_base(anki: str, note: str, here: list[HtmlToken], new: list[HtmlToken]) -> FieldMerge:
    """Without a base nobody knows who edited what, so only an empty side is replaced."""
    if not here:
        return FieldMerge(note, "take_note", note)
    if not new:
        return FieldMerge(anki, "keep_anki", note)
    return FieldMerge(anki, "conflict", None)


def _is_sound(merged: list[HtmlToken], text: str, sides: FieldConflict) -> bool:
    """Whether merged HTML parses as it was merged, is as balanced as its sides, and has no cloze number used twice."""
    return (
        token_keys(tokenize_html(text)) == token_keys(merged)
        and (is_balanced(text) or not (is_balanced(sides.anki) and is_balanced(sides.note)))
        and not _new_numbers_twice(sides)
    )


def _has_no_duplicates(
    merged: list[HtmlToken], old: list[HtmlToken], here: list[HtmlToken], new: list[HtmlToken]
) -> bool:
    """Whether both sides added no word in two places, as happens after a merge that was not remembered."""
    known, in_anki, in_note = set(token_keys(old)), Counter(token_keys(here)), Counter(token_keys(new))
    return not any(
        count > max(in_anki[key], in_note[key]) and key not in known and key[0].isalnum()
        for key, count in Counter(token_keys(merged)).items()
    )


def _new_numbers_twice(sides: FieldConflict) -> bool:
    """Whether both sides gave the same new cloze number to different text."""
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
    """Merge the fields that are ours and that the card has; other fields are never written."""
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
    """The tags to add and to remove; tags that a person removed or added stay so.

    `base` are the tags that we once wrote (`remembered_tags`); no other tag is removed.
    """
    ours, there, wanted = _tags(base or ()), _tags(anki), _tags(note)
    add = tuple(tag for key, tag in wanted.items() if key not in there and key not in ours)
    remove = tuple(tag for key, tag in there.items() if key in ours and key not in wanted)
    return TagMerge(add, remove)


def remembered_tags(base: Iterable[str] | None, anki: Iterable[str], note: Iterable[str]) -> tuple[str, ...]:
    """The tags to remember as ours after `merge_tags`: those of the note, except those a person had set before."""
    ours, there = _tags(base or ()), _tags(anki)
    return tuple(tag for key, tag in _tags(note).items() if key in ours or key not in there)


def merge_deck(base: str | None, anki: str, note: str) -> str | None:
    """The deck to move a card to; None if it stays, as it does once a person has moved it."""
    if base is None or _folded(base) != _folded(anki) or _folded(note) == _folded(anki):
        return None
    return note


def _tags(tags: Iterable[str]) -> dict[str, str]:
    """Tags by the key that Anki compares."""
    return {_folded(tag): tag for tag in tags}


def _folded(name: str) -> str:
    return normalize("NFC", name).casefold()


def word_counts(text: str) -> Counter[str]:
    """Count the words of a text, ignoring case; in scripts without spaces, the characters."""
    return Counter(split_words(text.casefold(), apostrophes=False))


def text_similarity(one: str, other: str) -> float:
    """The share of words that two texts have in common, from 0 to 1."""
    here, there = word_counts(one), word_counts(other)
    whole = here.total() + there.total()
    return 2 * (here & there).total() / whole if whole else 1.0


def classify_change(old_html: str, new_html: str, *, similarity: Similarity | None = None) -> Severity:
    """How severe the change of a field is.

    A change is structural if cloze numbers change or almost all text is replaced; `similarity` recognises a text that
    means the same in other words.
    """
    if same_html(old_html, new_html):
        return "cosmetic"
    old, new = visible_text(old_html), visible_text(new_html)
    if _renumbered(old_html, new_html) or _replaced(old, new, similarity):
        return "structural"
    return "cosmetic" if old == new and _media_in(old_html) == _media_in(new_html) else "content"


def compare_fields(
    existing: Mapping[str, str],
    proposed: Mapping[str, str],
    *,
    same_model: bool = True,
    similarity: Similarity | None = None,
) -> CardDiffResult:
    """What writing the proposed fields would change in a card.

    A field that the card does not have, or another note type, is a structural change.
    """
    changes = tuple(
        FieldChange(
            field=name,
            old=existing.get(name, ""),
            new=new,
            severity=classify_change(existing[name], new, similarity=similarity) if name in existing else "structural",
        )
        for name, new in proposed.items()
        if existing.get(name, "") != new
    )
    severities: list[Severity] = [change.severity for change in changes]
    if not same_model:
        severities.append("structural")
    worst: Severity = max(severities, key=_SEVERITIES.index, default="cosmetic")
    return CardDiffResult(changes=changes, should_update=bool(severities), risk_level=_RISKS[worst])


def _renumbered(old: str, new: str) -> bool:
    """Whether cloze cards are added or removed, or a number hides what another one hid."""
    before, after = ({(each.number, each.hidden) for each in find_clozes(side)} for side in (old, new))
    if {number for number, _ in before} != {number for number, _ in after}:
        return True
    hidden_before = {hidden for _, hidden in before - after}
    return any(hidden in hidden_before for _, hidden in after - before)


def _replaced(old: str, new: str, similarity: Similarity | None) -> bool:
    """Whether almost all of the old text is gone."""
    if not old or text_similarity(old, new) >= _REPLACED:
        return False
    return not (new and similarity and similarity(old, new) >= _REWORDED)


def _media_in(html: str) -> list[str]:
    return _MEDIA.findall(html)
