"""German: the words of a text in their dictionary forms."""
