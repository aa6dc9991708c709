"""Whether cards are still good as they stand in Anki."""
