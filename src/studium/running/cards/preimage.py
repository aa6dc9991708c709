"""Pre-images: a note of Anki as it was before we changed it, in JSON, so that it can be put back exactly."""

from typing import Any

from studium.core.domain.change import PublishedVersion
from studium.core.domain.value import Value
from studium.domain.anki import AnkiNote


class Preimage(Value):
    """A note's fields, tags, decks and suspended cards, and the base that we had for it."""

    note: int
    fields: dict[str, str]
    tags: tuple[str, ...]
    decks: dict[int, str]
    suspended: tuple[int, ...]
    base: PublishedVersion | None


def preimage(note: AnkiNote, base: PublishedVersion | None) -> dict[str, Any]:
    """The pre-image of a note, as the ledger keeps it."""
    return Preimage(
        note=note.id,
        fields=note.fields,
        tags=note.tags,
        decks={card.id: card.deck for card in note.cards},
        suspended=tuple(card.id for card in note.cards if card.suspended),
        base=base,
    ).model_dump(mode="json")
