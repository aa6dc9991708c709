"""Plans a sync: reads the changed notes, matches their cards with known cards, and sets up the run that decides."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from studium.anki.note_types import NOTE_TYPES, WORD
from studium.anki.store import AnkiNote, RenderedCard
from studium.cards.graph import create_card_graph
from studium.cards.models import CardSource, ProposedCard
from studium.cards.rendering import CardRenderer
from studium.cards.state import CardState, ExistingCard
from studium.cards.sync.changes import SOURCE_GONE_TAG, AnkiChange, ChangeBuilder, PublishedCard, changed_fields
from studium.cards.sync.match import CardMatches, KnownCard, front_key, match_cards, new_card_id
from studium.cards.sync.scan import LoadedNote, SyncContext, VaultScan, load_note
from studium.core.documents.registry import DocumentCache
from studium.core.documents.vault import Vault
from studium.core.domain.decision import Action, Decision
from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.domain.run import RunItem, RunSpec, reject_item
from studium.core.text.html import visible_text


@dataclass(frozen=True)
class CardRecord:
    """A known card: how it is recognised, and what we last published (None if that is not known)."""

    card: KnownCard
    published: PublishedCard | None


def load_card_records(published: Mapping[str, PublishedCard], ours: Iterable[AnkiNote]) -> dict[str, CardRecord]:
    """Every known card by its id; a card that only Anki has comes from another computer or a lost database."""
    known = {card_id: CardRecord(_from_published(card_id, card), card) for card_id, card in published.items()}
    for note in ours:
        # Vocabulary cards carry our id too, but they do not come from a vault.
        if note.card_id and note.card_id not in known and note.note_type != WORD:
            known[note.card_id] = CardRecord(_from_anki(note.card_id, note), None)
    return known


def _from_published(card_id: str, card: PublishedCard) -> KnownCard:
    about = card.about
    return KnownCard(
        card_id=card_id,
        anki_id=about.anki_id,
        path=about.path,
        order=about.order,
        front_key=about.front_key,
        content_key=about.content_key,
        front=about.front,
        back=about.back,
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
    """The cards that another tool made, each with a new id of ours."""
    taken = {each.card.anki_id for each in known.values()}
    adopted: dict[str, CardRecord] = {}
    for name, source, note in found:
        if note.id not in taken:
            card_id = new_card_id(source, {*known, *adopted})
            card = replace(_from_anki(card_id, note), path=name, front_key=front_key(source.front))
            adopted[card_id] = CardRecord(card, None)
    return adopted


class SyncPlanner:
    """Plans one sync."""

    def __init__(
        self, sync: SyncContext, scan: VaultScan, published: Mapping[str, PublishedCard], *, adopt: bool = False
    ) -> None:
        self.sync, self.scan, self.adopt = sync, scan, adopt
        self.documents = DocumentCache()
        self.renderer = CardRenderer(Vault.of(scan.root, sync.vault_name))
        self.notes = [load_note(self.documents, file) for file in scan.changed]
        ours = sync.store.our_notes() if sync.store else []
        self.known = load_card_records(published, ours)
        self.foreign = self._foreign()
        if adopt:
            self.known |= adopt_foreign_cards(self.foreign, self.known)
        self.findings = {note.file.name: note.findings for note in self.notes}
        # Cards about one section of an answer have no source of their own to be matched with.
        self.derived: defaultdict[str, list[str]] = defaultdict(list)
        for key, known in self.known.items():
            if _is_derived(known):
                self.derived[known.card.path].append(key)
        self.matches = self._match()
        for finding in self.matches.findings:
            if finding.where:
                self.findings[finding.where.path] += (finding,)
        self.existing = self._existing(ours)

    def run_spec(self) -> RunSpec:
        """The run that decides about every changed note."""
        sync = self.sync
        ids = iter(self.matches.card_ids)
        notes = [(note, self._cards_by_id(note, [next(ids) for _ in note.cards])) for note in self.notes]
        return RunSpec(
            feature="cards",
            arguments={"vault": str(sync.root.resolve()), "to": sync.address, "sink": sync.destination},
            note=f"Sync: {sync.vault_name} → {PurePath(sync.address).name}",
            graph=create_card_graph(
                sync.model,
                self.documents.document,
                sync.policy,
                render=self._render,
                note_types=self._note_types(),
                similarity=sync.similarity,
            ),
            items=[self._item(note, cards) for note, cards in notes if cards],
            decide=self._decide,
            item_limits=sync.limits,
            already_decided=[*self._unusable(), *self._retired()],
            accept=self._accept,
        )

    def _note_types(self) -> dict[str, tuple[str, ...]]:
        """The note types a card may have: those of the collection, and ours."""
        ours = {each.name: each.fields for each in NOTE_TYPES}
        return ours | (self.sync.store.note_types() if self.sync.store else {})

    def _match(self) -> CardMatches:
        names = {note.file.name for note in self.notes}
        candidates = [known.card for known in self.known.values() if self._may_be_in(names, known)]
        sources = [(note.file.name, card) for note in self.notes for card in note.cards]
        return match_cards(sources, candidates)

    def _may_be_in(self, names: set[str], known: CardRecord) -> bool:
        """Whether a card may belong to one of these notes: it came from there, its note is gone, or it is unknown."""
        path = known.card.path
        if _is_derived(known):
            return False
        if known.published is None or path in names:
            return True
        return path not in self.scan.names if self.scan.whole else not (self.scan.root / path).exists()

    def _foreign(self) -> list[tuple[str, CardSource, AnkiNote]]:
        """The cards of these notes that another tool made in Anki, found by the ids it left in the notes."""
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

    def _cards_by_id(self, note: LoadedNote, ids: Sequence[str | None]) -> dict[str, CardSource]:
        """The note's cards by id; a new card gets a new id, a card of another tool is left out."""
        cards = {}
        others = {card.line for name, card, _ in self.foreign if name == note.file.name}
        for card, known in zip(note.cards, ids, strict=True):
            if known is None and card.line in others:
                continue
            card_id = known or new_card_id(card, self.known)
            self.known.setdefault(card_id, _new_record(card_id))
            cards[card_id] = card
        return cards

    def _existing(self, ours: Sequence[AnkiNote]) -> dict[str, ExistingCard]:
        matched = [self.known[card_id] for card_id in self.matches.card_ids if card_id]
        matched += [known for known in self.known.values() if _is_derived(known)]
        notes = {note.id: note for note in ours} | {note.id: note for _, _, note in self.foreign}
        found = {}
        for known in matched:
            note = notes.get(known.card.anki_id or 0) if self.sync.store else _packaged_note(known.published)
            if note:
                found[known.card.card_id] = _existing_card(note, known.published)
        return found

    def _item(self, note: LoadedNote, cards: Mapping[str, CardSource]) -> RunItem:
        ids = cards.keys() | set(self.derived[note.file.name])
        existing = {card_id: self.existing[card_id] for card_id in ids if card_id in self.existing}
        # The time is part of the item, so that a note that changes while its run is interrupted is decided again.
        item = f"{note.file.name}@{note.file.state.modified}"
        return RunItem(item, lambda: {"note": note.context(cards), "existing": existing})

    def _decide(self, _item: RunItem, state: CardState) -> list[Decision]:
        cards = enumerate(state["note"].qa_pairs)
        sources = {card.card_id: (place, card) for place, card in cards if card.card_id}
        name = state["note"].slug
        self.documents.forget(name)
        builder = ChangeBuilder(name, sources, state["existing"], self._render)
        findings = (*self.findings[name], *state.get("findings", ()))
        about_note = [reject_item(name, *findings)] if findings else []
        made = {card.card_id for card in state["cards"]}
        gone = [_retire(self.known[each]) for each in self.derived[name] if each not in made]
        return [*(builder.decision(card) for card in state["cards"]), *gone, *about_note]

    def _render(self, card: ProposedCard, note_path: str, heading: str, card_id: str) -> RenderedCard:
        return self.renderer.render(card, note_path=note_path, heading=heading, card_id=card_id)

    def _unusable(self) -> list[tuple[str, list[Decision]]]:
        """Decisions about what could not be read, and about notes that have no valid card."""
        places = [(str(finding.where or self.scan.root), finding) for finding in self.scan.findings]
        scanned = [(place, [reject_item(place, finding)]) for place, finding in places]
        notes = [
            (n.file.name, [reject_item(n.file.name, *n.findings)]) for n in self.notes if n.findings and not n.cards
        ]
        return [*scanned, *notes, *self._made_by_other_tools()]

    def _made_by_other_tools(self) -> list[tuple[str, list[Decision]]]:
        known = {known.card.anki_id for known in self.known.values()}
        left = [(name, card) for name, card, note in self.foreign if note.id not in known]
        return [(f"{name}:{card.line}", [_skip_foreign_card(name, card)]) for name, card in left]

    def _retired(self) -> list[tuple[str, list[Decision]]]:
        """Suspend and tag the cards whose source is gone; only a whole scan can tell.

        A note that cannot be read now may still hold its cards.
        """
        if not self.scan.whole:
            return []
        unread = {note.file.name for note in self.notes if note.parsed is None}
        gone = [self.known[card.card_id] for card in self.matches.missing if card.path not in unread]
        return [
            (f"{k.card.path}#{k.card.card_id}", [_retire(k)])
            for k in gone
            if k.published and not k.published.about.retired
        ]

    def _accept(self, decision: Decision, proposal: dict[str, Any] | None) -> Decision:
        """The decision after a person approved it; if the person edited the card, it is rendered again."""
        change = AnkiChange.of(decision)
        if change and proposal and proposal != decision.proposal:
            change = self._revised(change, ProposedCard.model_validate(proposal))
        action = Action.UPDATE if change and change.anki_id else Action.CREATE
        stored = change.to_json() if change else None
        return decision.model_copy(update={"action": action, "proposal": proposal, "change": stored})

    def _revised(self, change: AnkiChange, card: ProposedCard) -> AnkiChange:
        """The change for a card that a person edited; its base stays what the note says, or the next sync undoes it."""
        rendered = self._render(card, change.note, "", change.card_id)
        existing = self.existing.get(change.card_id)
        fields = changed_fields(rendered.fields, existing.anki) if existing else rendered.fields
        return change.model_copy(
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


def _packaged_note(card: PublishedCard | None) -> AnkiNote | None:
    """The note of a card in a package: as we wrote it, since it cannot be edited there."""
    if card is None:
        return None
    return AnkiNote(id=0, note_type=card.about.note_type, fields=card.packaged_fields, tags=card.about.tags)


def _existing_card(note: AnkiNote, published: PublishedCard | None) -> ExistingCard:
    if published is None:
        return ExistingCard(anki=note)
    about = published.about
    return ExistingCard(
        anki=note,
        base=published.fields,
        base_tags=about.tags,
        base_deck=about.deck or None,
        content_key=about.spec_key or None,
    )


def _skip_foreign_card(name: str, card: CardSource) -> Decision:
    tool = card.marker.tool if card.marker else "another tool"
    finding = Finding(
        code="card.foreign",
        severity=Severity.INFO,
        message=f"{tool} made this card in Anki; `studium cards adopt` takes it over with its history.",
        where=Locator(path=name, line=card.line),
    )
    return reject_item(f"{name}:{card.line}", finding)


def _is_derived(known: CardRecord) -> bool:
    return known.published is not None and known.published.about.derived


def _retire(known: CardRecord) -> Decision:
    card, published = known.card, known.published
    finding = Finding(
        code="card.source_gone",
        severity=Severity.INFO,
        message="Its source is gone: the card is suspended and tagged, not removed.",
        where=Locator(path=card.path),
    )
    change = AnkiChange(
        card_id=card.card_id,
        kind="retire",
        note=card.path,
        anki_id=card.anki_id,
        add_tags=(SOURCE_GONE_TAG,),
        base=published.with_details(retired=True) if published else None,
    )
    return Decision(
        item=f"{card.path}#{card.card_id}",
        action=Action.UPDATE,
        reasons=(finding.message,),
        findings=(finding,),
        change=change.to_json(),
    )
