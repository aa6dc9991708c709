"""An Anki collection file, opened with Anki's own library while Anki is closed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unicodedata import normalize

from studium.anki import refusals
from studium.anki.store import (
    ID_FIELD,
    MEDIA_PREFIX,
    OUR_NOTES,
    AnkiCard,
    AnkiNote,
    MediaFile,
    NewNote,
    NoteType,
    search_own_ids,
)
from studium.core.domain.errors import BadInput, Conflict, NotFound, StorageFailed
from studium.core.domain.finding import Finding
from studium.core.extras import needs_extra

_BACKUPS = 3


def keep_backup(database: Any, collection: Path) -> Path:
    """Copy the collection to `collection.anki2.studium-backup`; two older copies get numbers."""
    newest = collection.with_name(f"{collection.name}.studium-backup")
    part = newest.with_name(f"{newest.name}.part")
    part.unlink(missing_ok=True)
    # This includes the journal, which a copy of the file would miss.
    database.execute("vacuum into ?", str(part))
    older = [newest, *(newest.with_name(f"{newest.name}.{number}") for number in range(1, _BACKUPS))]
    for place in range(_BACKUPS - 1, 0, -1):
        if older[place - 1].exists():
            older[place - 1].replace(older[place])
    return part.replace(newest)


_SUSPENDED = -1
_SEPARATOR = "\x1f"
_NOTES = "select id, mid, mod, tags, flds from notes where id in ({})"
# A card in a filtered deck belongs to the deck it came from.
_CARDS = """select nid, id, case odid when 0 then did else odid end, queue, reps, lapses, ivl
            from cards where nid in ({}) order by nid, ord"""


class AnkiCollection:
    """A collection file; only one of Anki and Studium can have it open.

    A backup is written beside it before the first write.
    """

    def __init__(self, path: Path) -> None:
        self.place = str(path)
        self._path = path
        # Any, because Anki wraps its ids in types of their own.
        self._collection: Any = _open(path)
        self._has_backup = False

    def note_types(self) -> dict[str, tuple[str, ...]]:
        """Every note type with its fields in order."""
        return dict(self._note_types().values())

    def add_note_types(self, types: Sequence[NoteType]) -> None:
        """Create the missing note types; existing ones are not changed."""
        there = self.note_types()
        if missing := [kind for kind in types if kind.name not in there]:
            with self._writing():
                for kind in missing:
                    self._collection.models.add_dict(_model(self._collection, kind))

    def our_notes(self) -> list[AnkiNote]:
        """Every note that carries an id of ours."""
        return list(self.notes(self._collection.find_notes(OUR_NOTES)).values())

    def notes(self, ids: Sequence[int]) -> dict[int, AnkiNote]:
        """The notes with these ids that exist."""
        types = self._note_types()
        decks = {deck.id: deck.name for deck in self._collection.decks.all_names_and_ids()}
        cards: dict[int, list[AnkiCard]] = {}
        for note, *card in self._rows(_CARDS, ids):
            cards.setdefault(note, []).append(_card(card, decks))
        rows = {row[0]: row for row in self._rows(_NOTES, ids)}
        return {note: _note(rows[note], types, cards.get(note, ())) for note in ids if note in rows}

    def find(self, query: str) -> list[int]:
        """The ids of the notes that a search finds."""
        from anki.errors import SearchError

        try:
            return list(self._collection.find_notes(query))
        except SearchError as error:
            raise BadInput(f"Anki cannot search for {query}: {error}") from error

    def add(self, notes: Sequence[NewNote]) -> list[int | Finding]:
        """Add notes; returns for each its id, or the finding that says why it was not added."""
        names = [note.fields.get(ID_FIELD) or f"at {place}" for place, note in enumerate(notes)]
        results: dict[str, int | Finding] = dict(self._existing(notes))
        drafts: dict[str, Any] = {}
        with self._writing():
            for name, note in zip(names, notes, strict=True):
                if name not in results and name not in drafts:
                    drafts[name] = self._draft(note)
            fit = {name: draft for name, draft in drafts.items() if not isinstance(draft, Finding)}
            self._collection.add_notes(list(fit.values()))
        results |= drafts | {name: draft.note.id for name, draft in fit.items()}
        return [results[name] for name in names]

    def update_fields(self, changes: Mapping[int, Mapping[str, str]]) -> dict[int, Finding]:
        """Set fields of notes; returns a finding for each note that was not updated."""
        there = self.notes(list(changes))
        failed = {note: refusals.note_missing(note) for note in changes if note not in there}
        changed = []
        for note, known in there.items():
            if lacking := [name for name in changes[note] if name not in known.fields]:
                failed[note] = refusals.field_missing(note, lacking[0], known.note_type)
                continue
            changed.append(self._collection.get_note(note))
            for name, text in changes[note].items():
                changed[-1][name] = text
        with self._writing():
            self._collection.update_notes(changed)
        return failed

    def change_tags(self, changes: Mapping[int, tuple[Sequence[str], Sequence[str]]]) -> None:
        """Add the first and remove the second tags of each note; other tags stay."""
        changed = [self._collection.get_note(note) for note in self.notes(list(changes))]
        for note in changed:
            add, remove = changes[note.id]
            gone = {tag.casefold() for tag in remove}
            note.tags = [*(tag for tag in note.tags if tag.casefold() not in gone), *add]
        with self._writing():
            self._collection.update_notes(changed)

    def move(self, cards: Sequence[int], deck: str) -> None:
        """Move cards to a deck, which is created if it is missing."""
        with self._writing():
            if (place := self._deck(deck)) is None:
                message = refusals.filtered_deck(deck).message
                raise Conflict(message, remedy="Choose another deck for these cards.")
            self._collection.set_deck(cards, place)

    def suspend(self, cards: Sequence[int], *, suspended: bool) -> None:
        """Suspend or unsuspend cards."""
        queues = self._rows("select id, queue from cards where id in ({})", cards)
        others = [card for card, queue in queues if (queue == _SUSPENDED) is not suspended]
        with self._writing():
            if suspended:
                self._collection.sched.suspend_cards(others)
            else:
                self._collection.sched.unsuspend_cards(others)

    def remove_notes(self, notes: Sequence[int]) -> None:
        """Remove notes with their history."""
        with self._writing():
            self._collection.remove_notes(notes)

    def store_media(self, files: Sequence[MediaFile]) -> list[Finding]:
        """Copy files into the media folder, except those whose name is there already."""
        missing = [file for file in files if not self._collection.media.have(normalize("NFC", file.name))]
        return [finding for file in missing for finding in self._store(file)]

    def our_media(self) -> list[str]:
        """The names of the files in the media folder that we stored."""
        return [file.name for file in Path(self._collection.media.dir()).glob(f"{MEDIA_PREFIX}*")]

    def remove_media(self, names: Sequence[str]) -> None:
        """Move files of the media folder to Anki's trash."""
        self._collection.media.trash_files(list(names))

    def close(self) -> None:
        """Close the collection, so that Anki can open it."""
        self._collection.close()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        from anki.errors import DBError

        try:
            if not self._has_backup:
                keep_backup(self._collection.db, self._path)
                self._has_backup = True
            yield
        except (DBError, OSError) as error:
            raise StorageFailed(f"{self._path} cannot be written: {error}") from error

    def _rows(self, query: str, ids: Iterable[int]) -> list[Sequence[Any]]:
        return list(self._collection.db.all(query.format(",".join(map(str, ids)))))

    def _note_types(self) -> dict[int, tuple[str, tuple[str, ...]]]:
        return {
            kind["id"]: (kind["name"], tuple(field["name"] for field in kind["flds"]))
            for kind in self._collection.models.all()
        }

    def _existing(self, notes: Sequence[NewNote]) -> dict[str, int]:
        """The notes that are already in the collection, by our own ids."""
        if not (own_ids := [own_id for note in notes if (own_id := note.fields.get(ID_FIELD))]):
            return {}
        found = self.notes(self._collection.find_notes(search_own_ids(own_ids)))
        return {note.fields[ID_FIELD]: note.id for note in found.values()}

    def _deck(self, name: str) -> Any:
        """The id of a deck, which is created if it is missing; None for a filtered deck."""
        deck = self._collection.decks.id(name)
        return None if deck is None or self._collection.decks.is_filtered(deck) else deck

    def _draft(self, note: NewNote) -> Any:
        """The request that adds the note, or the finding that says why it cannot be added."""
        from anki.collection import AddNoteRequest
        from anki.notes import NoteFieldsCheckResult as Check

        if (kind := self._collection.models.by_name(note.note_type)) is None:
            return refusals.no_note_type(note)
        if (deck := self._deck(note.deck)) is None:
            return refusals.filtered_deck(note.deck)
        made = self._collection.new_note(kind)
        made.tags = list(note.tags)
        for name in set(made.keys()) & note.fields.keys():
            made[name] = note.fields[name]
        if not made.fields[0].strip():
            return refusals.empty(note)
        if kind["type"] and not refusals.has_cloze(note):
            return refusals.no_cloze(note)
        # This check reads every note of the type, so it is skipped for notes with an id of ours.
        if not note.fields.get(ID_FIELD) and made.fields_check() == Check.DUPLICATE:
            return refusals.duplicate(note)
        return AddNoteRequest(made, deck)

    def _store(self, file: MediaFile) -> list[Finding]:
        try:
            content = Path(file.path).read_bytes()
        except OSError as error:
            return [refusals.media_missing(file.name, error.strerror or str(error))]
        name = self._collection.media.write_data(file.name, content)
        return refusals.media_renamed(file.name, name)


def _open(path: Path) -> Any:
    with needs_extra("anki", "Writing to a collection file"):
        from anki.collection import Collection
        from anki.errors import DBError
    if not path.is_file():
        raise NotFound(f"There is no collection at {path}.", remedy="Pass the collection.anki2 of an Anki profile.")
    try:
        return Collection(str(path))
    except DBError as error:
        if "already open" in str(error):
            raise Conflict(
                f"Anki has {path} open.", remedy="Close Anki, or sync through AnkiConnect instead."
            ) from error
        raise BadInput(f"{path} is not a collection that Anki can open: {error}") from error


def _model(collection: Any, kind: NoteType) -> Any:
    models = collection.models
    model = models.new(kind.name)
    model["type"], model["css"] = int(kind.is_cloze), kind.css
    for name in kind.fields:
        models.add_field(model, models.new_field(name))
    for name, front, back in kind.templates:
        template = models.new_template(name)
        template["qfmt"], template["afmt"] = front, back
        models.add_template(model, template)
    return model


def _note(row: Sequence[Any], types: Mapping[int, tuple[str, tuple[str, ...]]], cards: Sequence[AnkiCard]) -> AnkiNote:
    note, type_id, modified, tags, fields = row
    note_type, names = types[type_id]
    return AnkiNote(
        id=note,
        note_type=note_type,
        fields=dict(zip(names, fields.split(_SEPARATOR), strict=True)),
        tags=tuple(tags.split()),
        cards=tuple(cards),
        modified=modified,
    )


def _card(row: Sequence[Any], decks: Mapping[int, str]) -> AnkiCard:
    card, deck, queue, reps, lapses, interval = row
    return AnkiCard(
        id=card,
        deck=decks.get(deck, "Default"),
        suspended=queue == _SUSPENDED,
        reps=reps,
        lapses=lapses,
        interval=interval,
    )
