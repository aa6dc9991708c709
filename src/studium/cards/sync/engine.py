"""Syncs a vault with a destination: plan, apply, and remember which notes are up to date."""

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pydantic import ValidationError

from studium.anki.note_types import NOTE_TYPES
from studium.anki.store import ID_FIELD, AnkiStore
from studium.cards.notes import read_note, write_marker
from studium.cards.notes.markers import MarkerStyle
from studium.cards.sync.apply import ApplyResult, ChangeApplier, publish_package, recover_changes
from studium.cards.sync.changes import (
    AnkiChange,
    CardDetails,
    ChangeLimit,
    PublishedCard,
    load_details,
    load_published,
    note_of,
    save_published,
)
from studium.cards.sync.match import content_key
from studium.cards.sync.scan import NoteFile, SyncContext, VaultScan
from studium.core.documents.registry import read_document
from studium.core.domain.decision import Action, Decision, FileState, Plan
from studium.core.domain.errors import BadInput, Conflict
from studium.core.domain.value import Value
from studium.core.files import write_text
from studium.core.json_files import UnreadableJson, load_json
from studium.core.runs.runner import Runner


@dataclass(frozen=True)
class SyncResult:
    """The plan of a sync, what was applied, and the notes that were scanned."""

    plan: Plan
    scan: VaultScan
    applied: ApplyResult = field(default_factory=ApplyResult)

    @property
    def unchanged(self) -> int:
        """How many notes had not changed."""
        return len(self.scan.names) - len(self.scan.changed)


@dataclass
class SyncEngine:
    """One sync. `package` is the package file, if the destination is one; without a `limit` every change is applied."""

    sync: SyncContext
    scan: VaultScan
    package: Path | None = None
    limit: ChangeLimit | None = None
    adopt: bool = False
    markers: MarkerStyle | None = None

    async def plan(self, runner: Runner, *, resume: bool = False) -> Plan:
        """Decide about every card of every changed note; only the database is written."""
        store = self.sync.store
        if store:
            recover_changes(self.sync.database, store, self.sync.destination)
        active = self._active_cards()
        if store and not self.adopt:
            self.scan = self.scan.including(_notes_of_deleted_cards(store, active))
        if not self._anything_to_do(active):
            return Plan(run="", feature="cards", decisions=())
        # Imported here because the planner loads the whole card pipeline, which an unchanged vault does not need.
        from studium.cards.sync.plan import SyncPlanner

        planner = SyncPlanner(self.sync, self.scan, self._published, adopt=self.adopt)
        return (await runner.run(planner.run_spec(), resume=resume)).plan

    def apply(self, plan: Plan) -> ApplyResult:
        """Apply the plan, or nothing of it if it exceeds the limit."""
        changes = changes_in_plan(plan.decisions)
        if self.limit:
            self.limit.check(changes, len(self._details))
        applied = self._write(plan.run, changes)
        marked = write_card_ids(self.scan.changed, _ids_by_note(changes), self.markers) if self.markers else {}
        self._save_file_states(plan, applied, marked)
        return applied

    def remember(self, plan: Plan) -> None:
        """Remember the cards that were recognised in Anki without writing to Anki; the next sync updates them."""
        for change in changes_in_plan(plan.decisions):
            if change.anki_id is not None:
                save_published(self.sync.database, self.sync.destination, change.recognised_version())

    def result(self, plan: Plan, applied: ApplyResult | None = None) -> SyncResult:
        """The result of this sync."""
        return SyncResult(plan, self.scan, applied or ApplyResult())

    @cached_property
    def _published(self) -> dict[str, PublishedCard]:
        return load_published(self.sync.database, self.sync.destination)

    @cached_property
    def _details(self) -> dict[str, CardDetails]:
        return load_details(self.sync.database, self.sync.destination)

    def _active_cards(self) -> list[CardDetails]:
        """The details of the published cards that are not suspended for lack of a source."""
        return [details for details in self._details.values() if not details.retired]

    def _anything_to_do(self, active: Sequence[CardDetails]) -> bool:
        """Whether a note changed or was removed, or the package is missing."""
        if self.scan.changed or self.scan.findings or (self.package and not self.package.exists()):
            return True
        return self.scan.whole and any(details.path not in self.scan.names for details in active)

    def _write(self, run: str, changes: Sequence[AnkiChange]) -> ApplyResult:
        sync = self.sync
        if sync.store:
            return ChangeApplier(sync.database, sync.store, run, sync.destination, NOTE_TYPES).apply(changes)
        applied = ApplyResult(done=[change.card_id for change in changes if change.kind != "keep"])
        if self.package and (changes or not self.package.exists()):
            applied.media += publish_package(sync.database, sync.destination, self.package, self._published, changes)
        return applied

    def _save_file_states(self, plan: Plan, applied: ApplyResult, marked: Mapping[str, FileState]) -> None:
        """Remember the changed notes as up to date, except those with a card in review or a refused change."""
        unfinished = {
            note_of(decision)
            for decision in plan.decisions
            if decision.action is Action.MANUAL_REVIEW
            or (decision.change and decision.change["card_id"] in applied.refused)
        }
        states: dict[str, FileState | None] = {
            file.name: None if file.name in unfinished else marked.get(file.name, file.state)
            for file in self.scan.changed
        }
        self.sync.database.published.save_file_states(self.sync.destination, states)


def changes_in_plan(decisions: Sequence[Decision]) -> list[AnkiChange]:
    """The changes of a plan, without those in review; a skipped card is kept only if it has to be remembered."""
    changes: dict[str, AnkiChange] = {}
    for decision in decisions:
        if decision.action is Action.MANUAL_REVIEW or (change := AnkiChange.of(decision)) is None:
            continue
        if decision.action is not Action.SKIP or change.kind == "keep":
            # If a note changed while the run was interrupted, its later decision counts.
            changes[change.card_id] = change
    return list(changes.values())


def _notes_of_deleted_cards(store: AnkiStore, active: Sequence[CardDetails]) -> set[str]:
    """The notes whose cards were deleted in Anki: those cards are made again."""
    if not active:
        return set()
    present = set(store.find(f"{ID_FIELD}:_*"))
    missing = [details for details in active if details.anki_id not in present]
    # A card that another tool made does not carry our id, so the search above does not find it.
    found = store.notes([each.anki_id for each in missing if each.anki_id is not None]) if missing else {}
    return {details.path for details in missing if details.anki_id not in found}


def _ids_by_note(changes: Sequence[AnkiChange]) -> dict[str, dict[str, str]]:
    """The card ids of each note, by the content key of the card."""
    ids: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for change in changes:
        if change.base and (key := change.base.about.content_key):
            ids[change.note][key] = change.card_id
    return ids


def write_card_ids(
    files: Sequence[NoteFile], ids: Mapping[str, Mapping[str, str]], style: MarkerStyle
) -> dict[str, FileState]:
    """Write the ids of the cards into their notes; returns the new state of every note that was written."""
    marked = {}
    for file in files:
        if (of_note := ids.get(file.name)) and _write_ids_to_note(file, of_note, style):
            found = file.path.stat()
            marked[file.name] = FileState(modified=found.st_mtime_ns, size=found.st_size, stamp=file.state.stamp)
    return marked


def _write_ids_to_note(file: NoteFile, ids: Mapping[str, str], style: MarkerStyle) -> bool:
    document = read_document(file.path).document
    if document is None or file.path.read_bytes() != document.text.encode():
        return False  # a byte order mark or another encoding would be lost
    text = document.text
    cards = read_note(document, name=file.name).cards
    for card in sorted(cards, key=lambda card: card.line, reverse=True):
        if card.marker is None and (card_id := ids.get(content_key(card))):
            text = write_marker(text, card, card_id, style)
    if text == document.text or _changed_on_disk(file.path, file.state):
        return False  # nothing to write, or someone is editing the note: the next sync writes the ids
    mode = file.path.stat().st_mode
    write_text(file.path, text)
    os.chmod(file.path, mode & 0o7777)  # noqa: PTH101 - the note keeps its permissions
    return True


def _changed_on_disk(path: Path, state: FileState) -> bool:
    found = path.stat()
    return (found.st_mtime_ns, found.st_size) != (state.modified, state.size)


class PlanFile(Value):
    """A saved plan: the run that holds its decisions, the vault and destination, and the notes as they were."""

    run: str
    vault: Path
    to: str
    notes: dict[str, FileState]

    @classmethod
    def of(cls, result: SyncResult, to: str) -> "PlanFile":
        """The file for a plan that was just made."""
        notes = {file.name: file.state for file in result.scan.changed}
        return cls(run=result.plan.run, vault=result.scan.root.resolve(), to=to, notes=notes)

    @classmethod
    def read(cls, path: Path) -> "PlanFile":
        """Read a saved plan."""
        try:
            known = load_json(path.read_bytes())
            return cls.model_validate({name: known[name] for name in cls.model_fields})
        except OSError as error:
            raise BadInput(f"{path} cannot be read: {error.strerror}.") from error
        except (UnreadableJson, ValueError, KeyError, TypeError, ValidationError) as error:
            raise BadInput(
                f"{path} is not a plan of cards.", remedy="Make one: studium cards plan VAULT --json"
            ) from error

    def scan(self) -> VaultScan:
        """The notes of the plan; raises a Conflict if one of them changed."""
        for name, state in self.notes.items():
            try:
                changed = _changed_on_disk(self.vault / name, state)
            except OSError as error:
                raise _note_changed(name) from error
            if changed:
                raise _note_changed(name)
        files = {name: NoteFile(name, self.vault / name, state) for name, state in self.notes.items()}
        return VaultScan(self.vault, files, tuple(files.values()), frozenset(files), whole=False)


def _note_changed(name: str) -> Conflict:
    return Conflict(f"{name} changed since the plan was made; nothing was written.", remedy="Make a new plan.")
