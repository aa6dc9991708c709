"""The three sides of a card that was edited both in Anki and in its note, word by word."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from studium.core.domain.change import PublishedVersion
from studium.core.text.html import HtmlToken, token_keys, tokenize_html
from studium.core.text.three_way_merge import diff_tokens
from studium.web.parts.evidence import Piece


@dataclass(frozen=True)
class FieldSides:
    """One field as it was last published (if it ever was), as it is in Anki, and as the note has it.

    What is not as on the side it is compared with is marked.
    """

    field: str
    published: list[Piece] | None
    anki: list[Piece]
    proposed: list[Piece]


def three_sides(order: dict[str, Any], base: PublishedVersion | None) -> list[FieldSides]:
    """The fields that an order would overwrite; none, if it writes a new card."""
    here, wanted = order.get("expected", {}), order.get("fields", {})
    known = base.fields if base else {}
    return [_sides(field, known.get(field), here.get(field, ""), wanted[field]) for field in wanted]


def _sides(field: str, published: str | None, anki: str, proposed: str) -> FieldSides:
    here, new = tokenize_html(anki), tokenize_html(proposed)
    if published is None:
        return FieldSides(field, None, _marked(here, _changed(new, here)), _marked(new, _changed(here, new)))
    old = tokenize_html(published)
    lost = _changed(here, old) | _changed(new, old)
    return FieldSides(field, _marked(old, lost), _marked(here, _changed(old, here)), _marked(new, _changed(old, new)))


def _changed(base: Sequence[HtmlToken], side: Sequence[HtmlToken]) -> set[int]:
    """The places of the tokens of a side that are not as in the base."""
    hunks = diff_tokens(token_keys(base), token_keys(side))
    return {place for hunk in hunks for place in range(hunk.left, hunk.right)}


def _marked(side: Sequence[HtmlToken], changed: set[int]) -> list[Piece]:
    pieces: list[Piece] = []
    for place, token in enumerate(side):
        is_changed = place in changed
        if pieces and pieces[-1][1] == is_changed:
            pieces[-1] = (pieces[-1][0] + token.text, is_changed)
        else:
            pieces.append((token.text, is_changed))
    return pieces
