"""What AnkiConnect's actions do to a collection, in the shapes of the add-on, with its traps where they are set."""

import base64
import glob
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from anki.collection import Collection
from anki.consts import MODEL_CLOZE
from anki.errors import NotFoundError
from anki.lang import set_lang
from anki.notes import Note
from anki.utils import field_checksum

VERSION = 6
_CAPITAL = re.compile(r"([A-Z])")
_SPECIAL = re.compile(r'deck:"?[^"]*([^\w:\s"*-]|: )')
_STATES = {
    1: "cannot create note because it is empty",
    2: "cannot create note because it is a duplicate",
}


@dataclass
class Traps:
    """How this Anki misbehaves; each is something that a released add-on or a real desktop does."""

    wrong_deck: bool = False
    """New notes go to Default, and success is reported."""
    duplicates: Literal["raise", "null"] = "raise"
    """`addNotes` with a bad note takes all of them back and raises (new), or answers null for it (old)."""
    missing: frozenset[str] = frozenset()
    """Actions that this version does not have."""
    open_in_browser: set[int] = field(default_factory=set)
    """Notes whose fields cannot be set, though success is reported."""
    special_decks_empty: bool = False
    """A search that names a deck with special characters finds nothing."""
    sandboxed: bool = False
    """Anki cannot read the paths it is given."""
    slow_media: float = 0.0
    """Seconds that a megabyte of base64 takes."""
    key: str | None = None
    """The API key that every request, and every action in a `multi`, must carry."""
    profile_open: bool = True
    """Without a profile there is no collection to ask."""


class ActionFailed(Exception):
    """The add-on answers with this text as `error`."""


class Actions:
    """The add-on's side of the protocol over one real collection."""

    def __init__(self, collection: Collection, traps: Traps) -> None:
        self.collection = collection
        self.traps = traps
        # The desktop does this at its start; checksums of fields need it.
        set_lang("en_US")

    def reply(self, request: dict[str, Any]) -> Any:
        """The reply to one request: bare for an old version, with `result` and `error` otherwise."""
        try:
            result = self._run(request)
        except Exception as error:  # noqa: BLE001 - the add-on, too, answers whatever went wrong
            return {"result": None, "error": str(error)}
        return result if request.get("version", 4) <= 4 else {"result": result, "error": None}

    def _run(self, request: dict[str, Any]) -> Any:
        name = request.get("action", "")
        if request.get("key") != self.traps.key and name != "requestPermission":
            raise ActionFailed("valid api key must be provided")
        if name not in _ACTIONS or name in self.traps.missing:
            raise ActionFailed("unsupported action")
        if not self.traps.profile_open and name not in {"version", "requestPermission", "apiReflect", "multi"}:
            raise ActionFailed("collection is not available")
        params = {_CAPITAL.sub(r"_\1", name).lower(): value for name, value in request.get("params", {}).items()}
        return _ACTIONS[name](self, **params)

    # The add-on itself

    def version(self) -> int:
        return VERSION

    def request_permission(self) -> dict[str, Any]:
        return {"permission": "granted", "requireApikey": bool(self.traps.key), "version": VERSION}

    def api_reflect(self, scopes: list[str], actions: list[str] | None = None) -> dict[str, Any]:
        known = [name for name in actions or _ACTIONS if name in _ACTIONS and name not in self.traps.missing]
        return {"scopes": scopes, "actions": known}

    def multi(self, actions: list[dict[str, Any]]) -> list[Any]:
        return [self.reply(action) for action in actions]

    def gui_browse(self, **_: Any) -> None:
        raise ActionFailed("there is no window here")

    # Decks

    def deck_names(self) -> list[str]:
        return [deck.name for deck in self.collection.decks.all_names_and_ids()]

    def create_deck(self, deck: str) -> int | None:
        return self.collection.decks.id(deck)

    def change_deck(self, cards: list[int], deck: str) -> None:
        self.collection.set_deck(cards, self.collection.decks.id(deck))

    def get_decks(self, cards: list[int]) -> dict[str, list[int]]:
        decks: dict[str, list[int]] = {}
        for card in cards:
            name = self.collection.decks.name(self._card(card).did)
            decks.setdefault(name, []).append(card)
        return decks

    def get_deck_config(self, deck: str) -> Any:
        known = self.collection.decks.id_for_name(deck)
        return self.collection.decks.config_dict_for_deck_id(known) if known else False

    # Note types

    def model_names(self) -> list[str]:
        return [model.name for model in self.collection.models.all_names_and_ids()]

    def model_field_names(self, model_name: str) -> list[str]:
        return self.collection.models.field_names(self._model(model_name))

    def model_templates(self, model_name: str) -> dict[str, dict[str, str]]:
        templates = self._model(model_name)["tmpls"]
        return {one["name"]: {"Front": one["qfmt"], "Back": one["afmt"]} for one in templates}

    def model_styling(self, model_name: str) -> dict[str, str]:
        return {"css": self._model(model_name)["css"]}

    def create_model(
        self,
        model_name: str,
        in_order_fields: list[str],
        card_templates: list[dict[str, str]],
        css: str | None = None,
        is_cloze: bool = False,
    ) -> dict[str, Any]:
        models = self.collection.models
        if model_name in self.model_names():
            raise ActionFailed("Model name already exists")
        model = models.new(model_name)
        if is_cloze:
            model["type"] = MODEL_CLOZE
        for name in in_order_fields:
            models.add_field(model, models.new_field(name))
        for place, given in enumerate(card_templates, start=1):
            template = models.new_template(given.get("Name", f"Card {place}"))
            template["qfmt"], template["afmt"] = given["Front"], given["Back"]
            models.add_template(model, template)
        model["css"] = css if css is not None else model["css"]
        models.add(model)
        return model

    # Notes

    def find_notes(self, query: str) -> list[int]:
        return [] if self._forgets(query) else list(self.collection.find_notes(query))

    def notes_info(self, notes: list[int] | None = None, query: str | None = None) -> list[dict[str, Any]]:
        return [self._note_info(note) for note in (self.find_notes(query) if query is not None else notes or [])]

    def add_note(self, note: dict[str, Any]) -> int:
        made = self._made(note)
        deck = 1 if self.traps.wrong_deck else self.collection.decks.id_for_name(note["deckName"])
        self.collection.add_note(made, deck)
        return made.id

    def add_notes(self, notes: list[dict[str, Any]]) -> list[int | None]:
        added: list[int | None] = []
        errors = []
        for note in notes:
            try:
                added.append(self.add_note(note))
            except ActionFailed as error:
                errors.append(str(error))
                added.append(None)
        if errors and self.traps.duplicates == "raise":
            self.collection.remove_notes([note for note in added if note])
            raise ActionFailed(str(errors))
        return added

    def can_add_notes(self, notes: list[dict[str, Any]]) -> list[bool]:
        return [detail["canAdd"] for detail in self.can_add_notes_with_error_detail(notes)]

    def can_add_notes_with_error_detail(self, notes: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [self._can_add(note) for note in notes]

    def update_note_fields(self, note: dict[str, Any]) -> None:
        found = self._note(note["id"])
        if found.id in self.traps.open_in_browser:
            return
        for name, value in note["fields"].items():
            if name in found:
                found[name] = value
        self.collection.update_note(found, skip_undo_entry=True)

    def add_tags(self, notes: list[int], tags: str) -> None:
        self.collection.tags.bulk_add(notes, tags)

    def remove_tags(self, notes: list[int], tags: str) -> None:
        self.collection.tags.bulk_remove(notes, tags)

    def delete_notes(self, notes: list[int]) -> None:
        self.collection.remove_notes(notes)

    # Cards

    def find_cards(self, query: str) -> list[int]:
        return [] if self._forgets(query) else list(self.collection.find_cards(query))

    def cards_info(self, cards: list[int]) -> list[dict[str, Any]]:
        return [self._card_info(card) for card in cards]

    def suspend(self, cards: list[int]) -> bool:
        self.collection.sched.suspend_cards([card for card in cards if self._card(card).queue != -1])
        return True

    def unsuspend(self, cards: list[int]) -> None:
        self.collection.sched.unsuspend_cards([card for card in cards if self._card(card).queue == -1])

    def are_suspended(self, cards: list[int]) -> list[bool | None]:
        queues = [self.collection.db.scalar("select queue from cards where id = ?", card) for card in cards]
        return [None if queue is None else queue == -1 for queue in queues]

    # Media

    def store_media_file(
        self, filename: str, data: str | None = None, path: str | None = None, delete_existing: bool = True
    ) -> str:
        if not (data or path):
            raise ActionFailed('You must provide a "data", "path", or "url" field.')
        if data:
            time.sleep(self.traps.slow_media * len(data) / 1_000_000)
        elif self.traps.sandboxed:
            raise ActionFailed(f"[Errno 2] No such file or directory: '{path}'")
        content = base64.b64decode(data) if data else Path(path or "").read_bytes()
        if delete_existing:
            self.delete_media_file(filename)
        return self.collection.media.write_data(filename, content)

    def retrieve_media_file(self, filename: str) -> str | bool:
        file = Path(self.collection.media.dir(), Path(filename).name)
        return base64.b64encode(file.read_bytes()).decode() if file.exists() else False

    def get_media_files_names(self, pattern: str = "*") -> list[str]:
        folder = glob.escape(self.collection.media.dir())
        return [Path(file).name for file in glob.glob(f"{folder}/{pattern}")]  # noqa: PTH207 - as the add-on does

    def delete_media_file(self, filename: str) -> None:
        self.collection.media.trash_files([filename])

    # Inside

    def _forgets(self, query: str) -> bool:
        return self.traps.special_decks_empty and bool(_SPECIAL.search(query))

    def _model(self, name: str) -> Any:
        if (model := self.collection.models.by_name(name)) is None:
            raise ActionFailed(f"model was not found: {name}")
        return model

    def _note(self, note: int) -> Note:
        try:
            return self.collection.get_note(note)
        except NotFoundError as error:
            raise ActionFailed(f"Note was not found: {note}") from error

    def _card(self, card: int) -> Any:
        try:
            return self.collection.get_card(card)
        except NotFoundError as error:
            raise ActionFailed(f"Card was not found: {card}") from error

    def _made(self, note: dict[str, Any]) -> Note:
        """The note that `addNote` would add: judged by its first field, in all of the collection or in one deck."""
        made = Note(self.collection, self._model(note["modelName"]))
        if self.collection.decks.id_for_name(note["deckName"]) is None:
            raise ActionFailed(f"deck was not found: {note['deckName']}")
        made.tags = note.get("tags", [])
        names = {name.lower(): name for name in made.keys()}  # noqa: SIM118 - a note is no mapping
        for name, value in note["fields"].items():
            if name.lower() in names:
                made[names[name.lower()]] = value
        options = note.get("options", {})
        in_deck = options.get("duplicateScope") == "deck"
        state = self._state_in_deck(made, note["deckName"]) if in_deck else made.fields_check()
        if state and not (state == 2 and options.get("allowDuplicate")):
            raise ActionFailed(_STATES.get(state, "cannot create note for unknown reason"))
        return made

    def _state_in_deck(self, made: Note, deck: str) -> int:
        """As the add-on judges in one deck: 1 for an empty first field, 2 for one that the deck has, 0 otherwise."""
        if not made.fields[0].strip():
            return 1
        twins = "select count() from cards c, notes n on n.id = c.nid where n.csum = ? and n.mid = ? and c.did = ?"
        place = self.collection.decks.id_for_name(deck)
        return 2 if self.collection.db.scalar(twins, field_checksum(made.fields[0]), made.mid, place) else 0

    def _can_add(self, note: dict[str, Any]) -> dict[str, Any]:
        try:
            self._made(note)
        except ActionFailed as error:
            return {"canAdd": False, "error": str(error)}
        return {"canAdd": True}

    def _note_info(self, note: int) -> dict[str, Any]:
        try:
            found = self.collection.get_note(note)
        except NotFoundError:
            return {}
        return {
            "noteId": found.id,
            "profile": "User 1",
            "tags": found.tags,
            "fields": {name: {"value": value, "order": order} for order, (name, value) in enumerate(found.items())},
            "modelName": (found.note_type() or {})["name"],
            "mod": found.mod,
            "cards": self.collection.db.list("select id from cards where nid = ? order by ord", note),
        }

    def _card_info(self, card: int) -> dict[str, Any]:
        try:
            found = self.collection.get_card(card)
        except NotFoundError:
            return {}
        note_info = self._note_info(found.nid)
        return {
            "cardId": found.id,
            "fields": note_info["fields"],
            "fieldOrder": found.ord,
            "question": found.question(),
            "answer": found.answer(),
            "modelName": note_info["modelName"],
            "ord": found.ord,
            "deckName": self.collection.decks.name(found.did),
            "css": found.note_type()["css"],
            "factor": found.factor,
            "interval": found.ivl,
            "note": found.nid,
            "type": found.type,
            "queue": found.queue,
            "due": found.due,
            "reps": found.reps,
            "lapses": found.lapses,
            "left": found.left,
            "mod": found.mod,
            "flags": found.flags,
        }


_ACTIONS: dict[str, Callable[..., Any]] = {
    re.sub(r"_(\w)", lambda letter: letter[1].upper(), name): method
    for name, method in vars(Actions).items()
    if not name.startswith("_") and name != "reply"
}
