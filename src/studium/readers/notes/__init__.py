"""A Markdown note becomes the cards it asks for; one module a way of writing cards."""

from studium.readers.notes.marking import remove_markers, write_marker
from studium.readers.notes.options import NoteOptions
from studium.readers.notes.reading import ParsedNote, read_note

__all__ = ["NoteOptions", "ParsedNote", "read_note", "remove_markers", "write_marker"]
