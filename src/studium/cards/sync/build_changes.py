"""From what the pipeline decided about a card to the order for the sink and the decision for the database."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from studium.anki.store import AnkiNote, RenderedCard
from studium.cards.graph import RenderCard
from studium.cards.merge import remembered_tags
from studium.cards.models import CardDiffResult, CardSource, ProposedCard
from studium.cards.state import CardComparison, DecidedCard, ExistingCard
from studium.cards.sync.changes import SOURCE_GONE_TAG, AnkiChange
from studium.cards.sync.match import COMPARED_CHARS, content_key, front_key
from studium.core.domain.change import PublishedVersion
from studium.core.domain.decision import Action, Decision

_SCHEMA = ProposedCard.model_json_schema()


@dataclass(frozen=True)
class ChangeBuilder:
    """Makes the orders of one note."""

    note: str
    sources: Mapping[str, tuple[int, CardSource]]
    existing: Mapping[str, ExistingCard]
    render: RenderCard

    def decision(self, decided: DecidedCard) -> Decision:
        """The decision about one card, with the order that carries it out."""
        card = decided.decision.proposed_card
        order = self._order(decided, card, self._rendered(decided, card)) if card else None
        action = decided.decision.action
        if action is Action.SKIP and order and order.kind == "update":
            action = Action.UPDATE
        return Decision(
            item=f"{self.note}#{decided.card_id}",
            action=action,
            reasons=decided.decision.messages,
            findings=decided.findings,
            evidence=decided.evidence,
            proposal=card.model_dump(mode="json") if card else None,
            proposal_schema=_SCHEMA if card and action is Action.MANUAL_REVIEW else None,
            order=order.stored() if order else None,
            score=decided.score,
        )

    def _rendered(self, decided: DecidedCard, card: ProposedCard) -> RenderedCard:
        """The card as Anki shows it; one that waits for a person must be ready to be written when it is approved."""
        _, source = self.sources.get(decided.card_id, (0, None))
        return decided.rendered or self.render(card, self.note, source.heading if source else "", decided.card_id)

    def _order(self, decided: DecidedCard, card: ProposedCard, rendered: RenderedCard) -> AnkiChange:
        existing = self.existing.get(decided.card_id)
        order = AnkiChange(
            card_id=decided.card_id,
            kind="create",
            note=self.note,
            line=decided.line,
            note_type=rendered.note_type,
            deck=card.deck_name,
            add_tags=card.tags,
            media=rendered.media,
            base=PublishedVersion(fields=rendered.fields, about=self._about(decided, card, rendered)),
            diff=decided.decision.diff,
        )
        return self._as_update(order, decided, existing) if existing else order

    def _as_update(self, order: AnkiChange, decided: DecidedCard, existing: ExistingCard) -> AnkiChange:
        merged = decided.comparison or CardComparison(
            CardDiffResult(), RenderedCard(note_type=order.note_type, fields={})
        )
        # A doubt carries the note's whole side, for the case that the person takes it.
        doubtful = decided.decision.action is Action.MANUAL_REVIEW
        writes = changed_fields(order.whole_fields, existing.anki) if doubtful else dict(merged.writes)
        was_gone = SOURCE_GONE_TAG in existing.anki.tags
        return order.model_copy(
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

    def _about(self, decided: DecidedCard, card: ProposedCard, rendered: RenderedCard) -> dict[str, Any]:
        """What the card is known by, beside its fields."""
        existing = self.existing.get(decided.card_id)
        place, source = self.sources.get(decided.card_id, (0, None))
        tags = remembered_tags(existing.base_tags, existing.anki.tags, card.tags) if existing else card.tags
        return {
            "note_type": rendered.note_type,
            "deck": card.deck_name,
            "tags": list(tags),
            "path": self.note,
            "order": place,
            "wanted_key": decided.content_key,
            "media": [file.model_dump() for file in rendered.media],
            **(_identity_keys(source) if source else {"derived": True}),
        }


def _identity_keys(source: CardSource) -> dict[str, str]:
    return {
        "front": source.front,
        "back": source.back[:COMPARED_CHARS],
        "front_key": front_key(source.front),
        "content_key": content_key(source),
    }


def changed_fields(fields: Mapping[str, str], note: AnkiNote) -> dict[str, str]:
    """The fields that a note of Anki has, and has differently."""
    return {name: text for name, text in fields.items() if name in note.fields and note.fields[name] != text}
