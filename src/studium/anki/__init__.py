"""Anki: cards rendered and written to packages."""
