"""Answers a question from the document alone, to validate it."""
