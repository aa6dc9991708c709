"""Judges cards: do they fit their note type, rest on the note, and read well."""
