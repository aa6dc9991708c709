"""How much a card changes: cosmetic, in content, or in structure; and what that risks."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Literal

from studium.anki.clozes import find_clozes
from studium.cards.models import CardDiffResult, FieldChange
from studium.core.domain.ports import Similarity
from studium.core.text.html import same_html, visible_text
from studium.core.text.locate import UNSPACED

Severity = Literal["cosmetic", "content", "structural"]
Risk = Literal["low", "medium", "high"]

_RISKS: dict[Severity, Risk] = {"cosmetic": "low", "content": "medium", "structural": "high"}
_SEVERITIES: tuple[Severity, ...] = ("cosmetic", "content", "structural")
_WORD = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")
_MEDIA = re.compile(
    r"""\[sound:[^\]<\n]*\]|<(?:img|source|audio|video|object)\b[^<>]*?(?:src|data)\s*=\s*["']?[^"'\s>]+"""
)
_REPLACED = 0.2
_REWORDED = 0.8


def word_counts(text: str) -> Counter[str]:
    """The words of a text, whatever their case; of scripts without spaces, the signs."""
    return Counter(_WORD.findall(text.casefold()))


def text_similarity(one: str, other: str) -> float:
    """Which share of two texts' words they have in common, from 0 to 1."""
    here, there = word_counts(one), word_counts(other)
    whole = here.total() + there.total()
    return 2 * (here & there).total() / whole if whole else 1.0


def classify_change(old_html: str, new_html: str, *, similarity: Similarity | None = None) -> Severity:
    """What kind of change this is to a field.

    Structural is a change of cloze numbers, or one that leaves nearly nothing; `similarity` may say that a text with
    few words in common means the same.
    """
    if same_html(old_html, new_html):
        return "cosmetic"
    old, new = visible_text(old_html), visible_text(new_html)
    if _renumbered(old_html, new_html) or _replaced(old, new, similarity):
        return "structural"
    return "cosmetic" if old == new and _media(old_html) == _media(new_html) else "content"


def compare_fields(
    existing: Mapping[str, str],
    proposed: Mapping[str, str],
    *,
    same_model: bool = True,
    similarity: Similarity | None = None,
) -> CardDiffResult:
    """What writing the proposed fields would change in a card; fields that are not proposed are not compared.

    A field that the card does not have, or another note type, is a change of structure.
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
    """Whether cards come or go, or a number hides what another hid."""
    before, after = ({(each.number, each.hidden) for each in find_clozes(side)} for side in (old, new))
    if {number for number, _ in before} != {number for number, _ in after}:
        return True
    hidden_before = {hidden for _, hidden in before - after}
    return any(hidden in hidden_before for _, hidden in after - before)


def _replaced(old: str, new: str, similarity: Similarity | None) -> bool:
    """Whether nearly all that was there is gone."""
    if not old or text_similarity(old, new) >= _REPLACED:
        return False
    return not (new and similarity and similarity(old, new) >= _REWORDED)


def _media(html: str) -> list[str]:
    return _MEDIA.findall(html)
