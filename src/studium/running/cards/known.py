"""The cards that are known already: from the ledger, and from Anki where the ledger does not know them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from studium.core.domain.change import PublishedVersion
from studium.domain.anki import AnkiNote
from studium.domain.card import CardSource
from studium.domain.merging import visible_text
from studium.stores.anki.wordtype import WORD
from studium.workflows.cards.identity.matching import KnownCard, front_key, new_card_id


@dataclass(frozen=True)
class Known:
    """One known card: how it is recognised, and what we last wrote (None where nobody knows)."""

    card: KnownCard
    base: PublishedVersion | None


def known_cards(bases: Mapping[str, PublishedVersion], ours: Iterable[AnkiNote]) -> dict[str, Known]:
    """Every known card by its id. A card that only Anki knows comes from another computer, or a lost ledger."""
    known = {card_id: Known(_from_base(card_id, base), base) for card_id, base in bases.items()}
    for note in ours:
        # The words of songs are ours too, but no note of a vault asks for them.
        if note.card_id and note.card_id not in known and note.note_type != WORD:
            known[note.card_id] = Known(_from_anki(note.card_id, note), None)
    return known


def _from_base(card_id: str, base: PublishedVersion) -> KnownCard:
    about = base.about
    return KnownCard(
        card_id=card_id,
        anki_id=about.get("anki_id"),
        path=about.get("path", ""),
        order=about.get("order", 0),
        front_key=about.get("front_key", ""),
        content_key=about.get("content_key", ""),
        front=about.get("front", ""),
        back=about.get("back", ""),
    )


def _from_anki(card_id: str, note: AnkiNote) -> KnownCard:
    front = visible_text(note.fields.get("Front") or note.fields.get("Text") or "")
    return KnownCard(
        card_id=card_id,
        anki_id=note.id,
        path="",
        order=0,
        front_key=front_key(front),
        content_key="",
        front=front,
        back=visible_text(note.fields.get("Back", "")),
    )


def foreign_cards(found: Iterable[tuple[str, CardSource, AnkiNote]], known: Mapping[str, Known]) -> dict[str, Known]:
    """The cards that another tool has made, known by an id of ours from now on."""
    taken = {each.card.anki_id for each in known.values()}
    adopted: dict[str, Known] = {}
    for name, source, note in found:
        if note.id not in taken:
            card_id = new_card_id(source, {*known, *adopted})
            card = replace(_from_anki(card_id, note), path=name, front_key=front_key(source.front))
            adopted[card_id] = Known(card, None)
    return adopted
