"""Undoes a run in Anki: fields, tags, decks and suspension are put back as they were before it."""

from dataclasses import dataclass, field

from studium.anki.store import AnkiNote, AnkiStore
from studium.cards.sync.changes import AnkiChange, NoteSnapshot
from studium.core.database import Database
from studium.core.domain.change import Change, ChangeStatus
from studium.core.domain.errors import Conflict
from studium.core.domain.finding import Finding, Locator, Severity

UNDONE_TAG = "studium::undone"


@dataclass
class UndoResult:
    """What was put back, and what was left because it changed since."""

    restored: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    left: list[Finding] = field(default_factory=list)


@dataclass(frozen=True)
class RunUndo:
    """Undoes the changes that one run made in one collection, the last one first."""

    database: Database
    store: AnkiStore
    run: str
    sink: str

    def undo(self) -> UndoResult:
        """Undo all that was applied; a person's later edit is left alone and said."""
        changes = [change for sink, change in self.database.changes.of_run(self.run) if sink == self.sink]
        applied = [change for change in reversed(changes) if change.status is ChangeStatus.APPLIED]
        if not applied:
            raise Conflict(f"Run {self.run} has nothing in {self.sink} to undo.", remedy="See `studium runs list`.")
        undone = UndoResult()
        bases = self.database.published.versions(self.sink)
        ids = {change.key: base.about.get("anki_id") for change in applied if (base := bases.get(change.key))}
        notes = self.store.notes([note for note in ids.values() if note is not None])
        for change in applied:
            note = notes.get(ids.get(change.key) or 0)
            if self._undo_one(change, note, undone):
                self.database.changes.finish(self.run, self.sink, {change.position: ChangeStatus.UNDONE})
        return undone

    def _undo_one(self, change: Change, note: AnkiNote | None, undone: UndoResult) -> bool:
        order = AnkiChange.model_validate(change.after)
        if note is None:
            self.database.published.delete(self.sink, [change.key])
            return True
        if edited := [name for name, text in order.fields.items() if note.fields.get(name) != text]:
            undone.left.append(_edited_since(order, edited))
            return False
        if change.before is None:
            self._take_back(order, note, undone)
        else:
            self._put_back(order, NoteSnapshot.model_validate(change.before), note, undone)
        return True

    def _take_back(self, order: AnkiChange, note: AnkiNote, undone: UndoResult) -> None:
        """Remove a note that we made; one that has been studied is suspended instead, since its history is not ours."""
        if any(card.reps for card in note.cards):
            self.store.suspend([card.id for card in note.cards], suspended=True)
            self.store.change_tags({note.id: ((UNDONE_TAG,), ())})
            undone.restored.append(order.card_id)
            return
        self.store.remove_notes([note.id])
        self.database.published.delete(self.sink, [order.card_id])
        undone.removed.append(order.card_id)

    def _put_back(self, order: AnkiChange, before: NoteSnapshot, note: AnkiNote, undone: UndoResult) -> None:
        self.store.update_fields({note.id: {name: before.fields[name] for name in order.fields}})
        add, remove = set(before.tags) - set(note.tags), set(order.add_tags) & set(note.tags) - set(before.tags)
        self.store.change_tags({note.id: (tuple(sorted(add)), tuple(sorted(remove)))})
        for card in note.cards:
            if (deck := before.decks.get(card.id)) and deck != card.deck:
                self.store.move([card.id], deck)
        for suspended in (True, False):
            wrong = [card.id for card in note.cards if card.suspended is not suspended]
            if cards := [card for card in wrong if (card in before.suspended) is suspended]:
                self.store.suspend(cards, suspended=suspended)
        if before.base:
            self.database.published.save(self.sink, {order.card_id: before.base})
        undone.restored.append(order.card_id)


def _edited_since(order: AnkiChange, fields: list[str]) -> Finding:
    return Finding(
        code="undo.edited_since",
        severity=Severity.WARNING,
        message=f"{', '.join(fields)} was edited in Anki since this run; the edit is left as it is.",
        where=Locator(path=order.note),
    )
