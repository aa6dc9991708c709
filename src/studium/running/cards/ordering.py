"""From what the pipeline decided about a card to the order for the sink and the decision for the ledger."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from studium.core.domain.change import PublishedVersion
from studium.core.domain.decision import Action, Decision
from studium.domain.anki import AnkiNote, RenderedCard
from studium.domain.card import CardDiffResult, CardSource, ProposedCard
from studium.domain.merging import remembered_tags
from studium.running.cards.order import GONE_TAG, Order
from studium.workflows.cards.graph import Render
from studium.workflows.cards.identity.matching import LOOKED_AT, content_key, front_key
from studium.workflows.cards.state import Comparison, DecidedCard, ExistingCard

_SCHEMA = ProposedCard.model_json_schema()


@dataclass(frozen=True)
class Ordering:
    """Makes the orders of one note."""

    note: str
    sources: Mapping[str, tuple[int, CardSource]]
    existing: Mapping[str, ExistingCard]
    render: Render

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

    def _order(self, decided: DecidedCard, card: ProposedCard, rendered: RenderedCard) -> Order:
        existing = self.existing.get(decided.card_id)
        order = Order(
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

    def _as_update(self, order: Order, decided: DecidedCard, existing: ExistingCard) -> Order:
        merged = decided.comparison or Comparison(CardDiffResult(), RenderedCard(note_type=order.note_type, fields={}))
        # A doubt carries the note's whole side, for the case that the person takes it.
        doubtful = decided.decision.action is Action.MANUAL_REVIEW
        writes = differing(order.whole_fields, existing.anki) if doubtful else dict(merged.writes)
        was_gone = GONE_TAG in existing.anki.tags
        return order.model_copy(
            update={
                "kind": "update" if writes or merged.moves or was_gone else "keep",
                "anki_id": existing.anki.id,
                "fields": writes,
                "expected": {name: existing.anki.fields.get(name, "") for name in writes},
                "add_tags": merged.add_tags,
                "remove_tags": (*merged.remove_tags, GONE_TAG) if was_gone else merged.remove_tags,
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
            **(_recognised_by(source) if source else {"derived": True}),
        }


def _recognised_by(source: CardSource) -> dict[str, str]:
    return {
        "front": source.front,
        "back": source.back[:LOOKED_AT],
        "front_key": front_key(source.front),
        "content_key": content_key(source),
    }


def differing(fields: Mapping[str, str], note: AnkiNote) -> dict[str, str]:
    """The fields that a note of Anki has, and has differently."""
    return {name: text for name, text in fields.items() if name in note.fields and note.fields[name] != text}
