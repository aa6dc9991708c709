"""Recognises questions that ask the same."""
