"""Rechecks the cards that stand in Anki: which are stale, broken, doubled, forgotten again and again, or poor.

Nothing is changed in Anki, but for what a person wrote in the inbox in place of a card that was put there.
"""

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

from studium.core.domain.decision import Action, Decision, Plan
from studium.core.domain.errors import BadInput
from studium.core.domain.finding import Severity
from studium.core.runs.run_spec import RunItem, RunSpec, reject_item
from studium.domain.anki import AnkiStore
from studium.running.cards.applying import Applied, Applying
from studium.running.cards.order import Order
from studium.running.cards.pairing import CardSync
from studium.running.cards.scanning import Scan
from studium.running.cards.standing import Standing
from studium.running.cards.syncing import orders_of
from studium.stores.anki.notetypes import NOTE_TYPES
from studium.workflows.cards.rechecking.readback import content_fields
from studium.workflows.cards.rechecking.recheck import StandingCard, create_recheck_graph


@dataclass(frozen=True)
class Rechecking:
    """One recheck of a vault's cards; with `to_review`, what needs a person is put into the inbox."""

    sync: CardSync
    scan: Scan
    to_review: bool = False

    def job(self) -> RunSpec:
        """The job that judges every card that stands in Anki."""
        sync, standing = self.sync, Standing(self.sync, self._store, self.scan)
        return RunSpec(
            faculty="cards",
            arguments={"vault": str(sync.root.resolve()), "to": sync.to, "sink": sync.sink, "recheck": True},
            note=f"Recheck: {sync.vault_name}",
            graph=create_recheck_graph(sync.mind, sync.policy),
            items=[RunItem(note, partial(dict, cards=cards)) for note, cards in standing.notes().items()],
            decide=self._decide,
            item_limits=sync.limits,
            decided=[(item, [reject_item(item, finding)]) for item, finding in standing.missing()],
            accept=_accept,
        )

    def apply(self, plan: Plan) -> Applied:
        """Write what a person wrote in the inbox; a card that changed since is left alone and said."""
        sync = self.sync
        return Applying(sync.ledger, self._store, plan.run, sync.sink, NOTE_TYPES).carry_out(orders_of(plan.decisions))

    @property
    def _store(self) -> AnkiStore:
        if self.sync.store is None:
            raise BadInput("A package cannot be rechecked.", remedy="Write --to anki or --to FILE.anki2.")
        return self.sync.store

    def _decide(self, _item: RunItem, state: dict[str, Any]) -> list[Decision]:
        return [_doubt(card) if self.to_review and card.needs_a_person else _told(card) for card in state["cards"]]


def _told(card: StandingCard) -> Decision:
    reasons = tuple(finding.message for finding in card.findings)
    return Decision(item=card.item, action=Action.SKIP, reasons=reasons, findings=card.findings, score=card.score)


def _doubt(card: StandingCard) -> Decision:
    """The card put before a person, to be left as it is or to be written anew in the HTML that Anki has."""
    note = card.existing.anki
    fields = content_fields(note)
    order = Order(
        card_id=card.wanted.card_id,
        kind="update",
        note=card.where.path,
        line=card.wanted.line,
        note_type=note.note_type,
        anki_id=note.id,
        expected=fields,
    )
    known = {
        "action": Action.MANUAL_REVIEW,
        "proposal": {"fields": fields},
        "proposal_schema": _schema(list(fields)),
        "order": order.stored(),
    }
    return _told(card).model_copy(update=known)


def _accept(decision: Decision, proposal: dict[str, Any] | None) -> Decision:
    """Leave a card that was approved; write what a person wrote. The base stays, so that this is the person's edit."""
    order = Order.model_validate(decision.order)
    written = (proposal or {}).get("fields", {})
    fields = {name: text for name, text in written.items() if text != order.expected[name]}
    if not fields:
        return decision.model_copy(update={"action": Action.SKIP, "order": None})
    expected = {name: order.expected[name] for name in fields}
    order = order.model_copy(update={"fields": fields, "expected": expected})
    known = {"action": Action.UPDATE, "proposal": proposal, "order": order.stored()}
    return decision.model_copy(update=known)


def _schema(names: list[str]) -> dict[str, Any]:
    texts = {
        "type": "object",
        "properties": {name: {"type": "string"} for name in names},
        "additionalProperties": False,
    }
    return {"type": "object", "properties": {"fields": texts}, "required": ["fields"], "additionalProperties": False}


def worst_first(plan: Plan) -> list[Decision]:
    """The cards of which something was found."""
    faulty = [decision for decision in plan.decisions if decision.findings]
    return sorted(faulty, key=lambda each: (-_weight(each), each.score if each.score is not None else 1, each.item))


def _weight(decision: Decision) -> int:
    return sum(finding.severity is not Severity.INFO for finding in decision.findings)


def count_faults(plan: Plan) -> dict[str, int]:
    """How often each fault was found."""
    return dict(Counter(finding.code for decision in plan.decisions for finding in decision.findings).most_common())
