"""Undoes a run in Anki: restores fields, tags, decks and suspension as they were before it."""

from dataclasses import dataclass, field

from studium.anki.store import AnkiNote, AnkiStore
from studium.cards.sync.changes import AnkiChange, NoteSnapshot, load_details, save_published
from studium.core.database import Database
from studium.core.domain.change import Change, ChangeStatus
from studium.core.domain.errors import Conflict
from studium.core.domain.finding import Finding, Locator, Severity

UNDONE_TAG = "studium::undone"


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
