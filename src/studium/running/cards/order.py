"""Orders: what a sink has to do for one card, and what is to be remembered once it is done."""

from typing import Any, Literal

from pydantic import Field

from studium.core.domain.change import PublishedVersion
from studium.core.domain.value import Value
from studium.domain.anki import MediaFile, NewNote
from studium.domain.card import CardDiffResult


class Order(Value):
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


GONE_TAG = "studium::source_gone"
"""The tag of a card whose source is gone."""
