"""Adds notes through AnkiConnect, none twice: whatever breaks, a note is known by the id of ours that it carries."""

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from studium.anki import refusals
from studium.anki.ankiconnect.client import (
    ActionRefused,
    AnkiConnectClient,
    ConnectAction,
    NoReply,
    batches,
    require_answer,
)
from studium.anki.store import ID_FIELD, NewNote, search_cards, search_deck, search_notes, search_own_ids
from studium.core.domain.errors import ServiceDown
from studium.core.domain.finding import Finding


class DeckManager:
    """The decks that cards go to."""

    def __init__(self, wire: AnkiConnectClient) -> None:
        self._wire = wire
        self._ready: set[str] = set()

    def preparing(self, decks: Collection[str]) -> list[ConnectAction]:
        """What to ask so that these decks are there, and that it is known which of them are filtered."""
        new = sorted(set(decks) - self._ready)
        return [ConnectAction(action, {"deck": deck}) for deck in new for action in ("createDeck", "getDeckConfig")]

    def judge(self, decks: Collection[str], answers: Sequence[Any]) -> dict[str, Finding]:
        """Which of these decks cannot hold cards, from the answers to `preparing`."""
        new = sorted(set(decks) - self._ready)
        unfit = {}
        for deck, made, config in zip(new, answers[::2], answers[1::2], strict=True):
            if isinstance(made, ActionRefused):
                unfit[deck] = refusals.refused(made.words)
            elif isinstance(config, dict) and config.get("dyn"):
                unfit[deck] = refusals.filtered_deck(deck)
        self._ready |= set(new) - unfit.keys()
        return unfit

    def homes(self, visiting: Sequence[int], lying: Mapping[int, str]) -> dict[int, str]:
        """Where these cards, which lie in filtered decks now, come from and will go back to."""
        if not visiting:
            return {}
        filtered = {lying[card] for card in visiting if card in lying}
        decks = [deck for deck in self._wire.ask("deckNames") if deck not in filtered]
        among = search_cards(visiting)
        asks = [ConnectAction("findCards", {"query": f"{among} {search_deck(deck)}"}) for deck in decks]
        found = zip(decks, self._wire.ask_all(asks), strict=True)
        return {card: deck for deck, cards in found for card in _found_cards(cards)}

    def settle(self, wanted: Mapping[str, Sequence[int]]) -> None:
        """See that the cards of these new notes are where they should be: some versions put them into Default."""
        found = iter(self._wire.ask_all([ask for deck, notes in wanted.items() for ask in _deck_searches(deck, notes)]))
        # A deck with special characters may be answered as empty: only what was found there counts.
        doubtful = {deck: sorted(_found_cards(next(found)) - _found_cards(next(found))) for deck in wanted}
        doubtful = {deck: cards for deck, cards in doubtful.items() if cards}
        lying = self._wire.ask_each([ConnectAction("getDecks", {"cards": cards}) for cards in doubtful.values()])
        moves = []
        for (deck, cards), places in zip(doubtful.items(), lying, strict=True):
            if wrong := sorted(set(cards) - set(places.get(deck, ()))):
                moves.append(ConnectAction("changeDeck", {"cards": wrong, "deck": deck}))
        self._wire.ask_each(moves)


def _found_cards(answer: Any) -> set[int]:
    """What a search found; one that Anki does not understand finds nothing."""
    return set() if isinstance(answer, ActionRefused) else set(answer)


def _deck_searches(deck: str, notes: Sequence[int]) -> tuple[ConnectAction, ConnectAction]:
    """All cards of these notes, and those of them that lie in the deck."""
    among = search_notes(notes)
    return ConnectAction("findCards", {"query": among}), ConnectAction(
        "findCards", {"query": f"{among} {search_deck(deck)}"}
    )


_log = logging.getLogger(__name__)
_CHUNK = 1000
_BATCH = 100
_ATTEMPTS = 3
_REASONS = (
    ("duplicate", refusals.duplicate),
    ("it is empty", refusals.empty),
    ("empty question", refusals.empty),
)

AddResults = dict[int, int | Finding]
"""What became of the note at each place: its id, or why it was not added."""


@dataclass
class NoteAdder:
    """One call to add notes, and what is known of each so far."""

    wire: AnkiConnectClient
    decks: DeckManager
    notes: Sequence[NewNote]
    told: AddResults = field(default_factory=dict)

    def run(self) -> list[int | Finding]:
        """Add all of them; once something was added, Anki going away is a finding of each that is left."""
        try:
            for places in batches(range(len(self.notes)), _CHUNK):
                self._add_chunk(places)
        except ServiceDown as down:
            if not any(isinstance(answer, int) for answer in self.told.values()):
                raise
            _log.warning("Anki went away while notes were added: %s", down.what)
            for place in range(len(self.notes)):
                self.told.setdefault(place, refusals.gone(down.what))
        return [self.told[place] for place in range(len(self.notes))]

    def _add_chunk(self, places: Sequence[int]) -> None:
        # Two notes with one id of ours are one note.
        first = {_own_id(self.notes[place]) or str(place): place for place in reversed(places)}
        same = {place: first[_own_id(self.notes[place]) or str(place)] for place in places}
        self._add_distinct([place for place in places if same[place] == place])
        self.told |= {place: self.told[same[place]] for place in places}

    def _add_distinct(self, places: Sequence[int]) -> None:
        self._prepare(places)
        left = self._untold(places)
        for batch in batches(left, _BATCH):
            self._add_batch(batch)
        wanted: dict[str, list[int]] = {}
        for place in left:
            if isinstance(note := self.told[place], int):
                wanted.setdefault(self.notes[place].deck, []).append(note)
        self.decks.settle(wanted)

    def _prepare(self, places: Sequence[int]) -> None:
        """Make the decks, look at the note types, and see which notes are there already, in one request."""
        decks = {self.notes[place].deck for place in places}
        kinds = sorted({self.notes[place].note_type for place in places})
        asks = {
            "decks": self.decks.preparing(decks),
            "kinds": [ConnectAction("modelTemplates", {"modelName": kind}) for kind in kinds],
            "there": _search(self.notes[place] for place in places),
        }
        answers = iter(self.wire.ask_all([ask for group in asks.values() for ask in group]))
        heard = {group: [next(answers) for _ in asks[group]] for group in asks}
        self._recognise(places, heard["there"])
        unfit = self.decks.judge(decks, heard["decks"])
        templates = dict(zip(kinds, heard["kinds"], strict=True))
        for place in self._untold(places):
            note = self.notes[place]
            if finding := unfit.get(note.deck) or _unfit(note, templates[note.note_type]):
                self.told[place] = finding

    def _add_batch(self, places: Sequence[int]) -> None:
        """Add up to a hundred; after a lost reply those that are there are not added again."""
        for _ in range(_ATTEMPTS):
            try:
                self._send_together(self._untold(places))
                self._send_singly(self._untold(places))
            except NoReply as lost:
                _log.warning("%s Looking up which notes were added.", lost.what)
                self._look_up(places)
                unknown = [place for place in self._untold(places) if not _own_id(self.notes[place])]
                self.told |= {place: refusals.unsure(self.notes[place]) for place in unknown}
            if not self._untold(places):
                return
        raise ServiceDown("Anki loses the notes that it is given.", remedy="Restart Anki, then run the command again.")

    def _untold(self, places: Sequence[int]) -> list[int]:
        return [place for place in places if place not in self.told]

    def _send_together(self, places: Sequence[int]) -> None:
        """The quick way. A note that Anki does not take is null among the answers, or all are taken back."""
        if not places:
            return
        answer = self.wire.ask_once("addNotes", notes=[_payload(self.notes[place]) for place in places])
        if isinstance(answer, ActionRefused):
            self._look_up(places)
            return
        self.told |= {place: note for place, note in zip(places, answer, strict=True) if note}

    def _send_singly(self, places: Sequence[int]) -> None:
        """The way that says why: each note is added, or its own refusal told."""
        asks = [ConnectAction("addNote", {"note": _payload(self.notes[place])}) for place in places]
        for place, answer in zip(places, self.wire.ask_all(asks, once=True), strict=True):
            self.told[place] = answer if isinstance(answer, int) else _reason(self.notes[place], answer)

    def _look_up(self, places: Sequence[int]) -> None:
        """Find out which of these notes Anki has, by our own ids."""
        self._recognise(places, self.wire.ask_all(_search(self.notes[place] for place in self._untold(places))))

    def _recognise(self, places: Sequence[int], answers: Sequence[Any]) -> None:
        found = [note for answer in answers for note in require_answer("findNotes", answer)]
        infos = self.wire.ask("notesInfo", notes=found) if found else []
        known = {info["fields"][ID_FIELD]["value"]: info["noteId"] for info in infos if info}
        for place in self._untold(places):
            if note := known.get(_own_id(self.notes[place])):
                self.told[place] = note


def _search(notes: Iterable[NewNote]) -> list[ConnectAction]:
    """The search for notes that carry the ids of these, if any does."""
    own_ids = [own_id for note in notes if (own_id := _own_id(note))]
    return [ConnectAction("findNotes", {"query": search_own_ids(own_ids)})] if own_ids else []


def _unfit(note: NewNote, templates: Any) -> Finding | None:
    """Why a note cannot be of its type, as far as the type's templates tell."""
    if isinstance(templates, ActionRefused):
        return refusals.no_note_type(note)
    is_cloze = any("{{cloze:" in sides["Front"] for sides in templates.values())
    return refusals.no_cloze(note) if is_cloze and not refusals.has_cloze(note) else None


def _own_id(note: NewNote) -> str:
    return note.fields.get(ID_FIELD, "")


def _payload(note: NewNote) -> dict[str, Any]:
    # Our own id says whether two notes are the same; Anki would say so by their first fields. Asked to look in one
    # deck only it uses an index, where it would otherwise read every note for each that is added.
    options = {"allowDuplicate": True, "duplicateScope": "deck"} if _own_id(note) else {"allowDuplicate": False}
    return {
        "modelName": note.note_type,
        "deckName": note.deck,
        "fields": note.fields,
        "tags": note.tags,
        "options": options,
    }


def _reason(note: NewNote, answer: Any) -> Finding:
    words = answer.words if isinstance(answer, ActionRefused) else "no reason given"
    return next((finding(note) for part, finding in _REASONS if part in words), refusals.refused(words))
