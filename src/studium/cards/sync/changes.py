"""Orders: what a sink has to do for one card, and what is to be remembered once it is done."""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field

from studium.anki.store import AnkiNote, MediaFile, NewNote
from studium.cards.models import CardDiffResult
from studium.core.domain.change import PublishedVersion
from studium.core.domain.errors import Conflict
from studium.core.domain.value import Value


class AnkiChange(Value):
    """One card's order. `fields` are those to be changed; a new card has those of its base, but for what is said here.

    `expected` is what stood in those fields when it was decided: an order is refused where they hold something else by
    then. `revive` takes a card back that was suspended because its source was gone. `base` is what the note says now,
    to be remembered as what we last wrote.
    """

    card_id: str
    kind: Literal["create", "update", "keep", "retire"]
    note: str
    line: int = 1
    note_type: str = ""
    deck: str = ""
    fields: dict[str, str] = Field(default_factory=dict)
    add_tags: tuple[str, ...] = ()
    remove_tags: tuple[str, ...] = ()
    move_to: str | None = None
    revive: bool = False
    media: tuple[MediaFile, ...] = ()
    anki_id: int | None = None
    expected: dict[str, str] = Field(default_factory=dict)
    base: PublishedVersion | None = None
    diff: CardDiffResult | None = None

    @property
    def whole_fields(self) -> dict[str, str]:
        """All fields of the card, as they are to be."""
        return (self.base.fields if self.base else {}) | self.fields

    def stored(self) -> dict[str, Any]:
        """The order as plans keep it: what it does not say is left out, for a plan holds one a card."""
        return self.model_dump(mode="json", exclude_defaults=True) | {"line": self.line}

    def new_note(self) -> NewNote:
        """The note to be added to Anki."""
        return NewNote(note_type=self.note_type, deck=self.deck, fields=self.whole_fields, tags=self.add_tags)

    def based(self, anki_id: int | None) -> dict[str, PublishedVersion]:
        """What to remember, now that the note has this id in Anki."""
        if self.base is None:
            return {}
        about: dict[str, Any] = self.base.about | {"anki_id": anki_id}
        return {self.card_id: self.base.model_copy(update={"about": about})}

    def recognised(self) -> dict[str, PublishedVersion]:
        """What to remember of a card that stands in Anki but was not written to: its fields there are its base."""
        base = self.based(self.anki_id)
        return {key: each.model_copy(update={"fields": each.fields | self.expected}) for key, each in base.items()}


SOURCE_GONE_TAG = "studium::source_gone"
"""The tag of a card whose source is gone."""


class NoteSnapshot(Value):
    """A note's fields, tags, decks and suspended cards, and the base that we had for it."""

    note: int
    fields: dict[str, str]
    tags: tuple[str, ...]
    decks: dict[int, str]
    suspended: tuple[int, ...]
    base: PublishedVersion | None


def snapshot_note(note: AnkiNote, base: PublishedVersion | None) -> dict[str, Any]:
    """The pre-image of a note, as the database keeps it."""
    return NoteSnapshot(
        note=note.id,
        fields=note.fields,
        tags=note.tags,
        decks={card.id: card.deck for card in note.cards},
        suspended=tuple(card.id for card in note.cards if card.suspended),
        base=base,
    ).model_dump(mode="json")


_FEW = 20  # so few changes are never suspicious, however small the collection


def check_change_limit(
    orders: Sequence[AnkiChange], known: int, *, max_deletions: int, max_change_percent: int
) -> None:
    """Refuse to retire or change more cards than the settings allow without a person's word."""
    retired = sum(order.kind == "retire" for order in orders)
    if retired > max_deletions:
        raise Conflict(
            f"{retired} cards would be suspended because their source is gone; at most {max_deletions} go unasked.",
            remedy="If the notes are really gone, add --allow-mass-change; else check the path of the vault.",
        )
    changed = sum(order.kind == "update" for order in orders) + retired
    if changed > _FEW and changed * 100 > known * max_change_percent:
        raise Conflict(
            f"{changed} of {known} known cards would change; at most {max_change_percent} % go unasked.",
            remedy="Look at `studium cards plan`, then run again with --allow-mass-change.",
        )
