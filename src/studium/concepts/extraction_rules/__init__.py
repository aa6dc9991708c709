"""What the rules draft of a book: its concepts, its summaries, and who wrote it."""
