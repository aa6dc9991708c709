"""Findings that say why Anki refused something, in the same words for every kind of collection."""

import re
from unicodedata import normalize

from studium.anki.store import NewNote
from studium.core.domain.finding import Finding, Severity

_CLOZE = re.compile(r"\{\{c\d+::")


def duplicate(note: NewNote) -> Finding:
    """Another note has the same first field."""
    return _refusal("duplicate", f"Anki already has a {note.note_type} note with this first field.")


def empty(note: NewNote) -> Finding:
    """The first field is empty."""
    return _refusal("empty_note", f"The first field of this {note.note_type} note is empty.")


def has_cloze(note: NewNote) -> bool:
    """Whether any field of a note has a cloze deletion."""
    return any(_CLOZE.search(text) for text in note.fields.values())


def no_cloze(note: NewNote) -> Finding:
    """A cloze note has no cloze, so it would make no card."""
    return _refusal("no_cloze", f"This {note.note_type} note has no cloze deletion such as {{{{c1::…}}}}.")


def no_note_type(note: NewNote) -> Finding:
    """The note type does not exist in Anki."""
    return _refusal("note_type_missing", f"Anki has no note type called {note.note_type}.")


def filtered_deck(deck: str) -> Finding:
    """The deck is a filtered deck, which cannot have cards of its own."""
    return _refusal(
        "filtered_deck", f"{deck} is a filtered deck, which cannot hold cards of its own; name another deck."
    )


def unsure(note: NewNote) -> Finding:
    """The connection broke, and the note has no id to look it up by."""
    return _refusal(
        "unsure",
        f"The connection broke while this {note.note_type} note was added; check in Anki before you add it again.",
    )


def gone(why: str) -> Finding:
    """Anki stopped answering before or while this was written."""
    return _refusal("anki_gone", f"Not done: {why}")


def note_missing(note: int) -> Finding:
    """The note was removed in the meantime."""
    return _refusal("note_missing", f"Anki has no note {note} any more.")


def field_missing(note: int, field: str, note_type: str) -> Finding:
    """The note type does not have the field any more."""
    return _refusal("field_missing", f"Note {note} has no field {field}: its note type {note_type} does not have it.")


def note_open(note: int) -> Finding:
    """Anki reported success but kept the old fields, because the note is open in its editor."""
    return _refusal(
        "note_open", f"Note {note} kept its old fields; close it in Anki's browser or editor, then run this again."
    )


def media_missing(name: str, why: str) -> Finding:
    """The media file cannot be read."""
    return _refusal("media_missing", f"{name} cannot be read: {why}.")


def media_refused(name: str, why: str) -> Finding:
    """Anki did not store the file under the name that the card uses."""
    return _refusal("media_refused", f"{name} was not stored: {why}.")


def media_renamed(name: str, got: str) -> list[Finding]:
    """A finding if Anki stored the file under another name."""
    if normalize("NFC", got) == normalize("NFC", name):
        return []
    return [media_refused(name, f"Anki does not allow this name and used {got}")]


def refused(words: str) -> Finding:
    """Any other refusal, in Anki's own words."""
    return _refusal("refused", f"Anki refused: {words}")


def _refusal(code: str, message: str) -> Finding:
    return Finding(code=code, severity=Severity.ERROR, message=message)
