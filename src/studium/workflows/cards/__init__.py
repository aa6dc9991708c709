"""Cards: Obsidian notes become Anki cards."""
