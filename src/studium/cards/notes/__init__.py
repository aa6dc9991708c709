"""Reads the cards out of Markdown notes; one module for each group of card syntaxes."""

from studium.cards.notes.markers import remove_markers, write_marker
from studium.cards.notes.page import NoteOptions
from studium.cards.notes.reader import ParsedNote, read_note

__all__ = ["NoteOptions", "ParsedNote", "read_note", "remove_markers", "write_marker"]
