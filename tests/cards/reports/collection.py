"""Looks into a collection of Anki."""

from anki.collection import Collection
from anki.notes import Note


def note_saying(opened: Collection, front: str) -> Note:
    """The one note that holds these words."""
    [found] = opened.find_notes(f'"{front}"')
    return opened.get_note(found)
