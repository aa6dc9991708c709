"""Lyrics: pasted text, text files, LRC files and the tags of audio files, read into the lines of a song."""
