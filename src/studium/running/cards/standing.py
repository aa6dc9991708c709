"""The cards of a vault as they stand in Anki, with all that can be found about them without judging them."""

from collections.abc import Iterator
from dataclasses import replace

from studium.domain.anki import AnkiStore
from studium.domain.finding import Finding, Locator
from studium.domain.publication import Base
from studium.domain.vault import Vault
from studium.running.cards.pairing import CardSync
from studium.running.cards.planning import Planning
from studium.running.cards.scanning import Scan
from studium.running.job import Item
from studium.stores.anki.searching import OURS
from studium.workflows.cards import faults
from studium.workflows.cards.deadlinks import LinkCheck
from studium.workflows.cards.matching import front_key
from studium.workflows.cards.readback import content_fields
from studium.workflows.cards.recheck import StandingCard
from studium.workflows.cards.wanted import WantedCard, wanted_cards

LEECHES = f"{OURS} (tag:leech OR prop:lapses>={faults.LEECH})"


class Standing:
    """What a vault asks for beside what a collection has; `scan` is of the whole vault, every note to be looked at."""

    def __init__(self, sync: CardSync, store: AnkiStore, scan: Scan) -> None:
        planning = Planning(sync, scan)
        self._sync = sync
        self._items = planning.job().items
        self._wanted = {wanted.card_id: (item, wanted) for item in self._items for wanted in self._asked_for(item)}
        self._leeches = set(store.find(LEECHES))
        headings = {
            note.file.name: [section.heading for section in note.parsed.sections]
            for note in planning.notes
            if note.parsed
        }
        self._links = LinkCheck(Vault.of(scan.root, sync.vault_name), headings.get)

    def notes(self) -> dict[str, list[StandingCard]]:
        """The cards that stand in Anki, by the note that asks for them."""
        found: dict[str, list[StandingCard]] = {}
        firsts: dict[str, StandingCard] = {}
        for item, wanted in self._wanted.values():
            if existing := item.state["existing"].get(wanted.card_id):
                card = StandingCard(wanted, existing, Locator(path=item.id, line=wanted.line))
                first = firsts.setdefault(_asks(card), card)
                found.setdefault(item.id, []).append(replace(card, findings=tuple(self._faults(card, first))))
        return found

    def missing(self) -> Iterator[tuple[str, Finding]]:
        """The cards that only one side knows, each with what to say of it."""
        for card_id, base in self._sync.ledger.bases(self._sync.sink).items():
            if not base.about.get("retired") and (finding := self._missing(card_id, base)):
                yield f"{base.about.get('path', '')}#{card_id}", finding

    def _asked_for(self, item: Item) -> list[WantedCard]:
        policy, state = self._sync.policy, item.state
        return wanted_cards(state["note"], state["existing"], policy.bilingual, per_section=policy.card_per_section)

    def _missing(self, card_id: str, base: Base) -> Finding | None:
        if card_id not in self._wanted:
            return faults.source_gone(Locator(path=base.about.get("path", "")))
        item, wanted = self._wanted[card_id]
        if card_id not in item.state["existing"]:
            return faults.gone_from_anki(Locator(path=item.id, line=wanted.line))
        return None

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


def _asks(card: StandingCard) -> str:
    """What a card asks, as a key; one that asks nothing is like no other."""
    fields = list(content_fields(card.existing.anki).values())
    return front_key(fields[0]) if fields and fields[0] else card.wanted.card_id
