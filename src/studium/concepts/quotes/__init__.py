"""Quotes that a reader kept, from whatever they were kept in."""
