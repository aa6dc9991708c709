"""Tutor."""
