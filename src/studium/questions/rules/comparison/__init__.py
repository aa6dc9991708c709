"""Compares words, quantities and answers."""
