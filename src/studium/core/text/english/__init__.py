"""English grammar: the words of a sentence with their parts of speech, lemmas and dependencies."""
