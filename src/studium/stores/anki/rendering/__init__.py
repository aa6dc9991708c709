"""Markdown of a card becomes what Anki shows, and nothing that it would obey."""
