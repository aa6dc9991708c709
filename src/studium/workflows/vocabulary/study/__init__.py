"""What a learner makes of a song's words: how much is known, what to learn first, how hard it is."""
