"""Carries orders out in Anki: each change is written down with its pre-image before it is made.

    plan_changes (database)  →  write (Anki)  →  settle_changes + bases (database)

Whatever dies in between, `recovering` finds the planned change and looks in Anki whether it was made.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from studium.anki.package import write_package
from studium.anki.store import AnkiNote, AnkiStore, MediaFile, NewNote, NoteType
from studium.cards.sync.changes import AnkiChange, snapshot_note
from studium.core.database import Database
from studium.core.domain.change import Change, ChangeStatus, PublishedVersion
from studium.core.domain.finding import Finding, Locator, Severity

# A store writes by the hundred itself; each call of it costs a few requests more.
BATCH_SIZE = 500


@dataclass
class ApplyResult:
    """What was carried out, and what was not."""

    done: list[str] = field(default_factory=list)
    refused: dict[str, Finding] = field(default_factory=dict)
    media: list[Finding] = field(default_factory=list)

    @property
    def faults(self) -> list[Finding]:
        """Whatever was not carried out."""
        return [*self.refused.values(), *self.media]


@dataclass(frozen=True)
class ChangeApplier:
    """Carries the orders of one run out in one collection."""

    database: Database
    store: AnkiStore
    run: str
    sink: str
    note_types: Sequence[NoteType]

    def carry_out(self, orders: Sequence[AnkiChange]) -> ApplyResult:
        """Carry the orders out, some hundreds at a time, and say what was refused."""
        applied = ApplyResult()
        self.database.published.save(self.sink, _kept_versions(orders))
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

    def _standing(self, orders: Sequence[AnkiChange]) -> dict[int, AnkiNote]:
        ids = [order.anki_id for order in orders if order.anki_id is not None]
        return self.store.notes(ids) if ids else {}

    def _create(self, orders: Sequence[AnkiChange], applied: ApplyResult) -> None:
        whole = [_as_creation(order) for order in orders]
        planned = [Change(key=order.card_id, kind="create", before=None, after=order.stored()) for order in whole]
        changes = self.database.changes.plan(self.run, self.sink, planned)
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
        self.database.changes.finish(self.run, self.sink, outcomes, published)

    def _change(self, orders: Sequence[AnkiChange], notes: dict[int, AnkiNote], applied: ApplyResult) -> None:
        current = [(order, notes[order.anki_id]) for order in orders if order.anki_id is not None]
        for order, note in current:
            if touched := _edited_fields(order, note):
                applied.refused[order.card_id] = _changed_meanwhile(order, touched)
        fitting = [(order, note) for order, note in current if order.card_id not in applied.refused]
        bases = self.database.published.versions(self.sink) if fitting else {}
        planned = [
            Change(
                key=order.card_id,
                kind=order.kind,
                before=snapshot_note(note, bases.get(order.card_id)),
                after=order.stored(),
            )
            for order, note in fitting
        ]
        changes = self.database.changes.plan(self.run, self.sink, planned)
        refused = write_changes(self.store, fitting)
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
        self.database.changes.finish(self.run, self.sink, outcomes, published)


def write_changes(store: AnkiStore, orders: Sequence[tuple[AnkiChange, AnkiNote]]) -> dict[int, Finding]:
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


def _retiring(order: AnkiChange) -> bool:
    return order.kind == "retire"


def _reviving(order: AnkiChange) -> bool:
    return order.revive


def _as_creation(order: AnkiChange) -> AnkiChange:
    """An order for a note that is to be made; one that is gone from Anki is made again from what the note says."""
    tags = order.add_tags if order.kind == "create" or order.base is None else tuple(order.base.about["tags"])
    fields = order.whole_fields if order.kind == "create" or order.base is None else order.base.fields
    return order.model_copy(update={"kind": "create", "fields": fields, "add_tags": tags})


def _edited_fields(order: AnkiChange, note: AnkiNote) -> list[str]:
    """The fields that hold something else than when it was decided."""
    return [name for name, text in order.expected.items() if note.fields.get(name) != text]


def _changed_meanwhile(order: AnkiChange, fields: Sequence[str]) -> Finding:
    return Finding(
        code="card.changed_meanwhile",
        severity=Severity.WARNING,
        message=f"{', '.join(fields)} was edited in Anki after this was decided; nothing was written. Sync again.",
        where=Locator(path=order.note),
    )


def _kept_versions(orders: Sequence[AnkiChange]) -> dict[str, PublishedVersion]:
    kept: dict[str, PublishedVersion] = {}
    for order in orders:
        if order.kind == "keep":
            kept |= order.based(order.anki_id)
    return kept


def _batches(orders: Sequence[AnkiChange]) -> Iterator[Sequence[AnkiChange]]:
    for start in range(0, len(orders), BATCH_SIZE):
        yield orders[start : start + BATCH_SIZE]


def recover_changes(database: Database, store: AnkiStore, sink: str) -> int:
    """Settle the changes that were under way when a process died; says how many there were."""
    unfinished = database.changes.unfinished(sink)
    if not unfinished:
        return 0
    ours = {note.card_id: note for note in store.our_notes()}
    by_id = store.notes([id_ for _, change in unfinished if (id_ := AnkiChange.model_validate(change.after).anki_id)])
    for run, change in unfinished:
        order = AnkiChange.model_validate(change.after)
        note = by_id.get(order.anki_id or 0) or ours.get(order.card_id)
        made = note is not None and _was_made(change, order, note)
        status = ChangeStatus.APPLIED if made else ChangeStatus.REFUSED
        database.changes.finish(run, sink, {change.position: status}, order.based(note.id) if made and note else None)
    return len(unfinished)


def _was_made(change: Change, order: AnkiChange, note: AnkiNote) -> bool:
    """Whether the note is as the change would leave it; an update of which a part is missing is made again."""
    fields = all(note.fields.get(name) == text for name, text in order.fields.items())
    tags = set(order.add_tags) <= set(note.tags) and not set(order.remove_tags) & set(note.tags)
    if change.before is None:
        return fields
    moved = order.move_to is None or all(card.deck == order.move_to for card in note.cards)
    retired = order.kind != "retire" or all(card.suspended for card in note.cards)
    return fields and tags and moved and retired


def publish_package(
    database: Database, sink: str, target: Path, known: Mapping[str, PublishedVersion], orders: Sequence[AnkiChange]
) -> list[Finding]:
    """Write the package of what is known and what is ordered, and remember it; says which media could not be packed."""
    bases, fresh = dict(known), dict[str, PublishedVersion]()
    for order in orders:
        if order.kind == "retire":
            bases.pop(order.card_id, None)
        else:
            fresh |= _packaged_version(order, bases.get(order.card_id))
    bases |= fresh
    media = {file.name: file for base in bases.values() for file in _media(base)}
    missing = write_package(target, {card_id: _note(base) for card_id, base in bases.items()}, tuple(media.values()))
    database.published.save(sink, fresh)
    database.published.delete(sink, [order.card_id for order in orders if order.kind == "retire"])
    return missing


def packaged_fields(base: PublishedVersion) -> dict[str, str]:
    """What a package holds for a card: what the note says, but for what a person wrote in a review."""
    published: dict[str, str] = base.about.get("published", {})
    return base.fields | published


def _packaged_version(order: AnkiChange, before: PublishedVersion | None) -> dict[str, PublishedVersion]:
    """The order's base, with those fields that the package holds differently."""
    held = (packaged_fields(before) if before else {}) | order.fields
    return {
        key: base.model_copy(
            update={"about": base.about | {"published": {k: v for k, v in held.items() if base.fields.get(k) != v}}}
        )
        for key, base in order.based(None).items()
    }


def _note(base: PublishedVersion) -> NewNote:
    about = base.about
    return NewNote(
        note_type=about["note_type"],
        deck=about["deck"],
        fields=packaged_fields(base),
        tags=tuple(about.get("tags", ())),
    )


def _media(base: PublishedVersion) -> list[MediaFile]:
    return [MediaFile.model_validate(file) for file in base.about.get("media", ())]
