"""Anki as it runs, through the AnkiConnect add-on."""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NotRequired, TypedDict
from unicodedata import normalize
from urllib.parse import urlsplit

from studium.anki import refusals
from studium.anki.ankiconnect.add_notes import DeckManager, NoteAdder
from studium.anki.ankiconnect.client import ActionRefused, AnkiConnectClient, ConnectAction, batches
from studium.anki.store import (
    IN_FILTERED_DECKS,
    MEDIA_PREFIX,
    OUR_NOTES,
    AnkiCard,
    AnkiNote,
    MediaFile,
    NewNote,
    NoteType,
    search_cards,
)
from studium.core.domain.errors import Conflict, ServiceDown
from studium.core.domain.finding import Finding

_MEDIA_BATCH = 100
_MEGABYTE = 1_000_000
_MAX_FILE = 20 * _MEGABYTE
_MAX_REQUEST = 4 * _MEGABYTE
_SECONDS_PER_MEGABYTE = 5


def send_media(client: AnkiConnectClient, files: Sequence[MediaFile]) -> list[Finding]:
    """Store the files that Anki does not have by name; returns findings about those that failed."""
    there = {normalize("NFC", name) for name in client.call("getMediaFilesNames", pattern="*")} if files else set()
    # A picture on several cards is sent once.
    missing = {name: file for file in files if (name := normalize("NFC", file.name)) not in there}
    sizes, findings = _measured(list(missing.values()))
    unseen = list(sizes)
    if _is_here(client.address):
        unseen = _sent_by_path(client, unseen, findings)
    for batch in _by_weight(unseen, sizes, findings):
        _send_content(client, batch, findings)
    return findings


def _measured(files: Sequence[MediaFile]) -> tuple[dict[MediaFile, int], list[Finding]]:
    sizes, findings = {}, []
    for file in files:
        try:
            sizes[file] = Path(file.path).stat().st_size
        except OSError as error:
            findings.append(refusals.media_missing(file.name, error.strerror or str(error)))
    return sizes, findings


def _sent_by_path(client: AnkiConnectClient, files: Sequence[MediaFile], findings: list[Finding]) -> list[MediaFile]:
    """Let Anki read the files itself; returns those it cannot see, for example from a sandbox."""
    unseen = []
    for batch in batches(files, _MEDIA_BATCH):
        actions = [_storing(file, path=str(Path(file.path).absolute())) for file in batch]
        for file, answer in zip(batch, client.call_many(actions), strict=True):
            if isinstance(answer, ActionRefused):
                unseen.append(file)
            else:
                findings += refusals.media_renamed(file.name, answer)
    return unseen


def _send_content(client: AnkiConnectClient, files: Sequence[MediaFile], findings: list[Finding]) -> None:
    actions, sent = [], []
    for file in files:
        try:
            actions.append(_storing(file, data=b64encode(Path(file.path).read_bytes()).decode()))
            sent.append(file)
        except OSError as error:
            findings.append(refusals.media_missing(file.name, error.strerror or str(error)))
    weight = sum(len(action.params["data"]) for action in actions)
    answers = client.call_many(actions, seconds=_SECONDS_PER_MEGABYTE * weight / _MEGABYTE)
    for file, answer in zip(sent, answers, strict=True):
        if isinstance(answer, ActionRefused):
            findings.append(refusals.media_refused(file.name, answer.words))
        else:
            findings += refusals.media_renamed(file.name, answer)


def _by_weight(
    files: Sequence[MediaFile], sizes: dict[MediaFile, int], findings: list[Finding]
) -> Iterator[list[MediaFile]]:
    """Groups of files that are small enough to send; a file that is too large becomes a finding."""
    batch: list[MediaFile] = []
    for file in files:
        if sizes[file] > _MAX_FILE:
            reason = f"{sizes[file] // _MEGABYTE} MB is too large to send; copy it into Anki's media folder"
            findings.append(refusals.media_refused(file.name, reason))
            continue
        if batch and sum(sizes[one] for one in batch) + sizes[file] > _MAX_REQUEST:
            yield batch
            batch = []
        batch.append(file)
    if batch:
        yield batch


def _storing(file: MediaFile, **content: str) -> ConnectAction:
    params: dict[str, Any] = {"filename": file.name, "deleteExisting": False, **content}
    return ConnectAction("storeMediaFile", params)


def _is_here(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class _FieldInfo(TypedDict):
    value: str


class _NoteInfo(TypedDict):
    """What we read of a reply to `notesInfo`."""

    noteId: int
    modelName: str
    fields: dict[str, _FieldInfo]
    tags: list[str]
    cards: list[int]
    mod: NotRequired[int]


class _CardInfo(TypedDict):
    """What we read of a reply to `cardsInfo`."""

    cardId: int
    deckName: str
    queue: int
    reps: int
    lapses: int
    interval: int


_BATCH = 100
_NOTES = 5000
_CARDS = 500
"""The info of a card has its question, answer and style: about 10 KB each."""


class AnkiConnect:
    """The collection of the Anki at this address; every method takes few requests, for any number of notes."""

    def __init__(self, address: str = "http://127.0.0.1:8765", *, key: str | None = None, timeout: float = 60) -> None:
        self.place = f"Anki at {address}"
        self._client = AnkiConnectClient(address, key, timeout)
        self._decks = DeckManager(self._client)
        self._note_types: dict[str, tuple[str, ...]] | None = None

    def note_types(self) -> dict[str, tuple[str, ...]]:
        """Every note type with its fields in order, fetched once."""
        if self._note_types is None:
            names = self._client.call("modelNames")
            fields = self._client.call_many([ConnectAction("modelFieldNames", {"modelName": name}) for name in names])
            known = zip(names, fields, strict=True)
            self._note_types = {name: tuple(has) for name, has in known if not isinstance(has, ActionRefused)}
        return dict(self._note_types)

    def add_note_types(self, types: Sequence[NoteType]) -> None:
        """Create the missing note types; existing ones are not changed."""
        missing = [kind for kind in types if kind.name not in self.note_types()]
        answers = self._client.call_many([ConnectAction("createModel", _model(kind)) for kind in missing])
        self._note_types = None if missing else self._note_types
        for kind, answer in zip(missing, answers, strict=True):
            # After a lost reply, the second attempt finds the note type there, which is fine.
            if isinstance(answer, ActionRefused) and "already exists" not in answer.words:
                raise Conflict(f"Anki did not make the note type {kind.name}: {answer.words}")

    def our_notes(self) -> list[AnkiNote]:
        """Every note that carries an id of ours; its cards have decks, but no scheduling data."""
        ours, visitors = OUR_NOTES, f"{OUR_NOTES} {IN_FILTERED_DECKS}"
        searches = (("findNotes", ours), ("findCards", ours), ("findCards", visitors))
        notes, cards, visiting = self._client.call_each(
            [ConnectAction(find, {"query": query}) for find, query in searches]
        )
        actions = [ConnectAction(action, {"cards": cards}) for action in ("getDecks", "areSuspended")]
        decks, suspended = self._client.call_each(actions) if cards else ({}, [])
        current = {card: deck for deck, inside in decks.items() for card in inside}
        current |= self._decks.home_decks(visiting, current)
        known = {
            card: AnkiCard(id=card, deck=current[card], suspended=is_suspended)
            for card, is_suspended in zip(cards, suspended, strict=True)
            if is_suspended is not None
        }
        return [_note(info, known) for info in self._infos(notes)]

    def notes(self, ids: Sequence[int]) -> dict[int, AnkiNote]:
        """The notes with these ids that exist."""
        infos = list(self._infos(ids))
        known: dict[int, AnkiCard] = {}
        for batch in batches([card for info in infos for card in info["cards"]], _CARDS):
            visitors = f"{search_cards(batch)} {IN_FILTERED_DECKS}"
            actions = [ConnectAction("cardsInfo", {"cards": batch}), ConnectAction("findCards", {"query": visitors})]
            cards, visiting = self._client.call_each(actions)
            homes = self._decks.home_decks(visiting, {card["cardId"]: card["deckName"] for card in cards if card})
            known |= {card["cardId"]: _card(card, homes) for card in cards if card}
        return {info["noteId"]: _note(info, known) for info in infos}

    def find(self, query: str) -> list[int]:
        """The ids of the notes that a search finds."""
        return list(self._client.call("findNotes", query=query))

    def add(self, notes: Sequence[NewNote]) -> list[int | Finding]:
        """Add notes; returns for each its id, or the finding that says why it was not added."""
        return NoteAdder(self._client, self._decks, notes).run()

    def update_fields(self, changes: Mapping[int, Mapping[str, str]]) -> dict[int, Finding]:
        """Set fields of notes and read them back; returns a finding for each note that was not updated."""
        failed: dict[int, Finding] = {}
        done = 0
        for batch in batches(list(changes), _BATCH):
            try:
                failed |= self._update_batch({note: changes[note] for note in batch})
            except ServiceDown as down:
                if not done:
                    raise
                return failed | {note: refusals.gone(down.what) for note in list(changes)[done:]}
            done += len(batch)
        return failed

    def change_tags(self, changes: Mapping[int, tuple[Sequence[str], Sequence[str]]]) -> None:
        """Add the first and remove the second tags of each note; other tags stay."""
        pruned = [note for note, (_, remove) in changes.items() if remove]
        tags = {info["noteId"]: info["tags"] for info in self._infos(pruned)}
        for batch in batches(list(changes), _BATCH):
            self._client.call_many(
                [action for note in batch for action in _tag_actions(note, *changes[note], tags.get(note, []))]
            )

    def move(self, cards: Sequence[int], deck: str) -> None:
        """Move cards to a deck, which is created if it is missing."""
        if not cards:
            return
        if unfit := self._decks.unfit_decks([deck], self._client.call_many(self._decks.prepare_actions([deck]))):
            raise Conflict(unfit[deck].message, remedy="Choose another deck for these cards.")
        self._client.call("changeDeck", cards=list(cards), deck=deck)

    def suspend(self, cards: Sequence[int], *, suspended: bool) -> None:
        """Suspend or unsuspend cards."""
        action = "suspend" if suspended else "unsuspend"
        answers = self._client.call_many([ConnectAction(action, {"cards": list(cards)})] if cards else [])
        if any(isinstance(answer, ActionRefused) for answer in answers):
            # One deleted card makes the add-on refuse all of them.
            states = self._client.call("areSuspended", cards=list(cards))
            there = [card for card, state in zip(cards, states, strict=True) if state is (not suspended)]
            if there:
                self._client.call(action, cards=there)

    def remove_notes(self, notes: Sequence[int]) -> None:
        """Remove notes with their history."""
        if notes:
            self._client.call("deleteNotes", notes=list(notes))

    def store_media(self, files: Sequence[MediaFile]) -> list[Finding]:
        """Copy files into the media folder, except those whose name is there already."""
        return send_media(self._client, files)

    def our_media(self) -> list[str]:
        """The names of the files in the media folder that we stored."""
        return list(self._client.call("getMediaFilesNames", pattern=f"{MEDIA_PREFIX}*"))

    def remove_media(self, names: Sequence[str]) -> None:
        """Move files of the media folder to Anki's trash."""
        self._client.call_each([ConnectAction("deleteMediaFile", {"filename": name}) for name in names])

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _infos(self, notes: Sequence[int]) -> Iterable[_NoteInfo]:
        for batch in batches(notes, _NOTES):
            # A note that does not exist is answered as an empty object.
            yield from filter(None, self._client.call("notesInfo", notes=list(batch)))

    def _update_batch(self, changes: Mapping[int, Mapping[str, str]]) -> dict[int, Finding]:
        actions = [
            ConnectAction("updateNoteFields", {"note": {"id": note, "fields": new}}) for note, new in changes.items()
        ]
        *answers, infos = self._client.call_many([*actions, ConnectAction("notesInfo", {"notes": list(changes)})])
        refused = {
            note: answer for note, answer in zip(changes, answers, strict=True) if isinstance(answer, ActionRefused)
        }
        read_back = {info["noteId"]: info for info in infos if info}
        failed = {}
        for note, fields in changes.items():
            if note not in read_back:
                failed[note] = refusals.note_missing(note)
            elif note in refused:
                failed[note] = refusals.refused(refused[note].words)
            elif finding := _not_taken(note, fields, read_back[note]):
                failed[note] = finding
        return failed


def _not_taken(note: int, fields: Mapping[str, str], info: Mapping[str, Any]) -> Finding | None:
    """Why a field does not have the text that was written."""
    for name, text in fields.items():
        if name not in info["fields"]:
            return refusals.field_missing(note, name, info["modelName"])
        if normalize("NFC", info["fields"][name]["value"]) != normalize("NFC", text):
            return refusals.note_open(note)
    return None


def _tag_actions(note: int, add: Sequence[str], remove: Sequence[str], tags: Sequence[str]) -> list[ConnectAction]:
    gone = {tag.casefold() for tag in remove}
    # Anki removes a tag with its children, which must stay.
    children = [tag for tag in tags if any(tag.casefold().startswith(f"{parent}::") for parent in gone)]
    kept = [*(tag for tag in children if tag.casefold() not in gone), *add]
    actions = [ConnectAction("removeTags", {"notes": [note], "tags": " ".join(remove)})] if gone else []
    return [*actions, ConnectAction("addTags", {"notes": [note], "tags": " ".join(kept)})] if kept else actions


def _note(info: _NoteInfo, cards: Mapping[int, AnkiCard]) -> AnkiNote:
    return AnkiNote(
        id=info["noteId"],
        note_type=info["modelName"],
        fields={name: field["value"] for name, field in info["fields"].items()},
        tags=tuple(info["tags"]),
        cards=tuple(cards[card] for card in info["cards"] if card in cards),
        modified=info.get("mod", 0),
    )


def _card(info: _CardInfo, homes: Mapping[int, str]) -> AnkiCard:
    return AnkiCard(
        id=info["cardId"],
        deck=homes.get(info["cardId"], info["deckName"]),
        suspended=info["queue"] == -1,
        reps=info["reps"],
        lapses=info["lapses"],
        interval=info["interval"],
    )


def _model(kind: NoteType) -> dict[str, Any]:
    return {
        "modelName": kind.name,
        "inOrderFields": kind.fields,
        "cardTemplates": [{"Name": name, "Front": front, "Back": back} for name, front, back in kind.templates],
        "css": kind.css,
        "isCloze": kind.is_cloze,
    }
