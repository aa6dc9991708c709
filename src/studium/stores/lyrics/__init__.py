"""Lyrics on the network: looked up by title and artist, only where the user has switched it on."""
