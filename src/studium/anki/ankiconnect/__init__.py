"""Anki through its AnkiConnect add-on."""
