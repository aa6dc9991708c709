"""Concepts as Obsidian notes: how a note is named, worded, read and merged with what its reader made of it."""
