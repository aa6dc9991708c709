"""Keeps a vault and a sink in step: plan, apply, and remember which notes are settled."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from studium.core.domain.change import FileState, PublishedVersion
from studium.core.domain.decision import Action, Decision, Plan
from studium.core.runs.runner import Runner
from studium.domain.anki import ID_FIELD, AnkiStore
from studium.readers.notes.marking import MarkerStyle
from studium.running.cards.applying import Applied, Applying
from studium.running.cards.blast import check_blast_radius
from studium.running.cards.marking import mark_notes
from studium.running.cards.order import Order
from studium.running.cards.packaging import publish_package
from studium.running.cards.pairing import CardSync
from studium.running.cards.recovering import recover
from studium.running.cards.scanning import Scan
from studium.stores.anki.notetypes import NOTE_TYPES


@dataclass(frozen=True)
class Radius:
    """How much may change unasked."""

    max_deletions: int
    max_change_percent: int


@dataclass(frozen=True)
class Synced:
    """What a sync came to: the plan, what was carried out, and the notes that were looked at."""

    plan: Plan
    scan: Scan
    applied: Applied = field(default_factory=Applied)

    @property
    def unchanged(self) -> int:
        """How many notes had not changed."""
        return len(self.scan.names) - len(self.scan.changed)


@dataclass
class Syncing:
    """One sync. `package` is the file to be written where the sink is one; without a `radius` anything goes."""

    sync: CardSync
    scan: Scan
    package: Path | None = None
    radius: Radius | None = None
    adopt: bool = False
    markers: MarkerStyle | None = None

    async def plan(self, runner: Runner, *, resume: bool = False) -> Plan:
        """Decide on every card of every changed note; nothing but the ledger is written."""
        store = self.sync.store
        if store:
            recover(self.sync.ledger, store, self.sync.sink)
        standing = self._standing()
        if store and not self.adopt:
            self.scan = self.scan.also(_gone_from(store, standing))
        if not self._anything_to_do(standing):
            return Plan(run="", faculty="cards", decisions=())
        # Only now: what decides is far heavier to load than what notices that there is nothing to decide.
        from studium.running.cards.planning import Planning

        return (
            await runner.run(Planning(self.sync, self.scan, self._bases, adopt=self.adopt).job(), resume=resume)
        ).plan

    def apply(self, plan: Plan) -> Applied:
        """Carry the plan out; where more would change than is allowed, nothing is."""
        orders = orders_of(plan.decisions)
        if self.radius:
            check_blast_radius(
                orders,
                len(self._known),
                max_deletions=self.radius.max_deletions,
                max_change_percent=self.radius.max_change_percent,
            )
        applied = self._write(plan.run, orders)
        marked = mark_notes(self.scan.changed, _ids_by_note(orders), self.markers) if self.markers else {}
        self._remember_seen(plan, applied, marked)
        return applied

    def remember(self, plan: Plan) -> None:
        """Remember the cards that were recognised in Anki; what is still to be written there, the next sync writes."""
        for order in orders_of(plan.decisions):
            if order.anki_id is not None:
                self.sync.ledger.published.save(self.sync.sink, order.recognised())

    def synced(self, plan: Plan, applied: Applied | None = None) -> Synced:
        """What this sync came to."""
        return Synced(plan, self.scan, applied or Applied())

    def _standing(self) -> list[dict[str, Any]]:
        """What is known of the cards that should stand in the sink."""
        return [about for about in self._known.values() if not about.get("retired")]

    @cached_property
    def _bases(self) -> dict[str, PublishedVersion]:
        return self.sync.ledger.published.versions(self.sync.sink)

    @cached_property
    def _known(self) -> dict[str, dict[str, Any]]:
        return self.sync.ledger.published.details(self.sync.sink)

    def _anything_to_do(self, standing: Sequence[Mapping[str, Any]]) -> bool:
        """Whether a note changed or went, or a package is missing; otherwise nothing needs to be decided."""
        if self.scan.changed or self.scan.findings or (self.package and not self.package.exists()):
            return True
        return self.scan.whole and any(about["path"] not in self.scan.names for about in standing)

    def _write(self, run: str, orders: Sequence[Order]) -> Applied:
        sync = self.sync
        if sync.store:
            return Applying(sync.ledger, sync.store, run, sync.sink, NOTE_TYPES).carry_out(orders)
        applied = Applied(done=[order.card_id for order in orders if order.kind != "keep"])
        if self.package and (orders or not self.package.exists()):
            applied.media += publish_package(sync.ledger, sync.sink, self.package, self._bases, orders)
        return applied

    def _remember_seen(self, plan: Plan, applied: Applied, marked: Mapping[str, FileState]) -> None:
        """A note is settled when none of its cards waits for a person or was refused."""
        unsettled = {
            _note_of(decision)
            for decision in plan.decisions
            if decision.action is Action.MANUAL_REVIEW
            or (decision.order and decision.order["card_id"] in applied.refused)
        }
        seen: dict[str, FileState | None] = {
            file.name: None if file.name in unsettled else marked.get(file.name, file.seen)
            for file in self.scan.changed
        }
        self.sync.ledger.published.save_file_states(self.sync.sink, seen)


def _gone_from(store: AnkiStore, standing: Sequence[Mapping[str, Any]]) -> set[str]:
    """The notes of cards that someone deleted in Anki: they are made again."""
    if not standing:
        return set()
    there = set(store.find(f"{ID_FIELD}:_*"))
    missing = [about for about in standing if about["anki_id"] not in there]
    # A card that another tool made has no id of ours to be found by.
    found = store.notes([about["anki_id"] for about in missing]) if missing else {}
    return {about["path"] for about in missing if about["anki_id"] not in found}


def orders_of(decisions: Sequence[Decision]) -> list[Order]:
    """The orders of what was decided; what waits for a person has none, and a skipped card is only remembered."""
    orders: dict[str, Order] = {}
    for decision in decisions:
        if decision.order is None or decision.action is Action.MANUAL_REVIEW:
            continue
        order = Order.model_validate(decision.order)
        if decision.action is not Action.SKIP or order.kind == "keep":
            # Of a note that changed while the run was interrupted, the later decision holds.
            orders[order.card_id] = order
    return list(orders.values())


def _ids_by_note(orders: Sequence[Order]) -> dict[str, dict[str, str]]:
    """The ids of each note's cards, by what the cards say."""
    ids: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for order in orders:
        if order.base and (key := order.base.about.get("content_key")):
            ids[order.note][key] = order.card_id
    return ids


def _note_of(decision: Decision) -> str:
    return decision.item.rpartition("#")[0] or decision.item
