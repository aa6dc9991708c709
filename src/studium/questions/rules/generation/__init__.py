"""Generates questions from sentences, lists, tables and labelled values."""
