"""Applies changes to Anki or to a package, and undoes them. Each change is recorded with a snapshot before it is made.

    changes.plan (database)  →  write (Anki)  →  changes.finish and published cards (database)

If the process dies in between, `recover_changes` finds the recorded change and checks in Anki whether it was made.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from studium.anki.package import write_package
from studium.anki.store import AnkiNote, AnkiStore, NewNote, NoteType
from studium.cards.sync.changes import (
    AnkiChange,
    NoteSnapshot,
    PublishedCard,
    as_versions,
    load_details,
    load_published,
    save_published,
    snapshot_note,
)
from studium.core.database import Database
from studium.core.domain.decision import Change, ChangeStatus
from studium.core.domain.errors import Conflict
from studium.core.domain.finding import Finding, Locator, Severity

UNDONE_TAG = "studium::undone"
BATCH_SIZE = 500  # a store splits its writes itself, but each call costs a few extra requests


@dataclass
class ApplyResult:
    """The ids of the cards that were written, and what was refused."""

    done: list[str] = field(default_factory=list)
    refused: dict[str, Finding] = field(default_factory=dict)
    media: list[Finding] = field(default_factory=list)

    @property
    def faults(self) -> list[Finding]:
        """Everything that was not written."""
        return [*self.refused.values(), *self.media]


@dataclass(frozen=True)
class ChangeApplier:
    """Applies the changes of one run to one collection."""

    database: Database
    store: AnkiStore
    run: str
    destination: str
    note_types: Sequence[NoteType]

    def apply(self, changes: Sequence[AnkiChange]) -> ApplyResult:
        """Apply the changes in batches and report what was refused."""
        result = ApplyResult()
        save_published(self.database, self.destination, _kept_versions(changes))
        if not (active := [change for change in changes if change.kind != "keep"]):
            return result
        self.store.add_note_types(self.note_types)
        result.media += self.store.store_media([file for change in active for file in change.media])
        ids = [change.anki_id for change in active if change.anki_id is not None]
        notes = self.store.notes(ids) if ids else {}
        for batch in _batches([change for change in active if change.anki_id not in notes and change.kind != "retire"]):
            self._create(batch, result)
        for batch in _batches([change for change in active if change.anki_id in notes]):
            self._update(batch, notes, result)
        return result

    def _create(self, changes: Sequence[AnkiChange], result: ApplyResult) -> None:
        creations = [_as_creation(change) for change in changes]
        planned = [Change(key=each.card_id, kind="create", before=None, after=each.to_json()) for each in creations]
        recorded = self.database.changes.plan(self.run, self.destination, planned)
        answers = self.store.add([change.new_note() for change in creations])
        outcomes: dict[int, ChangeStatus] = {}
        published: dict[str, PublishedCard] = {}
        for change, record, answer in zip(creations, recorded, answers, strict=True):
            if isinstance(answer, Finding):
                result.refused[change.card_id] = answer
                outcomes[record.position] = ChangeStatus.REFUSED
            else:
                result.done.append(change.card_id)
                outcomes[record.position] = ChangeStatus.APPLIED
                published |= change.published_version(answer)
        self.database.changes.finish(self.run, self.destination, outcomes, as_versions(published))

    def _update(self, changes: Sequence[AnkiChange], notes: dict[int, AnkiNote], result: ApplyResult) -> None:
        current = [(change, notes[change.anki_id]) for change in changes if change.anki_id is not None]
        for change, note in current:
            if edited := _edited_fields(change, note):
                result.refused[change.card_id] = _changed_meanwhile(change, edited)
        valid = [(change, note) for change, note in current if change.card_id not in result.refused]
        before = load_published(self.database, self.destination) if valid else {}
        planned = [
            Change(
                key=change.card_id,
                kind=change.kind,
                before=snapshot_note(note, before.get(change.card_id)),
                after=change.to_json(),
            )
            for change, note in valid
        ]
        recorded = self.database.changes.plan(self.run, self.destination, planned)
        refused = write_changes(self.store, valid)
        outcomes: dict[int, ChangeStatus] = {}
        published: dict[str, PublishedCard] = {}
        for (change, note), record in zip(valid, recorded, strict=True):
            if finding := refused.get(note.id):
                result.refused[change.card_id] = finding
                outcomes[record.position] = ChangeStatus.REFUSED
            else:
                result.done.append(change.card_id)
                outcomes[record.position] = ChangeStatus.APPLIED
                published |= change.published_version(note.id)
        self.database.changes.finish(self.run, self.destination, outcomes, as_versions(published))


def write_changes(store: AnkiStore, changes: Sequence[tuple[AnkiChange, AnkiNote]]) -> dict[int, Finding]:
    """Write the changes to their notes; returns the findings of the notes that Anki did not update."""
    fields = {note.id: change.fields for change, note in changes if change.fields}
    refused = store.update_fields(fields) if fields else {}
    tags = {
        note.id: (change.add_tags, change.remove_tags)
        for change, note in changes
        if note.id not in refused and (change.add_tags or change.remove_tags)
    }
    store.change_tags(tags)
    for deck in {change.move_to for change, _ in changes if change.move_to}:
        store.move([card.id for change, note in changes if change.move_to == deck for card in note.cards], deck)
    if retired := [card.id for change, note in changes if change.kind == "retire" for card in note.cards]:
        store.suspend(retired, suspended=True)
    if revived := [card.id for change, note in changes if change.revive for card in note.cards]:
        store.suspend(revived, suspended=False)
    return refused


def _as_creation(change: AnkiChange) -> AnkiChange:
    """The change that creates the note; a note that was deleted in Anki is made again from what the vault says."""
    if change.kind == "create" or change.base is None:
        return change.model_copy(update={"kind": "create", "fields": change.all_fields})
    again = {"kind": "create", "fields": change.base.fields, "add_tags": change.base.about.tags}
    return change.model_copy(update=again)


def _edited_fields(change: AnkiChange, note: AnkiNote) -> list[str]:
    """The fields that hold something else than when the change was decided."""
    return [name for name, text in change.expected.items() if note.fields.get(name) != text]


def _changed_meanwhile(change: AnkiChange, fields: Sequence[str]) -> Finding:
    return Finding(
        code="card.changed_meanwhile",
        severity=Severity.WARNING,
        message=f"{', '.join(fields)} was edited in Anki after this was decided; nothing was written. Sync again.",
        where=Locator(path=change.note),
    )


def _kept_versions(changes: Sequence[AnkiChange]) -> dict[str, PublishedCard]:
    kept: dict[str, PublishedCard] = {}
    for change in changes:
        if change.kind == "keep":
            kept |= change.published_version(change.anki_id)
    return kept


def _batches(changes: Sequence[AnkiChange]) -> Iterator[Sequence[AnkiChange]]:
    for start in range(0, len(changes), BATCH_SIZE):
        yield changes[start : start + BATCH_SIZE]


def recover_changes(database: Database, store: AnkiStore, destination: str) -> int:
    """Find out which changes were made before a process died, and record it; returns how many there were."""
    unfinished = database.changes.unfinished(destination)
    if not unfinished:
        return 0
    ours = {note.card_id: note for note in store.our_notes()}
    by_id = store.notes([id_ for _, record in unfinished if (id_ := AnkiChange.model_validate(record.after).anki_id)])
    for run, record in unfinished:
        change = AnkiChange.model_validate(record.after)
        note = by_id.get(change.anki_id or 0) or ours.get(change.card_id)
        made = note is not None and _was_made(record, change, note)
        status = ChangeStatus.APPLIED if made else ChangeStatus.REFUSED
        published = change.published_version(note.id) if made and note else {}
        database.changes.finish(run, destination, {record.position: status}, as_versions(published))
    return len(unfinished)


def _was_made(record: Change, change: AnkiChange, note: AnkiNote) -> bool:
    """Whether the note is as the change would leave it; an update that was made in part is made again."""
    fields = all(note.fields.get(name) == text for name, text in change.fields.items())
    tags = set(change.add_tags) <= set(note.tags) and not set(change.remove_tags) & set(note.tags)
    if record.before is None:
        return fields
    moved = change.move_to is None or all(card.deck == change.move_to for card in note.cards)
    retired = change.kind != "retire" or all(card.suspended for card in note.cards)
    return fields and tags and moved and retired


def publish_package(
    database: Database,
    destination: str,
    target: Path,
    published: Mapping[str, PublishedCard],
    changes: Sequence[AnkiChange],
) -> list[Finding]:
    """Write a package of all published and changed cards, and remember it; returns the media that are missing."""
    cards, new = dict(published), dict[str, PublishedCard]()
    for change in changes:
        if change.kind == "retire":
            cards.pop(change.card_id, None)
        else:
            new |= _packaged_version(change, cards.get(change.card_id))
    cards |= new
    media = {file.name: file for card in cards.values() for file in card.about.media}
    missing = write_package(target, {card_id: _note(card) for card_id, card in cards.items()}, tuple(media.values()))
    save_published(database, destination, new)
    database.published.delete(destination, [change.card_id for change in changes if change.kind == "retire"])
    return missing


def _packaged_version(change: AnkiChange, before: PublishedCard | None) -> dict[str, PublishedCard]:
    """What to remember of the card, with the fields that the package holds differently from the note."""
    held = (before.packaged_fields if before else {}) | change.fields
    return {
        key: card.with_details(published={name: text for name, text in held.items() if card.fields.get(name) != text})
        for key, card in change.published_version(None).items()
    }


def _note(card: PublishedCard) -> NewNote:
    about = card.about
    return NewNote(note_type=about.note_type, deck=about.deck, fields=card.packaged_fields, tags=about.tags)


@dataclass
class UndoResult:
    """The cards that were restored or removed, and findings for those left alone because they changed since."""

    restored: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    left: list[Finding] = field(default_factory=list)


@dataclass(frozen=True)
class RunUndo:
    """Undoes the changes that one run made in one collection, the last one first."""

    database: Database
    store: AnkiStore
    run: str
    destination: str

    def undo(self) -> UndoResult:
        """Undo everything that was applied, except what a person edited since."""
        records = [record for name, record in self.database.changes.of_run(self.run) if name == self.destination]
        applied = [record for record in reversed(records) if record.status is ChangeStatus.APPLIED]
        if not applied:
            raise Conflict(
                f"Run {self.run} has nothing to undo in {self.destination}.", remedy="See `studium runs list`."
            )
        result = UndoResult()
        details = load_details(self.database, self.destination)
        ids = {record.key: details[record.key].anki_id for record in applied if record.key in details}
        notes = self.store.notes([note for note in ids.values() if note is not None])
        for record in applied:
            note = notes.get(ids.get(record.key) or 0)
            if self._undo_one(record, note, result):
                self.database.changes.finish(self.run, self.destination, {record.position: ChangeStatus.UNDONE})
        return result

    def _undo_one(self, record: Change, note: AnkiNote | None, result: UndoResult) -> bool:
        change = AnkiChange.model_validate(record.after)
        if note is None:
            self.database.published.delete(self.destination, [record.key])
            return True
        if edited := [name for name, text in change.fields.items() if note.fields.get(name) != text]:
            result.left.append(_edited_since(change, edited))
            return False
        if record.before is None:
            self._remove(change, note, result)
        else:
            self._restore(change, NoteSnapshot.model_validate(record.before), note, result)
        return True

    def _remove(self, change: AnkiChange, note: AnkiNote, result: UndoResult) -> None:
        """Remove a note that the run made; a note that was studied is suspended instead, to keep its history."""
        if any(card.reps for card in note.cards):
            self.store.suspend([card.id for card in note.cards], suspended=True)
            self.store.change_tags({note.id: ((UNDONE_TAG,), ())})
            result.restored.append(change.card_id)
            return
        self.store.remove_notes([note.id])
        self.database.published.delete(self.destination, [change.card_id])
        result.removed.append(change.card_id)

    def _restore(self, change: AnkiChange, before: NoteSnapshot, note: AnkiNote, result: UndoResult) -> None:
        self.store.update_fields({note.id: {name: before.fields[name] for name in change.fields}})
        add, remove = set(before.tags) - set(note.tags), set(change.add_tags) & set(note.tags) - set(before.tags)
        self.store.change_tags({note.id: (tuple(sorted(add)), tuple(sorted(remove)))})
        for card in note.cards:
            if (deck := before.decks.get(card.id)) and deck != card.deck:
                self.store.move([card.id], deck)
        for suspended in (True, False):
            wrong = [card.id for card in note.cards if card.suspended is not suspended]
            if cards := [card for card in wrong if (card in before.suspended) is suspended]:
                self.store.suspend(cards, suspended=suspended)
        if before.base:
            save_published(self.database, self.destination, {change.card_id: before.base})
        result.restored.append(change.card_id)


def _edited_since(change: AnkiChange, fields: list[str]) -> Finding:
    return Finding(
        code="undo.edited_since",
        severity=Severity.WARNING,
        message=f"{', '.join(fields)} was edited in Anki since this run; the edit was kept.",
        where=Locator(path=change.note),
    )
