"""Plans a sync: reads what changed, finds out which card is which, and sets up the job that decides on each."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from studium.anki.note_types import NOTE_TYPES, WORD
from studium.anki.store import AnkiNote, RenderedCard
from studium.cards.graph import create_card_graph
from studium.cards.merge import visible_text
from studium.cards.models import CardSource, ProposedCard
from studium.cards.rendering import CardRenderer
from studium.cards.state import ExistingCard
from studium.cards.sync.apply import packaged_fields
from studium.cards.sync.build_changes import ChangeBuilder, changed_fields
from studium.cards.sync.changes import SOURCE_GONE_TAG, AnkiChange
from studium.cards.sync.match import CardMatches, KnownCard, front_key, match_cards, new_card_id
from studium.cards.sync.scan import LoadedNote, SyncContext, VaultScan, load_note
from studium.core.documents.registry import DocumentCache
from studium.core.documents.vault import Vault
from studium.core.domain.change import PublishedVersion
from studium.core.domain.decision import Action, Decision
from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.runs.run_spec import RunItem, RunSpec, reject_item


@dataclass(frozen=True)
class CardRecord:
    """One known card: how it is recognised, and what we last wrote (None where nobody knows)."""

    card: KnownCard
    base: PublishedVersion | None


def load_card_records(bases: Mapping[str, PublishedVersion], ours: Iterable[AnkiNote]) -> dict[str, CardRecord]:
    """Every known card by its id. A card that only Anki knows comes from another computer, or a lost database."""
    known = {card_id: CardRecord(_from_base(card_id, base), base) for card_id, base in bases.items()}
    for note in ours:
        # The words of songs are ours too, but no note of a vault asks for them.
        if note.card_id and note.card_id not in known and note.note_type != WORD:
            known[note.card_id] = CardRecord(_from_anki(note.card_id, note), None)
    return known


def _from_base(card_id: str, base: PublishedVersion) -> KnownCard:
    about = base.about
    return KnownCard(
        card_id=card_id,
        anki_id=about.get("anki_id"),
        path=about.get("path", ""),
        order=about.get("order", 0),
        front_key=about.get("front_key", ""),
        content_key=about.get("content_key", ""),
        front=about.get("front", ""),
        back=about.get("back", ""),
    )


def _from_anki(card_id: str, note: AnkiNote) -> KnownCard:
    front = visible_text(note.fields.get("Front") or note.fields.get("Text") or "")
    return KnownCard(
        card_id=card_id,
        anki_id=note.id,
        path="",
        order=0,
        front_key=front_key(front),
        content_key="",
        front=front,
        back=visible_text(note.fields.get("Back", "")),
    )


def adopt_foreign_cards(
    found: Iterable[tuple[str, CardSource, AnkiNote]], known: Mapping[str, CardRecord]
) -> dict[str, CardRecord]:
    """The cards that another tool has made, known by an id of ours from now on."""
    taken = {each.card.anki_id for each in known.values()}
    adopted: dict[str, CardRecord] = {}
    for name, source, note in found:
        if note.id not in taken:
            card_id = new_card_id(source, {*known, *adopted})
            card = replace(_from_anki(card_id, note), path=name, front_key=front_key(source.front))
            adopted[card_id] = CardRecord(card, None)
    return adopted


class SyncPlanner:
    """The plan of one sync in the making."""

    def __init__(
        self, sync: SyncContext, scan: VaultScan, bases: Mapping[str, PublishedVersion], *, adopt: bool = False
    ) -> None:
        self.sync, self.scan, self.adopt = sync, scan, adopt
        self.documents = DocumentCache()
        self.renderer = CardRenderer(Vault.of(scan.root, sync.vault_name))
        self.notes = [load_note(self.documents, file) for file in scan.changed]
        ours = sync.store.our_notes() if sync.store else []
        self.known = load_card_records(bases, ours)
        self.foreign = self._foreign()
        if adopt:
            self.known |= adopt_foreign_cards(self.foreign, self.known)
        self.findings = {note.file.name: note.findings for note in self.notes}
        # Cards about one section of an answer: no source of their own stands for them.
        self.derived: defaultdict[str, list[str]] = defaultdict(list)
        for key, known in self.known.items():
            if _is_derived(known):
                self.derived[known.card.path].append(key)
        self.matching = self._match()
        for finding in self.matching.findings:
            if finding.where:
                self.findings[finding.where.path] += (finding,)
        self.existing = self._existing(ours)

    def job(self) -> RunSpec:
        """The job that decides on every changed note."""
        sync = self.sync
        ids = iter(self.matching.card_ids)
        placed = [(note, self._placed(note, [next(ids) for _ in note.cards])) for note in self.notes]
        return RunSpec(
            feature="cards",
            arguments={"vault": str(sync.root.resolve()), "to": sync.to, "sink": sync.sink},
            note=f"Sync: {sync.vault_name} → {PurePath(sync.to).name}",
            graph=create_card_graph(
                sync.model,
                self.documents.document,
                sync.policy,
                render=self._render,
                note_types=self._note_types(),
                similarity=sync.similarity,
            ),
            items=[self._item(note, cards) for note, cards in placed if cards],
            decide=self._decide,
            item_limits=sync.limits,
            decided=[*self._unusable(), *self._retired()],
            accept=self._accept,
        )

    def _note_types(self) -> dict[str, tuple[str, ...]]:
        """The note types a card may have: the collection's, and those that we bring along."""
        ours = {each.name: each.fields for each in NOTE_TYPES}
        return ours | (self.sync.store.note_types() if self.sync.store else {})

    def _match(self) -> CardMatches:
        here = {note.file.name for note in self.notes}
        candidates = [known.card for known in self.known.values() if self._may_be_in(here, known)]
        sources = [(note.file.name, card) for note in self.notes for card in note.cards]
        return match_cards(sources, candidates)

    def _may_be_in(self, here: set[str], known: CardRecord) -> bool:
        """A card may belong to a note that was read if it came from there, if its note is gone, or if nobody knows."""
        path = known.card.path
        if _is_derived(known):
            return False
        if known.base is None or path in here:
            return True
        return path not in self.scan.names if self.scan.whole else not (self.scan.root / path).exists()

    def _foreign(self) -> list[tuple[str, CardSource, AnkiNote]]:
        """The cards of these notes that another tool has made in Anki, by the ids that it left."""
        if self.sync.store is None:
            return []
        marked = {
            int(card.marker.value): (note.file.name, card)
            for note in self.notes
            for card in note.cards
            if card.marker and card.marker.tool != "studium" and card.marker.value.isdigit()
        }
        found = self.sync.store.notes(list(marked)) if marked else {}
        return [(*marked[id_], note) for id_, note in found.items()]

    def _placed(self, note: LoadedNote, ids: Sequence[str | None]) -> dict[str, CardSource]:
        """The note's cards by id; a new one gets an id that nobody has, another tool's card is left to it."""
        placed = {}
        others = {card.line for name, card, _ in self.foreign if name == note.file.name}
        for card, known in zip(note.cards, ids, strict=True):
            if known is None and card.line in others:
                continue
            card_id = known or new_card_id(card, self.known)
            self.known.setdefault(card_id, _new_record(card_id))
            placed[card_id] = card
        return placed

    def _existing(self, ours: Sequence[AnkiNote]) -> dict[str, ExistingCard]:
        matched = [self.known[card_id] for card_id in self.matching.card_ids if card_id]
        matched += [known for known in self.known.values() if _is_derived(known)]
        notes = {note.id: note for note in ours} | {note.id: note for _, _, note in self.foreign}
        found = {}
        for known in matched:
            note = notes.get(known.card.anki_id or 0) if self.sync.store else _as_published(known.base)
            if note:
                found[known.card.card_id] = _existing_card(note, known.base)
        return found

    def _item(self, note: LoadedNote, cards: Mapping[str, CardSource]) -> RunItem:
        ids = cards.keys() | set(self.derived[note.file.name])
        existing = {card_id: self.existing[card_id] for card_id in ids if card_id in self.existing}
        # A note that changes while its run is interrupted is another item, so that the change is not lost on resuming.
        seen = note.file.seen
        return RunItem(f"{note.file.name}@{seen.modified}", lambda: {"note": note.context(cards), "existing": existing})

    def _decide(self, _item: RunItem, state: dict[str, Any]) -> list[Decision]:
        sources = {card.card_id: (place, card) for place, card in enumerate(state["note"].qa_pairs)}
        name = state["note"].slug
        self.documents.forget(name)
        ordering = ChangeBuilder(name, sources, state["existing"], self._render)
        findings = (*self.findings[name], *state.get("findings", ()))
        about_note = [reject_item(name, *findings)] if findings else []
        made = {card.card_id for card in state["cards"]}
        gone = [_retire(self.known[each]) for each in self.derived[name] if each not in made]
        return [*(ordering.decision(card) for card in state["cards"]), *gone, *about_note]

    def _render(self, card: ProposedCard, note_path: str, heading: str, card_id: str) -> RenderedCard:
        return self.renderer.render(card, note_path=note_path, heading=heading, card_id=card_id)

    def _unusable(self) -> list[tuple[str, list[Decision]]]:
        """What could not be read, or holds no card but something that looks like one."""
        places = [(str(finding.where or self.scan.root), finding) for finding in self.scan.findings]
        scanned = [(place, [reject_item(place, finding)]) for place, finding in places]
        notes = [
            (n.file.name, [reject_item(n.file.name, *n.findings)]) for n in self.notes if n.findings and not n.cards
        ]
        return [*scanned, *notes, *self._left_to_others()]

    def _left_to_others(self) -> list[tuple[str, list[Decision]]]:
        known = {known.card.anki_id for known in self.known.values()}
        left = [(name, card) for name, card, note in self.foreign if note.id not in known]
        return [(f"{name}:{card.line}", [_belongs_to_another(name, card)]) for name, card in left]

    def _retired(self) -> list[tuple[str, list[Decision]]]:
        """Cards whose source is gone are suspended and tagged, never removed.

        Only a whole scan can tell, and a note that cannot be read right now may still hold them.
        """
        if not self.scan.whole:
            return []
        unread = {note.file.name for note in self.notes if note.parsed is None}
        gone = [self.known[card.card_id] for card in self.matching.missing if card.path not in unread]
        return [(f"{k.card.path}#{k.card.card_id}", [_retire(k)]) for k in gone if k.base and not _is_retired(k.base)]

    def _accept(self, decision: Decision, proposal: dict[str, Any] | None) -> Decision:
        """Publish a doubt that a person approved; what the person wrote is rendered anew."""
        order = AnkiChange.model_validate(decision.order) if decision.order else None
        if order and proposal and proposal != decision.proposal:
            order = self._revised(order, ProposedCard.model_validate(proposal))
        action = Action.UPDATE if order and order.anki_id else Action.CREATE
        dumped = order.stored() if order else None
        return decision.model_copy(update={"action": action, "proposal": proposal, "order": dumped})

    def _revised(self, order: AnkiChange, card: ProposedCard) -> AnkiChange:
        """The order for what a person wrote. The base stays the note's side, or the next sync would undo the edit."""
        rendered = self._render(card, order.note, "", order.card_id)
        existing = self.existing.get(order.card_id)
        fields = changed_fields(rendered.fields, existing.anki) if existing else rendered.fields
        return order.model_copy(
            update={
                "deck": card.deck_name,
                "fields": fields,
                "expected": {name: existing.anki.fields.get(name, "") for name in fields} if existing else {},
                "media": rendered.media,
            }
        )


def _new_record(card_id: str) -> CardRecord:
    card = KnownCard(card_id=card_id, anki_id=None, path="", order=0, front_key="", content_key="", front="")
    return CardRecord(card, None)


def _as_published(base: PublishedVersion | None) -> AnkiNote | None:
    """A card of a package, as we wrote it: nobody edits it there."""
    if base is None:
        return None
    about = base.about
    return AnkiNote(
        id=0, note_type=about.get("note_type", ""), fields=packaged_fields(base), tags=tuple(about.get("tags", ()))
    )


def _existing_card(note: AnkiNote, base: PublishedVersion | None) -> ExistingCard:
    about: Mapping[str, Any] = base.about if base else {}
    return ExistingCard(
        anki=note,
        base=base.fields if base else None,
        base_tags=tuple(about.get("tags", ())),
        base_deck=about.get("deck"),
        content_key=about.get("wanted_key"),
    )


def _belongs_to_another(name: str, card: CardSource) -> Decision:
    tool = card.marker.tool if card.marker else "another tool"
    finding = Finding(
        code="card.foreign",
        severity=Severity.INFO,
        message=f"{tool} made this card in Anki; `studium cards adopt` takes it over, history and all.",
        where=Locator(path=name, line=card.line),
    )
    return reject_item(f"{name}:{card.line}", finding)


def _is_derived(known: CardRecord) -> bool:
    return bool(known.base and known.base.about.get("derived"))


def _is_retired(base: PublishedVersion) -> bool:
    return bool(base.about.get("retired"))


def _retire(known: CardRecord) -> Decision:
    card, base = known.card, known.base
    finding = Finding(
        code="card.source_gone",
        severity=Severity.INFO,
        message="Its source is gone: the card is suspended and tagged, not removed.",
        where=Locator(path=card.path),
    )
    order = AnkiChange(
        card_id=card.card_id,
        kind="retire",
        note=card.path,
        anki_id=card.anki_id,
        add_tags=(SOURCE_GONE_TAG,),
        base=base.model_copy(update={"about": base.about | {"retired": True}}) if base else None,
    )
    return Decision(
        item=f"{card.path}#{card.card_id}",
        action=Action.UPDATE,
        reasons=(finding.message,),
        findings=(finding,),
        order=order.stored(),
    )
