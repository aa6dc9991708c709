"""Writes notes to an Anki package; ids are stable, so importing a package twice updates and never duplicates."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from hashlib import sha256
from itertools import count
from pathlib import Path
from time import time
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from studium.anki.note_types import BASIC, CLOZE, NOTE_TYPES, REVERSED, WORD, WORD_TYPE
from studium.anki.store import MediaFile, NewNote, NoteType
from studium.core.domain.errors import BadInput
from studium.core.domain.finding import Finding, Severity
from studium.core.files import atomic_write

# Never change these: Anki recognises a note type by its number.
_MODEL_IDS = {BASIC: 1_763_164_800_001, REVERSED: 1_763_164_800_002, CLOZE: 1_763_164_800_003, WORD: 1_763_164_800_004}


def write_package(
    target: Path, notes: Mapping[str, NewNote], media: Iterable[MediaFile] = (), *, now: Callable[[], float] = time
) -> list[Finding]:
    """Write these notes, by our own ids, as an `.apkg` file; returns findings about missing media.

    On import, Anki takes notes that are newer than those it has.
    """
    collection = _collection(notes, now())
    wanted = {file.name: Path(file.path) for file in media}
    here = {name: path for name, path in wanted.items() if path.is_file()}
    with atomic_write(target) as part, ZipFile(part, "w", ZIP_DEFLATED, compresslevel=1) as package:
        package.writestr("collection.anki2", collection)
        package.writestr("media", json.dumps({str(number): name for number, name in enumerate(here)}))
        for number, path in enumerate(here.values()):
            package.write(path, str(number), compress_type=ZIP_STORED)
    return [_missing_media(path) for name, path in wanted.items() if name not in here]


def _collection(notes: Mapping[str, NewNote], timestamp: float) -> bytes:
    import genanki

    decks: dict[str, Any] = {}
    for card_id, note in notes.items():
        model = _model(note.note_type)
        fields = [note.fields.get(field["name"], "") for field in model.fields]
        deck = decks.setdefault(note.deck, genanki.Deck(_number(note.deck), note.deck))
        guid = genanki.guid_for("studium", card_id)
        deck.add_note(genanki.Note(model, fields, tags=list(note.tags), guid=guid))
    # genanki's own file writer names media by their path; we name them by their content.
    database = sqlite3.connect(":memory:")
    try:
        genanki.Package(list(decks.values())).write_to_db(database.cursor(), timestamp, count(int(timestamp * 1000)))
        database.commit()
        return database.serialize()
    finally:
        database.close()


def _model(name: str) -> Any:
    models = _models()
    if name not in models:
        raise BadInput(
            f"A package cannot contain notes of type {name}.",
            remedy="Sync to Anki itself, or use one of " + ", ".join(models) + ".",
        )
    return models[name]


@cache
def _models() -> dict[str, Any]:
    return {each.name: _as_genanki(each) for each in (*NOTE_TYPES, WORD_TYPE)}


def _as_genanki(each: NoteType) -> Any:
    import genanki

    return genanki.Model(
        _MODEL_IDS[each.name],
        each.name,
        fields=[{"name": name} for name in each.fields],
        templates=[{"name": name, "qfmt": front, "afmt": back} for name, front, back in each.templates],
        css=each.css,
        model_type=genanki.Model.CLOZE if each.is_cloze else genanki.Model.FRONT_BACK,
    )


def _number(name: str) -> int:
    """A stable positive number for a name, in the range that Anki uses for ids."""
    return int.from_bytes(sha256(name.encode()).digest()[:5])


def _missing_media(path: Path) -> Finding:
    message = f"{path} is missing, so it is not in the package; sync again once it is back."
    return Finding(code="media.missing", severity=Severity.WARNING, message=message)
