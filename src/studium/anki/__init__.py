"""Anki: AnkiConnect, collection files, packages, note types and card HTML."""
