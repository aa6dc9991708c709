"""The vocabulary faculty at work: songs to words, kept so that nobody waits for the same song twice."""
