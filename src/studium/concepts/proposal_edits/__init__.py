"""Applies changes to a proposal."""
