"""Concepts: book quotes become atomic, linked ideas that a person has looked at."""
