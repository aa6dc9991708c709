"""A Markdown note becomes the cards it asks for; one module a way of writing cards."""

from studium.cards.notes.markers import remove_markers, write_marker
from studium.cards.notes.page import NoteOptions
from studium.cards.notes.reader import ParsedNote, read_note

__all__ = ["NoteOptions", "ParsedNote", "read_note", "remove_markers", "write_marker"]
