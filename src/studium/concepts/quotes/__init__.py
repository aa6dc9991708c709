"""Reads quotes from files, and matches them with the stored ones."""
