"""Publishes concepts as Obsidian notes, and merges the reader's edits."""
