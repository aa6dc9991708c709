"""Keeps a vault and a sink in step: plan, apply, and remember which notes are settled."""

import json
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from studium.anki.note_types import NOTE_TYPES
from studium.anki.store import ID_FIELD, AnkiStore
from studium.cards.notes import read_note, write_marker
from studium.cards.notes.markers import MarkerStyle
from studium.cards.sync.apply import ApplyResult, ChangeApplier, publish_package, recover_changes
from studium.cards.sync.changes import AnkiChange, check_change_limit
from studium.cards.sync.match import content_key
from studium.cards.sync.scan import NoteFile, SyncContext, VaultScan
from studium.core.documents.registry import read_document
from studium.core.domain.change import FileState, PublishedVersion
from studium.core.domain.decision import Action, Decision, Plan
from studium.core.domain.errors import BadInput, Conflict
from studium.core.domain.value import Value
from studium.core.files import write_text
from studium.core.runs.runner import Runner


def write_card_ids(
    files: Sequence[NoteFile], ids: Mapping[str, Mapping[str, str]], style: MarkerStyle
) -> dict[str, FileState]:
    """Mark each note's cards with their ids, given by what the card says; answers how the marked notes are seen now."""
    marked = {}
    for file in files:
        if (of_note := ids.get(file.name)) and _write_ids_to_note(file, of_note, style):
            found = file.path.stat()
            marked[file.name] = FileState(modified=found.st_mtime_ns, size=found.st_size, stamp=file.seen.stamp)
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
    if text == document.text or _changed_on_disk(file.path, file.seen):
        return False  # nothing to mark, or someone is at work on it: the next sync marks it
    mode = file.path.stat().st_mode
    write_text(file.path, text)
    os.chmod(file.path, mode & 0o7777)  # noqa: PTH101 - the note keeps its permissions
    return True


def _changed_on_disk(path: Path, seen: FileState) -> bool:
    found = path.stat()
    return (found.st_mtime_ns, found.st_size) != (seen.modified, seen.size)


@dataclass(frozen=True)
class ChangeLimit:
    """How much may change unasked."""

    max_deletions: int
    max_change_percent: int


@dataclass(frozen=True)
class SyncResult:
    """What a sync came to: the plan, what was carried out, and the notes that were looked at."""

    plan: Plan
    scan: VaultScan
    applied: ApplyResult = field(default_factory=ApplyResult)

    @property
    def unchanged(self) -> int:
        """How many notes had not changed."""
        return len(self.scan.names) - len(self.scan.changed)


@dataclass
class SyncEngine:
    """One sync. `package` is the file to be written where the sink is one; without a `radius` anything goes."""

    sync: SyncContext
    scan: VaultScan
    package: Path | None = None
    radius: ChangeLimit | None = None
    adopt: bool = False
    markers: MarkerStyle | None = None

    async def plan(self, runner: Runner, *, resume: bool = False) -> Plan:
        """Decide on every card of every changed note; nothing but the database is written."""
        store = self.sync.store
        if store:
            recover_changes(self.sync.database, store, self.sync.sink)
        standing = self._standing()
        if store and not self.adopt:
            self.scan = self.scan.also(_notes_of_deleted_cards(store, standing))
        if not self._anything_to_do(standing):
            return Plan(run="", feature="cards", decisions=())
        # Only now: what decides is far heavier to load than what notices that there is nothing to decide.
        from studium.cards.sync.plan import SyncPlanner

        return (
            await runner.run(SyncPlanner(self.sync, self.scan, self._bases, adopt=self.adopt).job(), resume=resume)
        ).plan

    def apply(self, plan: Plan) -> ApplyResult:
        """Carry the plan out; where more would change than is allowed, nothing is."""
        orders = changes_in_plan(plan.decisions)
        if self.radius:
            check_change_limit(
                orders,
                len(self._known),
                max_deletions=self.radius.max_deletions,
                max_change_percent=self.radius.max_change_percent,
            )
        applied = self._write(plan.run, orders)
        marked = write_card_ids(self.scan.changed, _ids_by_note(orders), self.markers) if self.markers else {}
        self._remember_seen(plan, applied, marked)
        return applied

    def remember(self, plan: Plan) -> None:
        """Remember the cards that were recognised in Anki; what is still to be written there, the next sync writes."""
        for order in changes_in_plan(plan.decisions):
            if order.anki_id is not None:
                self.sync.database.published.save(self.sync.sink, order.recognised())

    def synced(self, plan: Plan, applied: ApplyResult | None = None) -> SyncResult:
        """What this sync came to."""
        return SyncResult(plan, self.scan, applied or ApplyResult())

    def _standing(self) -> list[dict[str, Any]]:
        """What is known of the cards that should stand in the sink."""
        return [about for about in self._known.values() if not about.get("retired")]

    @cached_property
    def _bases(self) -> dict[str, PublishedVersion]:
        return self.sync.database.published.versions(self.sync.sink)

    @cached_property
    def _known(self) -> dict[str, dict[str, Any]]:
        return self.sync.database.published.details(self.sync.sink)

    def _anything_to_do(self, standing: Sequence[Mapping[str, Any]]) -> bool:
        """Whether a note changed or went, or a package is missing; otherwise nothing needs to be decided."""
        if self.scan.changed or self.scan.findings or (self.package and not self.package.exists()):
            return True
        return self.scan.whole and any(about["path"] not in self.scan.names for about in standing)

    def _write(self, run: str, orders: Sequence[AnkiChange]) -> ApplyResult:
        sync = self.sync
        if sync.store:
            return ChangeApplier(sync.database, sync.store, run, sync.sink, NOTE_TYPES).carry_out(orders)
        applied = ApplyResult(done=[order.card_id for order in orders if order.kind != "keep"])
        if self.package and (orders or not self.package.exists()):
            applied.media += publish_package(sync.database, sync.sink, self.package, self._bases, orders)
        return applied

    def _remember_seen(self, plan: Plan, applied: ApplyResult, marked: Mapping[str, FileState]) -> None:
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
        self.sync.database.published.save_file_states(self.sync.sink, seen)


def _notes_of_deleted_cards(store: AnkiStore, standing: Sequence[Mapping[str, Any]]) -> set[str]:
    """The notes of cards that someone deleted in Anki: they are made again."""
    if not standing:
        return set()
    there = set(store.find(f"{ID_FIELD}:_*"))
    missing = [about for about in standing if about["anki_id"] not in there]
    # A card that another tool made has no id of ours to be found by.
    found = store.notes([about["anki_id"] for about in missing]) if missing else {}
    return {about["path"] for about in missing if about["anki_id"] not in found}


def changes_in_plan(decisions: Sequence[Decision]) -> list[AnkiChange]:
    """The orders of what was decided; what waits for a person has none, and a skipped card is only remembered."""
    orders: dict[str, AnkiChange] = {}
    for decision in decisions:
        if decision.order is None or decision.action is Action.MANUAL_REVIEW:
            continue
        order = AnkiChange.model_validate(decision.order)
        if decision.action is not Action.SKIP or order.kind == "keep":
            # Of a note that changed while the run was interrupted, the later decision holds.
            orders[order.card_id] = order
    return list(orders.values())


def _ids_by_note(orders: Sequence[AnkiChange]) -> dict[str, dict[str, str]]:
    """The ids of each note's cards, by what the cards say."""
    ids: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for order in orders:
        if order.base and (key := order.base.about.get("content_key")):
            ids[order.note][key] = order.card_id
    return ids


def _note_of(decision: Decision) -> str:
    return decision.item.rpartition("#")[0] or decision.item


class PlanFile(Value):
    """What a plan was made for and of: the run that holds its decisions, and the notes as they were."""

    run: str
    vault: Path
    to: str
    notes: dict[str, FileState]

    @classmethod
    def of(cls, synced: SyncResult, to: str) -> "PlanFile":
        """What has to be kept of a plan."""
        notes = {file.name: file.seen for file in synced.scan.changed}
        return cls(run=synced.plan.run, vault=synced.scan.root.resolve(), to=to, notes=notes)

    @classmethod
    def read(cls, path: Path) -> "PlanFile":
        """Read a plan that was saved."""
        try:
            known = json.loads(path.read_text(encoding="utf-8"))
            return cls.model_validate({name: known[name] for name in cls.model_fields})
        except OSError as error:
            raise BadInput(f"{path} cannot be read: {error.strerror}.") from error
        except (ValueError, KeyError, TypeError, ValidationError) as error:
            raise BadInput(
                f"{path} is not a plan of cards.", remedy="Make one: studium cards plan VAULT --json"
            ) from error

    def scan(self) -> VaultScan:
        """The notes of the plan; a Conflict if one of them is not as it was."""
        for name, seen in self.notes.items():
            try:
                found = (self.vault / name).stat()
            except OSError as error:
                raise _note_changed(name) from error
            if (found.st_mtime_ns, found.st_size) != (seen.modified, seen.size):
                raise _note_changed(name)
        files = {name: NoteFile(name, self.vault / name, seen) for name, seen in self.notes.items()}
        return VaultScan(self.vault, files, tuple(files.values()), frozenset(files), whole=False)


def _note_changed(name: str) -> Conflict:
    return Conflict(f"{name} changed since the plan was made; nothing was written.", remedy="Make a new plan.")
