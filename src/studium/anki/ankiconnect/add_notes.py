"""Adds notes through AnkiConnect, each once: after any failure, notes are recognised by our own id."""

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

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
    """Creates decks, and finds and corrects the decks of cards."""

    def __init__(self, client: AnkiConnectClient) -> None:
        self._client = client
        self._ready: set[str] = set()

    def prepare_actions(self, decks: Collection[str]) -> list[ConnectAction]:
        """The actions that create these decks and tell which of them are filtered."""
        new = sorted(set(decks) - self._ready)
        return [ConnectAction(action, {"deck": deck}) for deck in new for action in ("createDeck", "getDeckConfig")]

    def unfit_decks(self, decks: Collection[str], answers: Sequence[Any]) -> dict[str, Finding]:
        """The decks that cannot hold cards, from the answers to `prepare_actions`."""
        new = sorted(set(decks) - self._ready)
        unfit = {}
        for deck, made, config in zip(new, answers[::2], answers[1::2], strict=True):
            if isinstance(made, ActionRefused):
                unfit[deck] = refusals.refused(made.words)
            elif isinstance(config, dict) and config.get("dyn"):
                unfit[deck] = refusals.filtered_deck(deck)
        self._ready |= set(new) - unfit.keys()
        return unfit

    def home_decks(self, visiting: Sequence[int], current: Mapping[int, str]) -> dict[int, str]:
        """The decks that these cards, which are in filtered decks now, come from."""
        if not visiting:
            return {}
        filtered = {current[card] for card in visiting if card in current}
        decks = [deck for deck in self._client.call("deckNames") if deck not in filtered]
        among = search_cards(visiting)
        actions = [ConnectAction("findCards", {"query": f"{among} {search_deck(deck)}"}) for deck in decks]
        found = zip(decks, self._client.call_many(actions), strict=True)
        return {card: deck for deck, cards in found for card in _found_cards(cards)}

    def correct_decks(self, wanted: Mapping[str, Sequence[int]]) -> None:
        """Move the cards of new notes to their decks if needed: some versions of AnkiConnect put them into Default."""
        found = iter(
            self._client.call_many([action for deck, notes in wanted.items() for action in _deck_searches(deck, notes)])
        )
        # A search in a deck with special characters may find nothing, so the decks are asked for as well.
        doubtful = {deck: sorted(_found_cards(next(found)) - _found_cards(next(found))) for deck in wanted}
        doubtful = {deck: cards for deck, cards in doubtful.items() if cards}
        lying = self._client.call_each([ConnectAction("getDecks", {"cards": cards}) for cards in doubtful.values()])
        moves = []
        for (deck, cards), places in zip(doubtful.items(), lying, strict=True):
            if wrong := sorted(set(cards) - set(places.get(deck, ()))):
                moves.append(ConnectAction("changeDeck", {"cards": wrong, "deck": deck}))
        self._client.call_each(moves)


def _found_cards(answer: Any) -> set[int]:
    """The cards that a search found; a search that Anki refuses finds none."""
    return set() if isinstance(answer, ActionRefused) else set(answer)


def _deck_searches(deck: str, notes: Sequence[int]) -> tuple[ConnectAction, ConnectAction]:
    """Searches for all cards of these notes, and for those in the deck."""
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
"""For each position, the id of the note or why it was not added."""


@dataclass
class NoteAdder:
    """Adds notes, and tracks the result of each."""

    client: AnkiConnectClient
    decks: DeckManager
    notes: Sequence[NewNote]
    results: AddResults = field(default_factory=dict)

    def run(self) -> list[int | Finding]:
        """Add all notes; if Anki stops after some were added, the others get a finding."""
        try:
            for places in batches(range(len(self.notes)), _CHUNK):
                self._add_chunk(places)
        except ServiceDown as down:
            if not any(isinstance(answer, int) for answer in self.results.values()):
                raise
            _log.warning("Anki stopped answering while notes were added: %s", down.what)
            for place in range(len(self.notes)):
                self.results.setdefault(place, refusals.gone(down.what))
        return [self.results[place] for place in range(len(self.notes))]

    def _add_chunk(self, places: Sequence[int]) -> None:
        # Two notes with the same id of ours are one note.
        first = {_own_id(self.notes[place]) or str(place): place for place in reversed(places)}
        same = {place: first[_own_id(self.notes[place]) or str(place)] for place in places}
        self._add_distinct([place for place in places if same[place] == place])
        self.results |= {place: self.results[same[place]] for place in places}

    def _add_distinct(self, places: Sequence[int]) -> None:
        self._prepare(places)
        left = self._open(places)
        for batch in batches(left, _BATCH):
            self._add_batch(batch)
        wanted: dict[str, list[int]] = {}
        for place in left:
            if isinstance(note := self.results[place], int):
                wanted.setdefault(self.notes[place].deck, []).append(note)
        self.decks.correct_decks(wanted)

    def _prepare(self, places: Sequence[int]) -> None:
        """Create the decks, get the note types, and find existing notes, in one request."""
        decks = {self.notes[place].deck for place in places}
        kinds = sorted({self.notes[place].note_type for place in places})
        actions = {
            "decks": self.decks.prepare_actions(decks),
            "kinds": [ConnectAction("modelTemplates", {"modelName": kind}) for kind in kinds],
            "there": _search(self.notes[place] for place in places),
        }
        answers = iter(self.client.call_many([action for group in actions.values() for action in group]))
        answered = {group: [next(answers) for _ in actions[group]] for group in actions}
        self._recognise(places, answered["there"])
        unfit = self.decks.unfit_decks(decks, answered["decks"])
        templates = dict(zip(kinds, answered["kinds"], strict=True))
        for place in self._open(places):
            note = self.notes[place]
            if finding := unfit.get(note.deck) or _unfit(note, templates[note.note_type]):
                self.results[place] = finding

    def _add_batch(self, places: Sequence[int]) -> None:
        """Add one batch; after a lost reply, notes that were added are found and not added again."""
        for _ in range(_ATTEMPTS):
            try:
                self._send_together(self._open(places))
                self._send_singly(self._open(places))
            except NoReply as lost:
                _log.warning("%s Looking up which notes were added.", lost.what)
                self._look_up(places)
                unknown = [place for place in self._open(places) if not _own_id(self.notes[place])]
                self.results |= {place: refusals.unsure(self.notes[place]) for place in unknown}
            if not self._open(places):
                return
        raise ServiceDown("Anki keeps losing the added notes.", remedy="Restart Anki, then run the command again.")

    def _open(self, places: Sequence[int]) -> list[int]:
        return [place for place in places if place not in self.results]

    def _send_together(self, places: Sequence[int]) -> None:
        """Add notes in one action; a note that Anki refuses is null in the answer, or all are refused."""
        if not places:
            return
        answer = self.client.call_once("addNotes", notes=[_payload(self.notes[place]) for place in places])
        if isinstance(answer, ActionRefused):
            self._look_up(places)
            return
        self.results |= {place: note for place, note in zip(places, answer, strict=True) if note}

    def _send_singly(self, places: Sequence[int]) -> None:
        """Add notes one by one, which says why each is refused."""
        actions = [ConnectAction("addNote", {"note": _payload(self.notes[place])}) for place in places]
        for place, answer in zip(places, self.client.call_many(actions, once=True), strict=True):
            self.results[place] = answer if isinstance(answer, int) else _reason(self.notes[place], answer)

    def _look_up(self, places: Sequence[int]) -> None:
        """Find the notes that Anki has, by our own ids."""
        self._recognise(places, self.client.call_many(_search(self.notes[place] for place in self._open(places))))

    def _recognise(self, places: Sequence[int], answers: Sequence[Any]) -> None:
        found = [note for answer in answers for note in require_answer("findNotes", answer)]
        infos = self.client.call("notesInfo", notes=found) if found else []
        known = {info["fields"][ID_FIELD]["value"]: info["noteId"] for info in infos if info}
        for place in self._open(places):
            if note := known.get(_own_id(self.notes[place])):
                self.results[place] = note


def _search(notes: Iterable[NewNote]) -> list[ConnectAction]:
    """The search for notes with the ids of these, if they have any."""
    own_ids = [own_id for note in notes if (own_id := _own_id(note))]
    return [ConnectAction("findNotes", {"query": search_own_ids(own_ids)})] if own_ids else []


def _unfit(note: NewNote, templates: Any) -> Finding | None:
    """Why a note cannot have its note type, according to the templates."""
    if isinstance(templates, ActionRefused):
        return refusals.no_note_type(note)
    is_cloze = any("{{cloze:" in sides["Front"] for sides in templates.values())
    return refusals.no_cloze(note) if is_cloze and not refusals.has_cloze(note) else None


def _own_id(note: NewNote) -> str:
    return note.fields.get(ID_FIELD, "")


class _NotePayload(TypedDict):
    modelName: str
    deckName: str
    fields: dict[str, str]
    tags: tuple[str, ...]
    options: dict[str, bool | str]


def _payload(note: NewNote) -> _NotePayload:
    # Our own id tells whether two notes are the same, not their first field. Limited to one deck, Anki uses an index
    # instead of reading every note for each added one.
    options: dict[str, bool | str] = (
        {"allowDuplicate": True, "duplicateScope": "deck"} if _own_id(note) else {"allowDuplicate": False}
    )
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
