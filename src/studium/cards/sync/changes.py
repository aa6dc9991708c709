"""The change that a sync makes to one card in Anki, what is remembered of it, and how both are built."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import AliasChoices, ConfigDict, Field

from studium.anki.store import AnkiNote, MediaFile, NewNote, RenderedCard
from studium.cards.merge import remembered_tags
from studium.cards.models import CardDiffResult, CardSource, ProposedCard
from studium.cards.state import CardComparison, DecidedCard, ExistingCard, RenderCard
from studium.cards.sync.match import COMPARED_CHARS, content_key, front_key
from studium.core.database import Database
from studium.core.domain.decision import Action, Decision, PublishedVersion
from studium.core.domain.errors import Conflict
from studium.core.domain.value import Value

SOURCE_GONE_TAG = "studium::source_gone"
"""The tag of a card whose source is gone."""

_PROPOSAL_SCHEMA = ProposedCard.model_json_schema()
_ALWAYS_ALLOWED = 20  # a change this small is never suspicious, however small the collection


class CardDetails(Value):
    """What is known of a published card besides its fields: its note in Anki, its source, and its recognition keys.

    `derived` cards are about one section of an answer and have no source of their own; `retired` cards are suspended
    because their source is gone; `published` holds the fields that a package holds differently from the note.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    anki_id: int | None = None
    note_type: str = ""
    deck: str = ""
    tags: tuple[str, ...] = ()
    media: tuple[MediaFile, ...] = ()
    path: str = ""
    order: int = 0
    spec_key: str = Field(default="", validation_alias=AliasChoices("spec_key", "wanted_key"))
    front: str = ""
    back: str = ""
    front_key: str = ""
    content_key: str = ""
    derived: bool = False
    retired: bool = False
    published: dict[str, str] = Field(default_factory=dict)


class PublishedCard(Value):
    """A card as we last wrote it: the fields as the note gave them, and the details."""

    fields: dict[str, str]
    about: CardDetails = Field(default_factory=CardDetails)

    @property
    def packaged_fields(self) -> dict[str, str]:
        """The fields that a package holds: those of the note, except what a person wrote in a review."""
        return self.fields | self.about.published

    def with_details(self, **details: Any) -> "PublishedCard":
        """The same card with some details replaced."""
        return self.model_copy(update={"about": self.about.model_copy(update=details)})


def load_published(database: Database, destination: str) -> dict[str, PublishedCard]:
    """Every card that we published in this destination, by its id."""
    return {
        card_id: PublishedCard(fields=version.fields, about=CardDetails.model_validate(version.about))
        for card_id, version in database.published.versions(destination).items()
    }


def load_details(database: Database, destination: str) -> dict[str, CardDetails]:
    """The details of every card that we published in this destination; much quicker than `load_published`."""
    details = database.published.details(destination)
    return {card_id: CardDetails.model_validate(each) for card_id, each in details.items()}


def save_published(database: Database, destination: str, cards: Mapping[str, PublishedCard]) -> None:
    """Remember these cards as published."""
    database.published.save(destination, as_versions(cards))


def as_versions(cards: Mapping[str, PublishedCard]) -> dict[str, PublishedVersion]:
    """The cards as the database stores them."""
    return {
        card_id: PublishedVersion(fields=card.fields, about=card.about.model_dump(mode="json", exclude_defaults=True))
        for card_id, card in cards.items()
    }


class AnkiChange(Value):
    """What to do in Anki for one card.

    `fields` are the fields to write; for a new card they are added to those of `base`. `expected` is what those fields
    held when the change was decided: if they hold something else by then, the change is refused. `revive` unsuspends a
    card whose source came back. `base` is what to remember once the change is made.
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
    base: PublishedCard | None = None
    diff: CardDiffResult | None = None

    @classmethod
    def of(cls, decision: Decision) -> "AnkiChange | None":
        """The change that a decision asks for, if it asks for one."""
        return cls.model_validate(decision.change) if decision.change else None

    @property
    def all_fields(self) -> dict[str, str]:
        """All fields of the card as they will be."""
        return (self.base.fields if self.base else {}) | self.fields

    def to_json(self) -> dict[str, Any]:
        """The change as plans store it, without defaults: a plan holds one for each card."""
        return self.model_dump(mode="json", exclude_defaults=True) | {"line": self.line}

    def new_note(self) -> NewNote:
        """The note to add to Anki."""
        return NewNote(note_type=self.note_type, deck=self.deck, fields=self.all_fields, tags=self.add_tags)

    def published_version(self, anki_id: int | None) -> dict[str, PublishedCard]:
        """What to remember now that the note has this id in Anki."""
        return {self.card_id: self.base.with_details(anki_id=anki_id)} if self.base else {}

    def recognised_version(self) -> dict[str, PublishedCard]:
        """What to remember of a card that was found in Anki but not written: the fields it has there."""
        found = self.published_version(self.anki_id)
        return {key: card.model_copy(update={"fields": card.fields | self.expected}) for key, card in found.items()}


class NoteSnapshot(Value):
    """A note as it was before a change: fields, tags, decks, suspended cards, and what we had published."""

    note: int
    fields: dict[str, str]
    tags: tuple[str, ...]
    decks: dict[int, str]
    suspended: tuple[int, ...]
    base: PublishedCard | None


def snapshot_note(note: AnkiNote, published: PublishedCard | None) -> dict[str, Any]:
    """The snapshot of a note, as the database stores it."""
    return NoteSnapshot(
        note=note.id,
        fields=note.fields,
        tags=note.tags,
        decks={card.id: card.deck for card in note.cards},
        suspended=tuple(card.id for card in note.cards if card.suspended),
        base=published,
    ).model_dump(mode="json")


@dataclass(frozen=True)
class ChangeLimit:
    """How many cards one sync may suspend or change without `--allow-mass-change`."""

    max_deletions: int
    max_change_percent: int

    def check(self, changes: Sequence[AnkiChange], known: int) -> None:
        """Raise a Conflict if the changes exceed the limit; `known` is the number of published cards."""
        retired = sum(change.kind == "retire" for change in changes)
        if retired > self.max_deletions:
            raise Conflict(
                f"{retired} cards would be suspended because their source is gone; "
                f"the limit (cards.max_deletions) is {self.max_deletions}.",
                remedy="If you did delete the notes, add --allow-mass-change; otherwise check the path of the vault.",
            )
        changed = sum(change.kind == "update" for change in changes) + retired
        if changed > _ALWAYS_ALLOWED and changed * 100 > known * self.max_change_percent:
            raise Conflict(
                f"{changed} of {known} known cards would change; "
                f"the limit (cards.max_change_percent) is {self.max_change_percent} %.",
                remedy="Check `studium cards plan`, then run again with --allow-mass-change.",
            )


def note_of(decision: Decision) -> str:
    """The note that a decision is about, by its path in the vault."""
    return decision.item.rpartition("#")[0] or decision.item


@dataclass(frozen=True)
class ChangeBuilder:
    """Turns what the pipeline decided about the cards of one note into decisions with changes."""

    note: str
    sources: Mapping[str, tuple[int, CardSource]]
    existing: Mapping[str, ExistingCard]
    render: RenderCard

    def decision(self, decided: DecidedCard) -> Decision:
        """The decision about one card, with the change that carries it out."""
        card = decided.decision.proposed_card
        change = self._change(decided, card, self._rendered(decided, card)) if card else None
        action = decided.decision.action
        if action is Action.SKIP and change and change.kind == "update":
            action = Action.UPDATE
        return Decision(
            item=f"{self.note}#{decided.card_id}",
            action=action,
            reasons=decided.decision.messages,
            findings=decided.findings,
            evidence=decided.evidence,
            proposal=card.model_dump(mode="json") if card else None,
            proposal_schema=_PROPOSAL_SCHEMA if card and action is Action.MANUAL_REVIEW else None,
            change=change.to_json() if change else None,
            score=decided.score,
        )

    def _rendered(self, decided: DecidedCard, card: ProposedCard) -> RenderedCard:
        """The card as Anki shows it; a card in review is rendered too, so that it can be written once approved."""
        _, source = self.sources.get(decided.card_id, (0, None))
        return decided.rendered or self.render(card, self.note, source.heading if source else "", decided.card_id)

    def _change(self, decided: DecidedCard, card: ProposedCard, rendered: RenderedCard) -> AnkiChange:
        existing = self.existing.get(decided.card_id)
        change = AnkiChange(
            card_id=decided.card_id,
            kind="create",
            note=self.note,
            line=decided.line,
            note_type=rendered.note_type,
            deck=card.deck_name,
            add_tags=card.tags,
            media=rendered.media,
            base=PublishedCard(fields=rendered.fields, about=self._details(decided, card, rendered)),
            diff=decided.decision.diff,
        )
        return self._as_update(change, decided, existing) if existing else change

    def _as_update(self, change: AnkiChange, decided: DecidedCard, existing: ExistingCard) -> AnkiChange:
        merged = decided.comparison or CardComparison(
            CardDiffResult(), RenderedCard(note_type=change.note_type, fields={})
        )
        # A review carries all fields of the note's side, in case the person approves it.
        in_review = decided.decision.action is Action.MANUAL_REVIEW
        writes = changed_fields(change.all_fields, existing.anki) if in_review else dict(merged.writes)
        was_gone = SOURCE_GONE_TAG in existing.anki.tags
        return change.model_copy(
            update={
                "kind": "update" if writes or merged.moves or was_gone else "keep",
                "anki_id": existing.anki.id,
                "fields": writes,
                "expected": {name: existing.anki.fields.get(name, "") for name in writes},
                "add_tags": merged.add_tags,
                "remove_tags": (*merged.remove_tags, SOURCE_GONE_TAG) if was_gone else merged.remove_tags,
                "move_to": merged.move_to,
                "revive": was_gone,
            }
        )

    def _details(self, decided: DecidedCard, card: ProposedCard, rendered: RenderedCard) -> CardDetails:
        existing = self.existing.get(decided.card_id)
        order, source = self.sources.get(decided.card_id, (0, None))
        tags = remembered_tags(existing.base_tags, existing.anki.tags, card.tags) if existing else card.tags
        details = CardDetails(
            note_type=rendered.note_type,
            deck=card.deck_name,
            tags=tuple(tags),
            path=self.note,
            order=order,
            spec_key=decided.content_key,
            media=rendered.media,
            derived=source is None,
        )
        return details.model_copy(update=_recognition_keys(source)) if source else details


def _recognition_keys(source: CardSource) -> dict[str, str]:
    return {
        "front": source.front,
        "back": source.back[:COMPARED_CHARS],
        "front_key": front_key(source.front),
        "content_key": content_key(source),
    }


def changed_fields(fields: Mapping[str, str], note: AnkiNote) -> dict[str, str]:
    """The fields that a note in Anki has with another text."""
    return {name: text for name, text in fields.items() if name in note.fields and note.fields[name] != text}
