"""Tidies Anki's media folder: files that we stored and that no note shows any more."""

from studium.domain.anki import MEDIA_PREFIX, AnkiStore
from studium.stores.anki.rendering.media import unused_media


def unused_files(store: AnkiStore) -> list[str]:
    """Our files that no note of the collection names, whoever wrote the note."""
    present = store.our_media()
    if not present:
        return []
    notes = store.notes(store.find(f'"*{MEDIA_PREFIX}*"'))
    return sorted(unused_media(present, (text for note in notes.values() for text in note.fields.values())))
