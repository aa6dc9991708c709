"""Syncs a vault: scan the notes, match their cards, plan, apply, undo."""
