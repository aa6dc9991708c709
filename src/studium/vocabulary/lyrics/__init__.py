"""Lyrics from pasted text, text files, LRC files, audio tags and the web."""
