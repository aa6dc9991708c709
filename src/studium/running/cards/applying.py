"""Carries orders out in Anki: each change is written down with its pre-image before it is made.

    plan_changes (ledger)  →  write (Anki)  →  settle_changes + bases (ledger)

Whatever dies in between, `recovering` finds the planned change and looks in Anki whether it was made.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from studium.core.database import Database
from studium.core.domain.change import Change, ChangeStatus, PublishedVersion
from studium.core.domain.finding import Finding, Locator, Severity
from studium.domain.anki import AnkiNote, AnkiStore, NoteType
from studium.running.cards.order import Order
from studium.running.cards.preimage import preimage

# A store writes by the hundred itself; each call of it costs a few requests more.
TOGETHER = 500


@dataclass
class Applied:
    """What was carried out, and what was not."""

    done: list[str] = field(default_factory=list)
    refused: dict[str, Finding] = field(default_factory=dict)
    media: list[Finding] = field(default_factory=list)

    @property
    def faults(self) -> list[Finding]:
        """Whatever was not carried out."""
        return [*self.refused.values(), *self.media]


@dataclass(frozen=True)
class Applying:
    """Carries the orders of one run out in one collection."""

    ledger: Database
    store: AnkiStore
    run: str
    sink: str
    note_types: Sequence[NoteType]

    def carry_out(self, orders: Sequence[Order]) -> Applied:
        """Carry the orders out, some hundreds at a time, and say what was refused."""
        applied = Applied()
        self.ledger.published.save(self.sink, _kept(orders))
        if not (active := [order for order in orders if order.kind != "keep"]):
            return applied
        self.store.add_note_types(self.note_types)
        applied.media += self.store.store_media([file for order in active for file in order.media])
        notes = self._standing(active)
        for batch in _batches([order for order in active if order.anki_id not in notes and order.kind != "retire"]):
            self._create(batch, applied)
        for batch in _batches([order for order in active if order.anki_id in notes]):
            self._change(batch, notes, applied)
        return applied

    def _standing(self, orders: Sequence[Order]) -> dict[int, AnkiNote]:
        ids = [order.anki_id for order in orders if order.anki_id is not None]
        return self.store.notes(ids) if ids else {}

    def _create(self, orders: Sequence[Order], applied: Applied) -> None:
        whole = [_whole(order) for order in orders]
        planned = [Change(key=order.card_id, kind="create", before=None, after=order.stored()) for order in whole]
        changes = self.ledger.changes.plan(self.run, self.sink, planned)
        results = self.store.add([order.new_note() for order in whole])
        outcomes: dict[int, ChangeStatus] = {}
        published: dict[str, PublishedVersion] = {}
        for order, change, result in zip(whole, changes, results, strict=True):
            if isinstance(result, Finding):
                applied.refused[order.card_id] = result
                outcomes[change.position] = ChangeStatus.REFUSED
            else:
                applied.done.append(order.card_id)
                outcomes[change.position] = ChangeStatus.APPLIED
                published |= order.based(result)
        self.ledger.changes.finish(self.run, self.sink, outcomes, published)

    def _change(self, orders: Sequence[Order], notes: dict[int, AnkiNote], applied: Applied) -> None:
        current = [(order, notes[order.anki_id]) for order in orders if order.anki_id is not None]
        for order, note in current:
            if touched := _touched(order, note):
                applied.refused[order.card_id] = _changed_meanwhile(order, touched)
        fitting = [(order, note) for order, note in current if order.card_id not in applied.refused]
        bases = self.ledger.published.versions(self.sink) if fitting else {}
        planned = [
            Change(
                key=order.card_id,
                kind=order.kind,
                before=preimage(note, bases.get(order.card_id)),
                after=order.stored(),
            )
            for order, note in fitting
        ]
        changes = self.ledger.changes.plan(self.run, self.sink, planned)
        refused = write_orders(self.store, fitting)
        outcomes: dict[int, ChangeStatus] = {}
        published: dict[str, PublishedVersion] = {}
        for (order, note), change in zip(fitting, changes, strict=True):
            if finding := refused.get(note.id):
                applied.refused[order.card_id] = finding
                outcomes[change.position] = ChangeStatus.REFUSED
            else:
                applied.done.append(order.card_id)
                outcomes[change.position] = ChangeStatus.APPLIED
                published |= order.based(note.id)
        self.ledger.changes.finish(self.run, self.sink, outcomes, published)


def write_orders(store: AnkiStore, orders: Sequence[tuple[Order, AnkiNote]]) -> dict[int, Finding]:
    """Write what these orders say to the notes they are for; what did not take is said by note."""
    fields = {note.id: order.fields for order, note in orders if order.fields}
    refused = store.update_fields(fields) if fields else {}
    tags = {
        note.id: (order.add_tags, order.remove_tags)
        for order, note in orders
        if note.id not in refused and (order.add_tags or order.remove_tags)
    }
    store.change_tags(tags)
    for deck in {order.move_to for order, _ in orders if order.move_to}:
        store.move([card.id for order, note in orders if order.move_to == deck for card in note.cards], deck)
    for suspended, chosen in ((True, _retiring), (False, _reviving)):
        if cards := [card.id for order, note in orders if chosen(order) for card in note.cards]:
            store.suspend(cards, suspended=suspended)
    return refused


def _retiring(order: Order) -> bool:
    return order.kind == "retire"


def _reviving(order: Order) -> bool:
    return order.revive


def _whole(order: Order) -> Order:
    """An order for a note that is to be made; one that is gone from Anki is made again from what the note says."""
    tags = order.add_tags if order.kind == "create" or order.base is None else tuple(order.base.about["tags"])
    fields = order.whole_fields if order.kind == "create" or order.base is None else order.base.fields
    return order.model_copy(update={"kind": "create", "fields": fields, "add_tags": tags})


def _touched(order: Order, note: AnkiNote) -> list[str]:
    """The fields that hold something else than when it was decided."""
    return [name for name, text in order.expected.items() if note.fields.get(name) != text]


def _changed_meanwhile(order: Order, fields: Sequence[str]) -> Finding:
    return Finding(
        code="card.changed_meanwhile",
        severity=Severity.WARNING,
        message=f"{', '.join(fields)} was edited in Anki after this was decided; nothing was written. Sync again.",
        where=Locator(path=order.note),
    )


def _kept(orders: Sequence[Order]) -> dict[str, PublishedVersion]:
    kept: dict[str, PublishedVersion] = {}
    for order in orders:
        if order.kind == "keep":
            kept |= order.based(order.anki_id)
    return kept


def _batches(orders: Sequence[Order]) -> Iterator[Sequence[Order]]:
    for start in range(0, len(orders), TOGETHER):
        yield orders[start : start + TOGETHER]
