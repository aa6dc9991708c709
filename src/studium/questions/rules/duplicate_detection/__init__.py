"""Duplicate detection."""
