"""The cards of a vault as they stand in Anki, with all that can be found about them without judging them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from studium.core.domain.change import PublishedVersion
from studium.core.domain.finding import Finding, Locator
from studium.domain.anki import AnkiStore
from studium.domain.vault import Vault
from studium.running.cards.pairing import CardSync
from studium.running.cards.planning import Planning
from studium.running.cards.scanning import Scan
from studium.stores.anki.searching import OURS
from studium.workflows.cards.identity.matching import front_key
from studium.workflows.cards.rechecking import faults
from studium.workflows.cards.rechecking.deadlinks import LinkCheck
from studium.workflows.cards.rechecking.readback import content_fields
from studium.workflows.cards.rechecking.recheck import StandingCard
from studium.workflows.cards.wanted import WantedCard, wanted_cards

LEECHES = f"{OURS} (tag:leech OR prop:lapses>={faults.LEECH})"


class Standing:
    """What a vault asks for beside what a collection has; `scan` is of the whole vault, every note to be looked at."""

    def __init__(self, sync: CardSync, store: AnkiStore, scan: Scan) -> None:
        planning = Planning(sync, scan, sync.ledger.published.versions(sync.sink))
        self._sync = sync
        states = [item.start() for item in planning.job().items]
        self._wanted = {wanted.card_id: (state, wanted) for state in states for wanted in self._asked_for(state)}
        self._notes = {note.file.name: note for note in planning.notes}
        self._leeches = set(store.find(LEECHES))
        self._names = scan.names
        self._links = LinkCheck(Vault.of(scan.root, sync.vault_name), self._headings)

    def notes(self) -> dict[str, list[StandingCard]]:
        """The cards that stand in Anki, by the note that asks for them."""
        found: dict[str, list[StandingCard]] = {}
        firsts: dict[str, StandingCard] = {}
        for state, wanted in self._wanted.values():
            if existing := state["existing"].get(wanted.card_id):
                card = StandingCard(wanted, existing, _place(state, wanted))
                first = firsts.setdefault(_asks(card), card)
                of_note = found.setdefault(card.where.path, [])
                of_note.append(replace(card, findings=tuple(self._faults(card, first))))
        return found

    def missing(self) -> Iterator[tuple[str, Finding]]:
        """The cards that only one side knows, each with what to say of it."""
        for card_id, base in self._sync.ledger.published.versions(self._sync.sink).items():
            if not base.about.get("retired") and (finding := self._missing(card_id, base)):
                yield f"{base.about.get('path', '')}#{card_id}", finding

    def _asked_for(self, state: dict[str, Any]) -> list[WantedCard]:
        policy = self._sync.policy
        return wanted_cards(state["note"], state["existing"], policy.bilingual, per_section=policy.card_per_section)

    def _missing(self, card_id: str, base: PublishedVersion) -> Finding | None:
        if card_id not in self._wanted:
            return self._not_asked_for(base.about.get("path", ""))
        state, wanted = self._wanted[card_id]
        return None if card_id in state["existing"] else faults.gone_from_anki(_place(state, wanted))

    def _not_asked_for(self, path: str) -> Finding | None:
        """What to say of a card that no note asks for; of a note that is ignored nobody knows, so nothing."""
        note = self._notes.get(path)
        if note and note.parsed is None and note.findings:
            return note.findings[0]
        return None if note is None and path in self._names else faults.source_gone(Locator(path=path))

    def _headings(self, name: str) -> list[str] | None:
        note = self._notes.get(name)
        return [section.heading for section in note.parsed.sections] if note and note.parsed else None

    def _faults(self, card: StandingCard, first: StandingCard) -> Iterator[Finding]:
        note, where = card.existing.anki, card.where
        yield from faults.source_changed(card.existing, card.wanted, where)
        yield from faults.edited_in_anki(card.existing, where)
        yield from (faults.dead_link(message, where) for message in self._links.dead(note.fields))
        yield from faults.missing_media(note.fields, where)
        if note.id in self._leeches:
            yield faults.leech(where)
        if first is not card:
            yield faults.duplicate(first.wanted.card_id, first.where, where)


def _place(state: dict[str, Any], wanted: WantedCard) -> Locator:
    return Locator(path=state["note"].note_path, line=wanted.line)


def _asks(card: StandingCard) -> str:
    """What a card asks, as a key; one that asks nothing is like no other."""
    fields = list(content_fields(card.existing.anki).values())
    return front_key(fields[0]) if fields and fields[0] else card.wanted.card_id
